// Which bodies are below elbows and knees: by their names if these are known, otherwise by the
// shape of the limb.
#pragma once

#include "physics/body_tree.h"

#include <string_view>
#include <vector>

namespace sinew {

// "LeftForeArm", "calf_l", "Bip01 R Calf", "lowerarm.r": the bone below an elbow or knee.
bool namesLowerLimb(std::string_view name);

// Per bone of the tree. A limb is a chain of bones on one side of the body, by their names or by a
// mirror image across the middle. Where none of a limb's names says which is the lower part, it is
// the one that makes the two longest neighbours.
struct LimbParts {
  std::vector<char> sided; // part of a limb rather than of the trunk
  std::vector<char> lower; // below an elbow or knee
};
LimbParts limbParts(const Model& model, const BodyTree& tree);

} // namespace sinew
