// Parts of a glTF file that are written alike for a new file and for one that is patched.
#pragma once

#include "export/glb_buffer.h"
#include "export/node_constraint.h"
#include "model/model.h"

#include <span>
#include <vector>

namespace sinew {

// Indices of the file's nodes, per node of the model.
using FileNodes = std::vector<std::size_t>;

// A node's place; name and place of a new node.
void setPlace(const Transform& rest, GltfJson& node);
GltfJson nodeJson(const Node& node);

// VRMC_node_constraint 1.0.
void addConstraints(std::span<const NodeConstraint> constraints, const FileNodes& nodes,
                    GltfJson& file);

// Free splines, which the format does not have (import/gltf/steps.h).
GltfJson splinesJson(const Model& model, const FileNodes& nodes);

// A mesh of the file whose weights clips may move.
struct MorphingMesh {
  std::size_t node = 0;
  std::vector<std::uint32_t> targets; // indices into the model's morph targets, in the file's order
};

// As samplers name it: "STEP", "LINEAR" or "CUBICSPLINE".
const char* toString(Interpolation interpolation);

// Appends channels and samplers to an animation.
void addNodeTrack(const Track<vec3>& track, std::size_t node, const char* path, GlbBuffer& buffer,
                  GltfJson& animation);
void addNodeTrack(const Track<quat>& track, std::size_t node, GlbBuffer& buffer,
                  GltfJson& animation);
void addWeightTrack(const Model& model, const MorphingMesh& mesh, const Clip& clip,
                    GlbBuffer& buffer, GltfJson& animation);
// What glTF does not have, as extras of the animation; an animation needs a channel besides.
void addTwists(const Model& model, const FileNodes& nodes, const Clip& clip, GlbBuffer& buffer,
               GltfJson& animation);

// A whole clip; without channels where it moves nothing.
GltfJson animationJson(const Model& model, const FileNodes& nodes,
                       std::span<const MorphingMesh> morphing, const Clip& clip, GlbBuffer& buffer);

// The inverse bind matrices of a skin, times a matrix on the right.
std::size_t addInverseBinds(std::span<const SkinJoint> joints, const mat4& modelFromFile,
                            GlbBuffer& buffer);

} // namespace sinew
