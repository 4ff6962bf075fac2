// Weights for a mesh and a skeleton that have none: bone heat and bone glow, for meshes as they
// come. Whatever the mesh, every vertex gets weights that sum to 1.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/pruning.h"
#include "weights/surface.h"

#include <span>
#include <string_view>
#include <vector>

namespace sinew {

enum class WeightAlgorithm { boneHeat, boneGlow };

struct WeightOptions {
  WeightAlgorithm algorithm = WeightAlgorithm::boneGlow;
  std::uint32_t influences = 4; // kept per vertex, the largest; 0: all
  Pruning pruning = Pruning::faded;
  bool diffusion = true;
  std::uint32_t glowSteps = 0; // 0: closed form
  float glowSharpness = 1.0f;  // above 0; see GlowOptions
};

// How a vertex came to its weights where the method itself gives none.
enum class WeightFallback : std::uint8_t {
  none,           // by the method
  nearestSurface, // those of the nearest point of a shell that has weights
  nearestBone,    // nothing sees any bone: the nearest
};

struct WeightReport {
  SurfaceRepairs repairs;
  std::size_t fromNearestSurface = 0; // vertices, as the next
  std::size_t fromNearestBone = 0;
  float largestCut = 0.0f; // weight that pruning moved at a vertex, of 1
  double meanCut = 0.0;
  double visibilitySeconds = 0.0; // sources: rays, and the integral of bone glow
  double factorSeconds = 0.0;
  double solveSeconds = 0.0;
  double seconds = 0.0; // all of it
};

struct AutomaticWeights {
  Influences influences; // per vertex by falling weight; joints are indices of bones, or joints
  std::vector<WeightFallback> fallbacks; // per vertex
  WeightReport report;
};

// At least one bone. With jointOfBone, weights are those of joints instead: of all its bones
// together. Throws Error where memory does not suffice, and Cancelled: progress is asked between
// and within all stages but the factorisation, which is one step.
AutomaticWeights automaticWeights(std::span<const vec3> positions,
                                  std::span<const Triangle> triangles,
                                  std::span<const BoneSegment> bones, const WeightOptions& options,
                                  std::span<const std::uint32_t> jointOfBone = {},
                                  const Progress& progress = {});

} // namespace sinew
