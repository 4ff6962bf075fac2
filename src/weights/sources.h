// Where weights come from before they spread: bone heat's and bone glow's initial weights, and how
// firmly a place holds to them.
//
// Bone heat (Baran and Popovic 2007, as told in Wareham and Lasenby 2008, section 2): a place
// belongs to its nearest visible bone, and holds to it by 1 / distance^2.
// Bone glow (Wareham and Lasenby 2008, equation 5): bones are lamps; a place belongs to each by the
// light it receives on its inner side; how firmly is as in bone heat.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/visibility.h"

#include <span>
#include <vector>

namespace sinew {

// Where looking for the sources ends in the whole of automaticWeights().
inline constexpr float kSourcesEnd = 0.5f;

struct WeightSources {
  // Per place: H_jj, 1 / square length; 0 where no bone is visible, and then there is no weight.
  std::vector<double> hold;
  // Per place the bones it belongs to at first: summing to 1, or none.
  std::vector<std::uint32_t> offsets{0};
  std::vector<Influence> values;

  std::span<const Influence> of(std::size_t place) const {
    return {values.data() + offsets[place], values.data() + offsets[place + 1]};
  }
};

// A meter gets a stage that ends at `stageEnd`, and may throw Cancelled; so for glowSources().
//
// Bones as near as the nearest, within a ten-thousandth, share a place. `rays` null: every bone is
// visible.
WeightSources heatSources(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          const SurfaceRays* rays, ProgressMeter* meter = nullptr,
                          float stageEnd = kSourcesEnd);

struct GlowOptions {
  std::uint32_t steps = 0; // the paper's: light summed at so many points of a bone; 0: integrated
  // Power of the light before it is made a share, p = L^s / sum L^s. 1: the paper's. Light falls
  // off as the inverse of the distance's square, so that many bones light every place; above 1 the
  // brightest have more of it.
  float sharpness = 1.0f;
};

// A place that no bone lights has the sources of bone heat.
WeightSources glowSources(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          const SurfaceRays& rays, const GlowOptions& options,
                          ProgressMeter* meter = nullptr);

// L_ij, the light a place with this outward normal receives from the stretch [from, to] of the
// bone's line, as distances from bone.from, all of it visible: equation 5 in closed form.
double lightOf(const BoneSegment& bone, const vec3& place, const vec3& normal, double from,
               double to);

// L_ij by `steps` points in the middles of equal parts, each seen or not.
double steppedLight(const BoneSegment& bone, const vec3& place, const vec3& normal,
                    const SurfaceRays& rays, std::uint32_t steps);

// L_ij over the visible stretches, found by rays and each integrated.
double visibleLight(const BoneSegment& bone, const vec3& place, const vec3& normal,
                    const SurfaceRays& rays);

} // namespace sinew
