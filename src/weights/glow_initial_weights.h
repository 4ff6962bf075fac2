// Bone glow (Wareham and Lasenby 2008, equation 5): bones are light sources; a vertex belongs to
// each by the light it receives on its inner side. Anchoring is that of bone heat.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/initial_weights.h"
#include "weights/visibility.h"

#include <cstdint>
#include <span>

namespace sinew {

struct GlowOptions {
  std::uint32_t steps =
      0; // as in the paper: light summed at so many points of a bone; 0: integrated
  // Exponent s of the light before normalisation, p = L^s / sum L^s. 1: the paper's. Light falls
  // off with the squared distance, so many bones light every vertex; above 1 the brightest
  // dominate.
  float sharpness = 1.0f;
};

// A vertex that no bone lights has the initial weights of bone heat. A meter gets stages up to
// kInitialWeightsEnd, and may throw Cancelled.
InitialWeights glowInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                  const SurfaceRays& rays, const GlowOptions& options,
                                  ProgressMeter* meter = nullptr);

// L_ij, the light that a point with this outward normal receives from the part [from, to] of the
// bone's line, as distances from bone.from, without occlusion: equation 5 in closed form.
double computeLight(const BoneSegment& bone, const vec3& point, const vec3& normal, double from,
                    double to);

// L_ij by `steps` points at the middles of equal parts, each visible or not.
double steppedLight(const BoneSegment& bone, const vec3& point, const vec3& normal,
                    const SurfaceRays& rays, std::uint32_t steps);

// L_ij over the visible parts, found by rays and each integrated.
double visibleLight(const BoneSegment& bone, const vec3& point, const vec3& normal,
                    const SurfaceRays& rays);

} // namespace sinew
