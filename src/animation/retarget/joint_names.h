// Joints by name: those of two files matched, and the part of the body.
#pragma once

#include "animation/retarget/motion_map.h"
#include "model/hierarchy.h"
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
  part,       // the same body part (bodyPart()), or what carries all of them
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

// The words of a joint's name without its name space, in lower case: "Bip01_L_UpperArm" has bip, l,
// upper and arm. Digits only separate words.
std::vector<std::string> jointNameWords(std::string_view name);

// Whether rigs put this word before every name: "def" of "DEF-thumb.L".
bool isNamePrefix(std::string_view word);

// The body part of a joint by its name, across naming schemes: thigh.l, LeftUpLeg, UpperLeg.L,
// Bip01_L_Thigh. For humanoids; without fingers. "left thigh", "hips", "neck"; "spine" for every
// joint of the back. Empty: an unknown name.
std::string bodyPart(std::string_view name);

// The same of names that mean a part where no other joint is called by it: a hip is a thigh, a knee
// a calf, an elbow a forearm.
std::string likelyBodyPart(std::string_view name);

// The same of a node: by the humanoid's bone that its file says it is, whatever its name is.
std::string bodyPart(const Node& node);
std::string likelyBodyPart(const Node& node);

} // namespace sinew
