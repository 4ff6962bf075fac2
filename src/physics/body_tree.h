// Which bones of a model become bodies of its ragdoll, and their parents: a coarse skeleton
// that may differ from the file's. Controls without skin have no body; a bone that
// is separate in the file (a foot under a separate control) is attached to the bone whose
// skin it shares.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew {

// Bind space throughout, which is model space in the bind pose.
struct BodyBone {
  std::uint32_t node = 0;
  std::uint32_t parent = kNoNode;    // index of an earlier bone in the tree
  std::vector<std::uint32_t> merged; // nodes
  vec3 joint{0.0f};                  // where it is joined to its parent
  vec3 tip{0.0f};                    // the joint of the child that carries most, or the skin's end
  bool leaf = true;
  std::vector<vec3> skin; // vertices that follow these bones first
};

struct BodyTree {
  std::vector<BodyBone> bones; // parents first, at least one
  float size = 1.0f;           // longest side of the skin's box
};

// Throws inputError where the model has no skin to fit bodies to.
BodyTree bodyTree(const Model& model, const Rig& rig);

// "LeftForeArm", "calf_l", "Bip01 R Calf", "lowerarm.r": the bone below an elbow or knee.
bool namesLowerLimb(std::string_view name);

// Which bodies are below elbows and knees, per bone of the tree: by their names if these are known,
// otherwise by the shape of the limb. A limb is a chain of bones on one side of the body, by their
// names or by a mirror image across the middle. Where none of a limb's names says which is the
// lower part, it is the one that makes the two longest neighbours.
struct LimbParts {
  std::vector<char> sided; // part of a limb rather than of the trunk
  std::vector<char> lower; // below an elbow or knee
};
LimbParts limbParts(const Model& model, const BodyTree& tree);

} // namespace sinew
