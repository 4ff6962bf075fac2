// Other weights for the skin of one joint.
#pragma once

#include "app/workbench.h"
#include "core/progress.h"
#include "metrics/skin_analysis.h"

#include <memory>

namespace sinew {

// The weights of the joint's skin, each averaged with its neighbours' `rounds` times.
Influences smoothedAround(const Rig& rig, const SkinRegion& region, int rounds);

// Automatic weights of all skin that the model's own skeleton moves; rigid meshes keep theirs. Null
// where there are none: the model is too large for the time, or has no bones to compute them from.
std::shared_ptr<const Influences> makeAutomaticWeights(const Workbench& workbench,
                                                       const Progress& progress = {});

// `automatic` on the skin that the joint moves, fading into the rig's own weights around it.
Influences reboundAround(const Rig& rig, const SkinRegion& region, const Influences& automatic);

} // namespace sinew
