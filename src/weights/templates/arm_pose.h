// T-pose and A-pose of a humanoid, whose arms are known by the names of their joints
// (bodyPart()).
#pragma once

#include "animation/pose.h"

namespace sinew {

enum class ArmPose { t, a };

// The bind pose with straight arms: level to the sides (t), or 45 degrees below (a). Hands keep
// their angle to the forearm, also those that do not hang from it (inverse kinematics). Throws
// usageError for a model without a left and a right upper arm and forearm.
Pose armPose(const Model& model, ArmPose pose);

} // namespace sinew
