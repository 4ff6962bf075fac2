// Matches the joints of two files by name.
#pragma once

#include "animation/retarget/motion_map.h"
#include "model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// How two names were matched.
enum class NameMatch {
  given, // by a map of joints
  exact,
  normalised, // without name space, case and separators
  part,       // the same body part (body_parts.h), or what carries all of them
};
inline constexpr std::string_view kNameMatchWords[] = {"given", "exact", "normalised", "part"};

struct JointPair {
  std::uint32_t model = 0;
  std::uint32_t motion = 0;
  NameMatch match = NameMatch::exact;
  // The pair of the nearest matched ancestor of the model's joint.
  std::optional<std::size_t> parent;
};

// Pairs animated nodes of the motion with nodes of the model: as the map says, by exact name, then
// by normalizedJointName(), then joints by bodyPart(), where joints of the spine are distributed
// from the lowest to the highest and none goes against the order of those already matched; then the
// joint above all of these, where none of them is. Each
// node is used once; parents come first. Names of animated nodes without a match are appended to
// `unmatched`. Throws usageError for names in the map that neither file has.
std::vector<JointPair> matchJoints(const Model& model, const Model& motion, const MotionMap& map,
                                   std::vector<std::string>& unmatched);

// "mixamorig:Left_Arm" becomes "leftarm".
std::string normalizedJointName(std::string_view name);

} // namespace sinew
