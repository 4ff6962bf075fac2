// Which bones of a model become bodies of its ragdoll, and their parents: a coarse skeleton
// that may differ from the file's. Controls without skin have no body; a bone that
// is separate in the file (a foot under a separate control) is attached to the bone whose
// skin it shares.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"

#include <cstdint>
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

} // namespace sinew
