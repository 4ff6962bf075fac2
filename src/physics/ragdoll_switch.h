// From animation to simulation: where the bodies of a ragdoll start and with what velocities, and
// which of them follow the animation or are driven by it (Lovrović 2015, section 4). For the
// sources of this folder.
#pragma once

#include "animation/pose.h"
#include "physics/ragdoll.h"

namespace sinew {

// Ragdoll::start().
RagdollSwitch switchToRagdoll(RagdollParts& parts, const Pose& before, const Pose& now,
                              double seconds, const RagdollStart& options);

// Ragdoll::follow().
void followAnimation(RagdollParts& parts, const Pose& animated);

} // namespace sinew
