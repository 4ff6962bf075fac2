// Which joint of one file is which of another, by name.
#pragma once

#include "model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// How two names were found to mean the same joint.
enum class NameMatch {
  exact,
  normalised, // without name space, case and separators
  part,       // the same part of a body (body_parts.h)
};
inline constexpr std::string_view kNameMatchWords[] = {"exact", "normalised", "part"};

struct JointPair {
  std::uint32_t model = 0;
  std::uint32_t motion = 0;
  NameMatch match = NameMatch::exact;
  // The pair of the nearest matched ancestor of the model's joint.
  std::optional<std::size_t> parent;
};

// The motion's moved node for every node of the model that has one: exactly, then by
// normalizedJointName(), then joints by bodyPart(); the back's joints are shared out from the
// lowest to the highest. Each is used once; parents come first. Names of moved nodes that have no
// match are appended to `unmatched`.
std::vector<JointPair> matchJoints(const Model& model, const Model& motion,
                                   std::vector<std::string>& unmatched);

// "mixamorig:Left_Arm" becomes "leftarm".
std::string normalizedJointName(std::string_view name);

} // namespace sinew
