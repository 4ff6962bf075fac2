#include "weights/weight_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

std::vector<Repaired> listRepairs(const SurfaceRepairs& r) {
  return {{"non_finite_vertices", r.nonFiniteVertices, "vertices without a finite position"},
          {"welded_vertices", r.weldedVertices, "vertices at the position of another, welded"},
          {"degenerate_triangles", r.degenerateTriangles, "triangles without area, dropped"},
          {"repeated_triangles", r.repeatedTriangles, "duplicate triangles, dropped"},
          {"flipped_triangles", r.flippedTriangles, "triangles wound against the rest, flipped"},
          {"non_manifold_edges", r.nonManifoldEdges, "edges of three triangles or more"},
          {"open_edges", r.openEdges, "edges of one triangle"},
          {"loose_vertices", r.looseVertices, "vertices of no triangle"}};
}

std::vector<std::string> listAnomalies(const WeightReport& report) {
  std::vector<std::string> out;
  for (const Repaired& each : listRepairs(report.repairs))
    if (each.count > 0) out.push_back(fmt::format("{} {}", each.count, each.text));
  if (report.proxyVertices > 0)
    out.push_back(fmt::format("solved on voxels with edges of {:.3g} ({} vertices) in the mesh's "
                              "place",
                              static_cast<double>(report.proxyCell), report.proxyVertices));
  if (report.fromNearestSurface > 0)
    out.push_back(fmt::format("{} vertices see no bone: weights of the nearest surface",
                              report.fromNearestSurface));
  if (report.fromNearestBone > 0)
    out.push_back(fmt::format("{} vertices, where nothing sees a bone: the nearest bone",
                              report.fromNearestBone));
  if (report.onRigidParts > 0)
    out.push_back(fmt::format("{} vertices on parts that no joint bends: each follows one joint, "
                              "or the skin it is fastened to, as a whole",
                              report.onRigidParts));
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

std::span<const WeightAlgorithmEntry> weightAlgorithms() {
  static constexpr std::array<WeightAlgorithmEntry, 6> kEntries{
      {{WeightAlgorithm::automatic, "auto", "Automatic",
        "nearest to artists' weights on models it was not tuned on; helmets, weapons and other "
        "parts that no joint bends stay rigid",
        true},
       {WeightAlgorithm::boneGlow, "bone-glow", "Bone glow",
        "a vertex belongs to every bone whose light falls on the inner side of its surface "
        "(Wareham and Lasenby 2008)",
        true},
       {WeightAlgorithm::boneHeat, "bone-heat", "Bone heat",
        "a vertex belongs to its nearest visible bone (Baran and Popovic 2007)", true},
       {WeightAlgorithm::envelopes, "envelopes", "Envelopes",
        "a vertex belongs to the bones whose envelopes, zones about them, it is in", false},
       {WeightAlgorithm::nearestBones, "nearest-bones", "Nearest bones",
        "a vertex belongs to the nearest bones by a power of their distances", false},
       {WeightAlgorithm::bonesBlending, "bones-blending", "Bones blending",
        "a vertex belongs to the nearest bone, around a joint to both of its bones (Kavan and "
        "Zara 2003)",
        false}}};
  return kEntries;
}

const WeightAlgorithmEntry& findEntry(WeightAlgorithm algorithm) {
  const auto entries = weightAlgorithms();
  return *std::find_if(entries.begin(), entries.end(), [&](const WeightAlgorithmEntry& entry) {
    return entry.algorithm == algorithm;
  });
}

std::string_view toString(WeightAlgorithm algorithm) {
  return findEntry(algorithm).word;
}

std::string_view makeTitle(WeightAlgorithm algorithm) {
  return findEntry(algorithm).title;
}

std::string_view toString(WeightProxy proxy) {
  return proxy == WeightProxy::none ? "none" : proxy == WeightProxy::voxel ? "voxel" : "auto";
}

} // namespace sinew
