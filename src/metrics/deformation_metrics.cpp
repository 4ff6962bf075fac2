#include "metrics/deformation_metrics.h"

#include <array>

namespace sinew {

std::span<const Metric> allMetrics() {
  using enum Metric::Worse;
  using F = DeformationMetrics;
  static const std::array kMeasures = {
      Metric{"volume", "smallest_volume", "smallest volume", "volume min", "x bind", 3, lower,
             false, false, &F::volume,
             "What the region's skin encloses, its open ends closed by fans, over the same in the "
             "bind pose, where that is smallest: volume lost."},
      Metric{"volume", "largest_volume", "largest volume", "volume max", "x bind", 3, higher, false,
             false, &F::volume, "The same where it is largest: skin that bulges."},
      Metric{"cross_section", "smallest_cross_section", "smallest cross-section", "section min",
             "x bind", 3, lower, false, false, &F::crossSection,
             "Slices of the surface across the bone: the mean radius over that of the same slice "
             "in the bind pose, of the slice that shrinks most. 1 keeps a limb's thickness, 0 is "
             "a candy wrapper."},
      Metric{"stretch", "largest_stretch", "largest stretch", "stretch", "x bind", 2, higher, false,
             false, &F::stretch, "The length of the edge that grows most over its length at bind."},
      Metric{"curvature", "largest_curvature", "largest curvature", "curvature", "deg", 1, higher,
             false, false, &F::curvature,
             "The angle between the normals of two triangles that share an edge, where it is "
             "largest. The bind pose has sharp edges of its own."},
      Metric{"folded", "largest_folded", "most folded", "folded", "share", 4, higher, false, false,
             &F::folded,
             "Share of the edges, by length, at which that angle is over 60 degrees larger than in "
             "the bind pose: skin folded over itself."},
      Metric{"flipped", "largest_flipped", "most flipped", "flipped", "share", 4, higher, true,
             false, &F::flipped,
             "Share of the triangles that face the other way than by linear blending in the same "
             "pose."},
      Metric{"self_intersections", "most_self_intersections", "most self-intersections",
             "crossings", "pairs", 0, higher, false, true, &F::selfIntersections,
             "Pairs of triangles that pass through one another and do not in the bind pose."},
      Metric{"distance", "largest_distance", "largest distance", "distance", "x size", 4, higher,
             true, false, &F::distance,
             "How far the farthest vertex is from where linear blending puts it, over the model's "
             "size (the diagonal of its bounding box)."},
      Metric{"mean_distance", "largest_mean_distance", "largest mean distance", "mean distance",
             "x size", 4, higher, true, true, &F::meanDistance,
             "The same, the mean of all vertices."},
      Metric{"beyond", "largest_beyond", "most beyond", "beyond", "share", 4, higher, true, true,
             &F::beyond,
             "Share of the vertices farther from where linear blending puts them than the share of "
             "the model's size that was asked for."},
  };
  return kMeasures;
}

} // namespace sinew
