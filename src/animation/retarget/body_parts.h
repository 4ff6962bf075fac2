// The body part of a joint by its name, across naming schemes: thigh.l, LeftUpLeg, UpperLeg.L,
// Bip01_L_Thigh. For humanoids; without fingers.
#pragma once

#include "model/hierarchy.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The words of a joint's name without its name space, in lower case: "Bip01_L_UpperArm" has bip, l,
// upper and arm. Digits only separate words.
std::vector<std::string> jointNameWords(std::string_view name);

// "left thigh", "hips", "neck"; "spine" for every joint of the back. Empty: an unknown name.
std::string bodyPart(std::string_view name);

// The same of names that mean a part where no other joint is called by it: a hip is a thigh, a knee
// a calf, an elbow a forearm.
std::string likelyBodyPart(std::string_view name);

// The same of a node: by the humanoid's bone that its file says it is, whatever its name is.
std::string bodyPart(const Node& node);
std::string likelyBodyPart(const Node& node);

} // namespace sinew
