// A skeleton to bind a mesh to: joints, and between them the bones that weights are computed for.
//
// A bone runs from joint p to a child c and moves with p, so a joint with several children has
// several bones. A skeleton comes from a .tgf file or from a model, whose hierarchy, rest pose and
// clips are kept: a mesh bound to it moves like that model.
#pragma once

#include "core/bounds.h"
#include "model/model.h"
#include "weights/bone_segment.h"

#include <optional>
#include <vector>

namespace sinew {

struct Skeleton {
  Hierarchy hierarchy;
  std::vector<Clip> clips;
  std::vector<std::string> morphLabels;   // names of the morph targets that clips move
  std::vector<std::uint32_t> joints;      // nodes, ascending
  std::vector<mat4> modelFromJoint;       // per joint, in the bind pose
  std::vector<BoneSegment> bones;         // model space; at least one
  std::vector<std::uint32_t> jointOfBone; // index into `joints`
};

// The joints of a model (those of its skins, else those its clips animate) in the bind pose. If the
// model's own skin or meshes follow some of the joints, the others are control joints and get no
// bones. The bone of a joint without a child joint ends at its first child node (a BVH file's end
// site), else at the far side of its skin; without skin it continues its parent's bone at the same
// length. Throws inputError for a model without joints.
Skeleton extractSkeleton(const Model& model);

// Per joint its nearest ancestor joint.
std::vector<std::optional<std::uint32_t>> parentJoints(const Skeleton& skeleton);

// Every node in model space in the bind pose: joints by modelFromJoint, other nodes at rest
// relative to their parents.
std::vector<mat4> boundNodes(const Skeleton& skeleton);

// The placement of a skeleton: p' = offset + scale * rotated(p).
struct SkeletonPlacement {
  bool zUp = false; // rotated from Z up to Y up
  bool fit = false; // scale and offset fit it into the mesh's bounding box
  float scale = 1.0f;
  vec3 offset{0.0f};
};

// When fitted, its bounding box has the center of the mesh's and the largest size within 0.95 of
// it. The hierarchy gets a node above its root.
void placeSkeleton(Skeleton& skeleton, const SkeletonPlacement& placement, const Bounds& mesh);

} // namespace sinew
