// Pose drivers edited, and written into clips.
#pragma once

#include "animation/drivers/pose_driver.h"
#include "animation/drivers/prepared_drivers.h"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

// The driver of the other side: its inputs, joints and morph targets are those of the other side
// (mirrorMap(), sideNames()), its keys are mirrored. Nothing where one of them has no other side,
// or all are their own, and for a polynomial.
std::optional<PoseDriver> mirroredDriver(const Model& model, const PoseDriver& driver);

// An RBF driver that reads one joint and drives these, without keys.
PoseDriver freshDriver(const std::string& input, std::vector<std::string> joints,
                       std::vector<std::string> morphs);

// For programs that have no drivers: in every clip the tracks of driven joints and morph targets
// become what the drivers make of it: linear keys at the clip's own key times and 60 times a
// second.
void bakeDrivers(Model& model, const PreparedDrivers& drivers);

} // namespace sinew
