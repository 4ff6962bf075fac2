// Exact normals on the CPU (docs/methods.md, section 8): the cross product of how a vertex moves
// along two tangents of the bind surface, over which the weights and parameters of its attachments
// change too. The reference of shaders/common/exact_normal.glsl.
#pragma once

#include "skinning/binding.h"
#include "skinning/surface_gradients.h"

#include <array>
#include <span>

namespace sinew {

struct JointBinding;
struct MorphedVertices;
struct SkinnedMesh;

// Attributes gradient0..: per attachment (weight by u, by v, parameter by u, by v), or the last two
// alone where a vertex has one attachment and all of the surface. gradients: one per value of
// joints.attachments.
void appendGradients(const JointBinding& joints, std::span<const AttachmentGradient> gradients,
                     Binding& binding);

// After morph targets have moved vertices: the gradients of `bound` in the tangents of the new
// normals, written to `out`, a copy of it. Nothing without exact normals.
void morphGradients(const Rig& rig, const Binding& bound, const MorphedVertices& morphed,
                    Binding& out);

// How one attachment moves a vertex.
struct AttachmentMotion {
  vec3 position{0.0f};
  vec3 alongU{0.0f}, alongV{0.0f}; // the moved tangents, weight and parameter held
  vec3 velocity{0.0f};             // change of the position with the parameter
  bool mirrors = false;            // turns the surface inside out
};

// How a method moves a vertex and the surface about it, on which it has a share.
struct SurfaceMotion {
  vec3 position{0.0f};
  vec3 start{0.0f};      // origin from which u and v count positions
  vec3 u{0.0f}, v{0.0f}; // the moved tangents, times the share
  vec2 growth{0.0f};     // derivatives of the share, by which `start` counts
  bool mirrors = false;

  // The surface's normal, unit or zero.
  vec3 normal() const;
  // Whether the tangents fall together, so that the normal is mostly rounding.
  bool unstable() const;
};

// motions: by a method that has all of the surface.
void takePositionsAndNormals(std::span<const SurfaceMotion> motions, SkinnedMesh& out);

// Reads a binding's gradients.
class ExactNormals {
 public:
  explicit ExactNormals(const Binding& binding);

  // By the motions of all attachments; without a position.
  SurfaceMotion surface(std::size_t vertex, std::span<const AttachmentMotion> motions,
                        const vec3& weights, float share = 1.0f) const;

 private:
  std::array<const Attribute*, 3> gradients_{};
};

} // namespace sinew
