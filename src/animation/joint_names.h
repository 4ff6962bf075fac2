// Which joint of one file is which of another, by name.
#pragma once

#include "model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct JointPair {
  std::uint32_t model = 0;
  std::uint32_t motion = 0;
  bool exact = false; // by the name as it is
  // The pair of the nearest matched ancestor of the model's joint.
  std::optional<std::size_t> parent;
};

// The motion's moved node for every node of the model that has one: exactly, then by
// normalizedJointName(), then down chains whose names differ in numbers and short words alone
// ("upperarm01.L", "upperarm02.L" and "UpArm_L": the first). Each is used once; parents come first.
// Names of moved nodes that have no match are appended to `unmatched`.
std::vector<JointPair> matchJoints(const Model& model, const Model& motion,
                                   std::vector<std::string>& unmatched);

// "mixamorig:Left_Arm" becomes "leftarm".
std::string normalizedJointName(std::string_view name);

} // namespace sinew
