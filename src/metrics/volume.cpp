#include "metrics/volume.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

using glm::dvec3;

// Disjoint sets of vertices.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t v) {
    while (parent_[v] != v)
      v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// The directed edges without a matching opposite edge, with multiplicity: a sum of cycles.
std::vector<RimEdge> unansweredEdges(std::span<const Triangle> triangles) {
  std::map<WeldedEdge, int> balance; // by the edge's lower end first
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      if (a != b) balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  std::vector<RimEdge> open;
  for (const auto& [edge, count] : balance) {
    const RimEdge answer =
        count > 0 ? RimEdge{edge.second, edge.first} : RimEdge{edge.first, edge.second};
    open.insert(open.end(), static_cast<std::size_t>(std::abs(count)), answer);
  }
  return open;
}

double tetrahedron(const dvec3& a, const dvec3& b, const dvec3& c) {
  return glm::dot(a, glm::cross(b, c)) / 6.0;
}

} // namespace

Region makeRegion(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                  std::span<const std::uint32_t> welded) {
  Region region;
  for (const std::uint32_t index : listed) {
    const auto [a, b, c] = triangles[index];
    region.triangles.push_back({welded[a], welded[b], welded[c]});
  }
  const std::vector<RimEdge> open = unansweredEdges(region.triangles);
  Sets sets(welded.size());
  for (const auto& [a, b] : open)
    sets.join(a, b);
  std::map<std::uint32_t, std::vector<RimEdge>> rims;
  for (const RimEdge& edge : open)
    rims[sets.find(edge[0])].push_back(edge);
  for (const auto& [name, rim] : rims)
    region.rims.push_back(rim);
  return region;
}

std::vector<Region> connectedParts(std::span<const Triangle> triangles,
                                   std::span<const std::uint32_t> welded) {
  Sets sets(welded.size());
  for (const auto& [a, b, c] : triangles) {
    sets.join(welded[a], welded[b]);
    sets.join(welded[b], welded[c]);
  }
  std::map<std::uint32_t, std::size_t> indexByVertex;
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    const auto [entry, isNew] =
        indexByVertex.emplace(sets.find(welded[triangles[i][0]]), lists.size());
    if (isNew) lists.emplace_back();
    lists[entry->second].push_back(i);
  }
  std::vector<Region> parts;
  parts.reserve(lists.size());
  for (const auto& list : lists)
    parts.push_back(makeRegion(triangles, list, welded));
  return parts;
}

double computeVolume(const Region& region, std::span<const vec3> positions) {
  if (region.triangles.empty()) return 0.0;
  // From a nearby corner rather than the origin, which avoids cancellation of large terms.
  const dvec3 origin(positions[region.triangles[0][0]]);
  const auto at = [&](std::uint32_t v) { return dvec3(positions[v]) - origin; };
  double volume = 0.0;
  for (const auto& [a, b, c] : region.triangles)
    volume += tetrahedron(at(a), at(b), at(c));
  for (const auto& rim : region.rims) {
    dvec3 middle(0.0);
    for (const auto& [a, b] : rim)
      middle += at(a) / static_cast<double>(rim.size());
    for (const auto& [a, b] : rim)
      volume += tetrahedron(at(a), at(b), middle);
  }
  return volume;
}

} // namespace sinew
