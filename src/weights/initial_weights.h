// Initial weights, from which weights spread over the surface (diffusion.h): per welded vertex the
// bones it belongs to, and how firmly it is anchored to these weights. Here those of bone heat;
// bone glow's (glow_initial_weights.h) and the default ones (tuned_initial_weights.h) begin with
// them.
#pragma once

#include "core/lists.h"
#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/surface.h"
#include "weights/visibility.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The fraction of automaticWeights()'s progress at which the initial weights are complete.
inline constexpr float kInitialWeightsEnd = 0.5f;

// Per welded vertex its bones: weights that sum to 1, or none.
struct InitialWeights : Lists<Influence> {
  // Per welded vertex: H_jj, 1 / square length; 0 where no bone is visible, and then no weights.
  std::vector<double> anchoring;
};

// Bone heat (Baran and Popovic 2007, as described in Wareham and Lasenby 2008, section 2): a vertex
// belongs to its nearest visible bone and is anchored to it by 1 / distance^2.
//
// A bone is visible if the segment to its nearest point crosses no surface and leads inside
// (SurfaceSides); a vertex that sees none so takes one that it sees from outside. Bones at the
// same distance as the nearest, within a ten-thousandth, share a vertex. `rays` null: every bone is
// visible. A meter gets a stage that ends at `stageEnd`, and may throw Cancelled.
InitialWeights heatInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                  const SurfaceRays* rays, ProgressMeter* meter = nullptr,
                                  float stageEnd = kInitialWeightsEnd);

// The triangles about every welded vertex, for whether a segment that leaves a vertex and meets the
// surface nowhere else lies within it: bone heat asks that of the way to a bone (Wareham and
// Lasenby 2008, section 2). Keeps a reference to the surface.
class SurfaceSides {
 public:
  explicit SurfaceSides(const WeightSurface& surface);

  // Whether a short step from the vertex towards `to` ends within the surface: behind the nearest
  // of the vertex's triangles, whose windings point outwards. A segment that crosses nothing stays
  // on that side, so this is exact where the surface is closed. At a loose vertex, which has no
  // side, and where both points are the same, true.
  bool leadsInside(std::uint32_t welded, const vec3& to) const;

 private:
  const WeightSurface& surface_;
  std::vector<std::uint32_t> offsets_, triangles_; // vertex v's triangles begin at offsets_[v]
};

} // namespace sinew
