#include "weights/weight_report.h"

#include <fmt/format.h>

namespace sinew {

std::vector<Repaired> repairedOf(const SurfaceRepairs& r) {
  return {{"non_finite_vertices", r.nonFiniteVertices, "vertices without a finite place"},
          {"welded_vertices", r.weldedVertices, "vertices at the place of another, joined"},
          {"degenerate_triangles", r.degenerateTriangles, "triangles without area, left out"},
          {"repeated_triangles", r.repeatedTriangles, "triangles there twice, left out"},
          {"turned_triangles", r.turnedTriangles, "triangles wound against the rest, turned"},
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

std::string_view wordOf(WeightAlgorithm algorithm) {
  return algorithm == WeightAlgorithm::boneHeat ? "bone-heat" : "bone-glow";
}

std::string_view titleOf(WeightAlgorithm algorithm) {
  return algorithm == WeightAlgorithm::boneHeat ? "Bone heat" : "Bone glow";
}

} // namespace sinew
