// The initial weights of the default algorithm: bone glow's, sharpened, with what artists do
// that light does not: the nearest bone counts more, and the skin about the last bone of a chain
// belongs to that bone. The constants were chosen on sixteen models (docs/weights.md).
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/initial_weights.h"
#include "weights/visibility.h"

#include <span>
#include <vector>

namespace sinew {

// With L the light of a bone at a vertex (glow_initial_weights.h), d its distance and d' that of
// the nearest visible bone, and t how far along the bone the vertex is,
//
//     p = L^s (d' / d)^k e^(c clamp(t / t0, 0, 1)),   scaled to a sum of 1; c = 0 unless the bone
//                                                      is the last of its chain
//
// of which a share m is then given to bone heat's. Anchoring is bone heat's, times a constant,
// which is larger about the last bone of a chain. A meter gets stages up to kInitialWeightsEnd, and
// may throw Cancelled.
InitialWeights tunedInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                   const SurfaceRays& rays, ProgressMeter* meter = nullptr);

} // namespace sinew
