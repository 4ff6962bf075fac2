// A skeleton to bind a mesh to: joints, and between them the bones that weights are made for.
//
// A bone runs from joint p to a child c and moves with p, so a joint with several children has
// several bones. A skeleton comes from a .tgf file or from a model, of which the hierarchy, its
// rest pose and its clips are kept: a mesh bound to it moves as that model did.
#pragma once

#include "core/bounds.h"
#include "model/model.h"
#include "weights/bone_segment.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace sinew {

struct Skeleton {
  Hierarchy hierarchy;
  std::vector<Clip> clips;
  std::vector<std::uint32_t> joints;      // nodes, ascending
  std::vector<mat4> modelFromJoint;       // per joint, where it stands when the mesh is bound
  std::vector<BoneSegment> bones;         // model space; at least one
  std::vector<std::uint32_t> jointOfBone; // index into `joints`
};

// Trivial graph format: lines `index x y z`, a line `#`, lines `parent child`; what follows on a
// line is left aside. Joints have no rotation; they are called joint1, joint2, ... by their
// indices, or as the file of names beside it says (weights/tgf_names.h). Where that names bones,
// every bone has a joint of its own, and links move with the bone before them. Throws inputError
// that names file and line: no number, an index twice or not there, a joint with two parents, a
// ring, no joint at all, a name for what is not there.
Skeleton readTgf(const std::filesystem::path& path);

// For each line `parent child` of such a file the joint of readTgf() that moves that bone.
std::vector<std::uint32_t> jointsOfTgfEdges(const std::filesystem::path& path);

// The joints of a model (those its skins bind, else those its clips move) in the pose they are
// bound in. Where the model has skin or meshes of its own that follow some joints, the others are
// there for control and get no bones. A joint without a child joint ends at its first child node (a
// BVH file's end site), else at the far side of its skin, and where there is none its bone goes on
// along its parent's, as long as that. Throws inputError for a model without joints.
Skeleton skeletonOf(const Model& model);

// Per joint the nearest joint above it.
std::vector<std::optional<std::uint32_t>> parentJoints(const Skeleton& skeleton);

// Every node in model space in the pose the mesh is bound in: joints as modelFromJoint has them,
// other nodes at rest to their parents.
std::vector<mat4> boundNodes(const Skeleton& skeleton);

// Where a skeleton stands: p' = offset + scale * turned(p).
struct SkeletonPlacement {
  bool zUp = false; // turned so that its Z points up
  bool fit = false; // scale and offset are those that put it into the mesh's box
  float scale = 1.0f;
  vec3 offset{0.0f};
};

// Fitted, its box has the middle of the mesh's and is as large as 0.95 of it allows. The hierarchy
// gets a node above its root.
void placeSkeleton(Skeleton& skeleton, const SkeletonPlacement& placement, const Bounds& mesh);

} // namespace sinew
