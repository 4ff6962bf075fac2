// Bone heat (Baran and Popovic 2007, as described in Wareham and Lasenby 2008, section 2): a vertex
// belongs to its nearest visible bone and is anchored to it by 1 / distance^2.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/initial_weights.h"
#include "weights/visibility.h"

#include <span>

namespace sinew {

// A bone is visible if the segment to its nearest point crosses no surface and leads inside
// (inside.h); a vertex that sees none so takes one that it sees from outside. Bones at the
// same distance as the nearest, within a ten-thousandth, share a vertex. `rays` null: every bone is
// visible. A meter gets a stage that ends at `stageEnd`, and may throw Cancelled.
InitialWeights heatInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                  const SurfaceRays* rays, ProgressMeter* meter = nullptr,
                                  float stageEnd = kInitialWeightsEnd);

} // namespace sinew
