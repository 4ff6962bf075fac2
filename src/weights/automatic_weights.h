// Automatic weights for a mesh and a skeleton: tuned to artists' weights, bone heat and bone glow,
// for arbitrary meshes, and the classical ones by distance. Every vertex gets weights that sum
// to 1.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/classical_weights.h"
#include "weights/pruning.h"
#include "weights/surface.h"

#include <span>
#include <string_view>
#include <vector>

namespace sinew {

enum class WeightAlgorithm : std::uint8_t {
  // Bone glow tuned to artists' weights (tuned_initial_weights.h), with rigid parts
  // (rigid_parts.h).
  automatic,
  boneHeat,
  boneGlow,
  // The next ones use distances alone (classical_weights.h): neither diffusion nor a proxy.
  envelopes,
  nearestBones,
  bonesBlending,
};

// What all but the classical ones are solved on.
enum class WeightProxy : std::uint8_t {
  none,      // the mesh itself
  voxel,     // a closed mesh of voxels in its place
  automatic, // voxels where much of the mesh sees no bone, or it is in open pieces
};

struct WeightOptions {
  WeightAlgorithm algorithm = WeightAlgorithm::automatic;
  std::uint32_t influences = 4; // the largest per vertex; 0: all
  Pruning pruning = Pruning::faded;
  bool diffusion = true;       // the classical algorithms ignore it
  std::uint32_t glowSteps = 0; // steps of bone glow; 0: closed form
  float glowSharpness = 1.0f;  // sharpness of bone glow; above 0; see GlowOptions
  WeightProxy proxy = WeightProxy::automatic;
  EnvelopeOptions envelopes = {};
  float distanceExponent = 4.0f; // exponent of nearest bones; above 0
  float jointReach = 0.5f; // reach of bones blending, a fraction of each bone; above 0, at most 0.5
};

// The origin of a vertex's weights.
enum class WeightFallback : std::uint8_t {
  none,           // the method
  nearestSurface, // the nearest point of a connected component that has weights
  nearestBone,    // the nearest bone: no vertex sees any bone
};

struct WeightReport {
  SurfaceRepairs repairs;
  std::size_t fromNearestSurface = 0; // vertices
  std::size_t fromNearestBone = 0;    // vertices
  std::size_t onRigidParts = 0;       // welded vertices; of the automatic algorithm alone
  float largestCut = 0.0f;            // weight that pruning moved at a vertex, of 1
  double meanCut = 0.0;
  float proxyCell = 0.0f; // edge length of a voxel; 0 where there was no proxy
  std::size_t proxyVertices = 0;
  double proxySeconds = 0.0;
  double visibilitySeconds = 0.0; // initial weights: rays, and the integral of bone glow
  double factorSeconds = 0.0;
  double solveSeconds = 0.0;
  double seconds = 0.0; // in total
};

struct AutomaticWeights {
  Influences influences; // per vertex by falling weight; joints are indices of bones, or joints
  std::vector<WeightFallback> fallbacks; // per vertex
  WeightReport report;
};

// Requires at least one bone. With jointOfBone, weights are per joint instead: the sum over its
// bones. Throws usageError for a bone that is farther from the mesh than 10,000 times its size,
// Error if memory does not suffice, and Cancelled: progress is called between and within all
// stages.
AutomaticWeights automaticWeights(std::span<const vec3> positions,
                                  std::span<const Triangle> triangles,
                                  std::span<const BoneSegment> bones, const WeightOptions& options,
                                  std::span<const std::uint32_t> jointOfBone = {},
                                  const Progress& progress = {});

} // namespace sinew
