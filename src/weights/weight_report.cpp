#include "weights/weight_report.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

std::vector<Repaired> repairedOf(const SurfaceRepairs& r) {
  return {{"non_finite_vertices", r.nonFiniteVertices, "vertices without a finite position"},
          {"welded_vertices", r.weldedVertices, "vertices at the position of another, welded"},
          {"degenerate_triangles", r.degenerateTriangles, "triangles without area, dropped"},
          {"repeated_triangles", r.repeatedTriangles, "duplicate triangles, dropped"},
          {"flipped_triangles", r.flippedTriangles, "triangles wound against the rest, flipped"},
          {"non_manifold_edges", r.nonManifoldEdges, "edges of three triangles or more"},
          {"open_edges", r.openEdges, "edges of one triangle"},
          {"loose_vertices", r.looseVertices, "vertices of no triangle"}};
}

std::vector<std::string> odditiesOf(const WeightReport& report) {
  std::vector<std::string> out;
  for (const Repaired& each : repairedOf(report.repairs))
    if (each.count > 0) out.push_back(fmt::format("{} {}", each.count, each.text));
  if (report.fromNearestSurface > 0)
    out.push_back(fmt::format("{} vertices see no bone: weights of the nearest surface",
                              report.fromNearestSurface));
  if (report.fromNearestBone > 0)
    out.push_back(fmt::format("{} vertices, where nothing sees a bone: the nearest bone",
                              report.fromNearestBone));
  return out;
}

std::size_t countUnweighted(const Influences& influences) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v) {
    float sum = 0.0f;
    for (const Influence& influence : influences.of(v))
      sum += influence.weight;
    if (!(std::abs(sum - 1.0f) < 1e-4f)) ++count;
  }
  return count;
}

std::string_view wordOf(WeightAlgorithm algorithm) {
  return algorithm == WeightAlgorithm::boneHeat ? "bone-heat" : "bone-glow";
}

std::string_view titleOf(WeightAlgorithm algorithm) {
  return algorithm == WeightAlgorithm::boneHeat ? "Bone heat" : "Bone glow";
}

} // namespace sinew
