// Exact normals on the CPU (docs/methods.md, section 8): the cross product of how a vertex moves
// along two tangents of the bind surface, over which the weights and parameters of its attachments
// change too. The reference of shaders/common/attachments.glsl.
#pragma once

#include "skinning/binding.h"
#include "skinning/surface_gradients.h"

#include <array>
#include <span>

namespace sinew {

struct JointBinding;
struct MorphedVertices;

// Attributes gradient0..: per attachment (weight by u, by v, parameter by u, by v), or the last two
// alone where a vertex has one attachment. gradients: one per value of joints.attachments.
void appendGradients(const JointBinding& joints, std::span<const AttachmentGradient> gradients,
                     Binding& binding);

// After morph targets have moved vertices: the gradients of `bound` in the tangents of the new
// normals, written to `out`, a copy of it. Nothing without exact normals.
void morphGradients(const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                    Binding& out);

// How one attachment moves a vertex.
struct AttachmentMotion {
  vec3 position{0.0f};
  vec3 alongU{0.0f}, alongV{0.0f}; // of the tangents, weight and parameter held
  vec3 velocity{0.0f};             // of the vertex with its parameter
  bool mirrors = false;            // turns the surface inside out
};

// Reads a binding's gradients.
class ExactNormals {
 public:
  explicit ExactNormals(const Binding& binding);

  // The skinned surface's normal, unit or zero, from the motions by all attachments.
  vec3 normal(std::size_t vertex, std::span<const AttachmentMotion> motions,
              const vec3& weights) const;
  // Whether the tangents fall together or their parts cancel, so that the normal is mostly
  // rounding.
  bool unstable(std::size_t vertex, std::span<const AttachmentMotion> motions,
                const vec3& weights) const;

 private:
  struct Tangents {
    vec3 u{0.0f}, v{0.0f};
    float lengthU = 0.0f, lengthV = 0.0f; // sums of the lengths of their parts
  };
  Tangents tangents(std::size_t vertex, std::span<const AttachmentMotion> motions,
                    const vec3& weights) const;

  std::array<const Attribute*, 3> gradients_{};
};

} // namespace sinew
