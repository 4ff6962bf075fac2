#include "tools/figures/bones_blending/split_alone.h"

#include "rig/subdivide.h"

#include <glm/geometric.hpp>
#include <glm/gtc/type_precision.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge getEdge(const Triangle& t, std::size_t i) {
  return std::minmax(t[i], t[(i + 1) % 3]);
}

// The vertex in the middle of each edge. The pieces of subdivide(), four to a triangle and in its
// order, begin with (corner, middle, middle).
std::map<Edge, std::uint32_t> mapEdgeMiddles(std::span<const Triangle> whole, const Mesh& split) {
  std::map<Edge, std::uint32_t> middles;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      middles[getEdge(whole[i], k)] = split.triangles[4 * i + k][1];
  return middles;
}

} // namespace

SplitAlone splitAlone(const Mesh& mesh, std::span<const std::uint32_t> triangles) {
  Mesh part = mesh;
  part.triangles.clear();
  std::vector<bool> listed(mesh.triangles.size(), false);
  for (const std::uint32_t i : triangles) {
    part.triangles.push_back(mesh.triangles[i]);
    listed[i] = true;
  }
  std::vector<std::uint32_t> all(part.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  SplitAlone out{subdivide(part, all, Subdivision::midpoints), {}};
  const std::map<Edge, std::uint32_t> middles = mapEdgeMiddles(part.triangles, out.mesh);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (listed[i]) continue;
    out.mesh.triangles.push_back(mesh.triangles[i]);
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto found = middles.find(getEdge(mesh.triangles[i], k)); found != middles.end())
        out.tVertices.push_back({found->first.first, found->first.second, found->second});
  }
  return out;
}

float widestCrack(std::span<const TVertex> tVertices, std::span<const vec3> posed) {
  float widest = 0.0f;
  for (const auto& [a, b, middle] : tVertices) {
    const vec3 along = posed[b] - posed[a];
    const float t = glm::dot(posed[middle] - posed[a], along) / glm::dot(along, along);
    const vec3 nearest = posed[a] + std::clamp(t, 0.0f, 1.0f) * along;
    widest = std::max(widest, glm::distance(posed[middle], nearest));
  }
  return widest;
}

double slenderness(const vec3& a, const vec3& b, const vec3& c) {
  const glm::dvec3 p(a), q(b), r(c);
  const double x = glm::distance(q, r), y = glm::distance(r, p), z = glm::distance(p, q);
  const double twiceArea = glm::length(glm::cross(q - p, r - p));
  // R = xyz / (4 area), r = 2 area / (x + y + z).
  return x * y * z * (x + y + z) / (2.0 * twiceArea * twiceArea);
}

} // namespace sinew
