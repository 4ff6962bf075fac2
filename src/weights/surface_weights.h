// The weights that spread over the surface, at every welded vertex of a surface: initial weights,
// diffusion, and for vertices that neither reaches the nearest surface or bone. Nothing is pruned.
#pragma once

#include "core/progress.h"
#include "weights/automatic_weights.h"
#include "weights/diffusion.h"
#include "weights/visibility.h"

#include <span>
#include <vector>

namespace sinew {

struct SurfaceWeights {
  std::vector<std::vector<Influence>> weights; // per welded vertex: positive, at least one
  std::vector<WeightFallback> fallbacks;       // per welded vertex
};

// The influences are bones. The algorithm must not be a classical one. Adds its time to the report.
InitialWeights initialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                              const WeightOptions& options, WeightReport& report,
                              ProgressMeter& meter);

// Starts from these initial weights. The influences are bones, or joints where jointOfBone is
// given. Adds its times to the report. Throws as automaticWeights().
SurfaceWeights surfaceWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                              InitialWeights initial, const WeightOptions& options,
                              std::span<const std::uint32_t> jointOfBone, WeightReport& report,
                              ProgressMeter& meter);

// The weights at a point of a triangle: the corners' weights, interpolated.
std::vector<Influence> weightsAt(const WeightSurface& surface,
                                 std::span<const std::vector<Influence>> weights,
                                 const ClosestPoint& point);

// The weights of every welded vertex of a solved field; vertices whose weights are 0 have none.
std::vector<std::vector<Influence>> weightsOfField(const WeightField& field);

} // namespace sinew
