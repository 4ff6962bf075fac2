#include "import/polygon_mesh.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;
using glm::dvec4;

// From corners to vertices in bind space.
void fillVertices(const PolygonMesh& source, const dmat4& bindFromMesh, MeshPart& part) {
  const bool mirrors = glm::determinant(dmat3(bindFromMesh)) < 0.0;
  const dmat3 cofactor = glm::transpose(glm::inverse(dmat3(bindFromMesh)));
  for (std::uint32_t& place : part.points) {
    const std::uint32_t corner = place;
    place = source.corners[corner];
    part.mesh.positions.emplace_back(bindFromMesh * dvec4(source.points[place], 1.0));
    if (!source.normals.empty()) {
      const dvec3 normal = cofactor * dvec3(source.normals[corner]);
      const double length = glm::length(normal);
      part.mesh.normals.push_back(length > 0.0 ? vec3(normal / length) : vec3(0.0f));
    }
    if (!source.tangents.empty()) {
      const vec4& tangent = source.tangents[corner];
      part.mesh.tangents.emplace_back(vec3(dmat3(bindFromMesh) * dvec3(vec3(tangent))),
                                      mirrors ? -tangent.w : tangent.w);
    }
    if (!source.texcoords.empty()) part.mesh.texcoords.push_back(source.texcoords[corner]);
    if (!source.texcoords1.empty()) part.mesh.texcoords1.push_back(source.texcoords1[corner]);
    if (!source.colors.empty()) part.mesh.colors.push_back(source.colors[corner]);
  }
}

using glm::dvec2;
using glm::dvec3;

std::vector<Triangle> fan(std::size_t count) {
  std::vector<Triangle> out;
  for (std::uint32_t i = 1; i + 1 < count; ++i)
    out.push_back({0, i, i + 1});
  return out;
}

dvec3 computeNormal(std::span<const dvec3> corners) {
  dvec3 normal(0.0);
  for (std::size_t i = 0; i < corners.size(); ++i)
    normal += glm::cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
  return normal;
}

// The corners seen against the normal, so that the polygon runs counter-clockwise.
std::vector<dvec2> flattened(std::span<const dvec3> corners, const dvec3& normal) {
  const dvec3 size = glm::abs(normal);
  const dvec3 other = size.x <= size.y && size.x <= size.z ? dvec3(1, 0, 0)
                      : size.y <= size.z                   ? dvec3(0, 1, 0)
                                                           : dvec3(0, 0, 1);
  const dvec3 u = glm::normalize(glm::cross(other, normal));
  const dvec3 v = glm::normalize(glm::cross(normal, u));
  std::vector<dvec2> out;
  for (const dvec3& corner : corners)
    out.emplace_back(glm::dot(corner, u), glm::dot(corner, v));
  return out;
}

// Twice that of a triangle: positive if it runs counter-clockwise.
double signedArea(const dvec2& a, const dvec2& b, const dvec2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Within or on the border of a triangle that runs counter-clockwise.
bool isInside(const dvec2& p, const dvec2& a, const dvec2& b, const dvec2& c) {
  return signedArea(a, b, p) >= 0.0 && signedArea(b, c, p) >= 0.0 && signedArea(c, a, p) >= 0.0;
}

// Whether all triangles of the fan run as the polygon does.
bool isFan(const std::vector<dvec2>& p) {
  for (std::size_t i = 1; i + 1 < p.size(); ++i)
    if (signedArea(p[0], p[i], p[i + 1]) < 0.0) return false;
  return true;
}

class EarCutter {
 public:
  explicit EarCutter(const std::vector<dvec2>& points) : points_(points), rest_(points.size()) {
    std::iota(rest_.begin(), rest_.end(), 0u);
  }

  std::vector<Triangle> cut() {
    std::vector<Triangle> out;
    std::size_t at = 0;
    while (rest_.size() > 3) {
      const std::size_t ear = findEar(at);
      out.push_back(triangleAt(ear));
      rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(ear));
      at = ear; // the next corner: ears all around rather than a fan
    }
    out.push_back({rest_[0], rest_[1], rest_[2]});
    return out;
  }

 private:
  Triangle triangleAt(std::size_t i) const {
    const std::size_t count = rest_.size();
    return {rest_[(i + count - 1) % count], rest_[i], rest_[(i + 1) % count]};
  }

  bool isEar(std::size_t i) const {
    const auto [a, b, c] = triangleAt(i);
    if (!(signedArea(points_[a], points_[b], points_[c]) > 0.0)) return false;
    return std::none_of(rest_.begin(), rest_.end(), [&, a = a, b = b, c = c](std::uint32_t p) {
      return p != a && p != b && p != c && points_[p] != points_[a] && points_[p] != points_[b] &&
             points_[p] != points_[c] && isInside(points_[p], points_[a], points_[b], points_[c]);
    });
  }

  // A polygon that crosses itself may have none: then any corner that is not reflex, or just any.
  std::size_t findEar(std::size_t from) const {
    const std::size_t count = rest_.size();
    for (std::size_t k = 0; k < count; ++k)
      if (isEar((from + k) % count)) return (from + k) % count;
    for (std::size_t i = 0; i < count; ++i) {
      const auto [a, b, c] = triangleAt(i);
      if (signedArea(points_[a], points_[b], points_[c]) >= 0.0) return i;
    }
    return 0;
  }

  const std::vector<dvec2>& points_;
  std::vector<std::uint32_t> rest_;
};

// Joins holes to a ring that runs counter-clockwise, one after another.
class HoleJoiner {
 public:
  HoleJoiner(const std::vector<dvec2>& points, std::size_t outer) : points_(points), ring_(outer) {
    std::iota(ring_.begin(), ring_.end(), 0u);
  }

  // Holes from the left to the right: none that is still to come lies left of a hole's leftmost
  // corner, so an edge from there to the ring crosses none.
  RingWithHoles join(std::vector<std::vector<std::uint32_t>> holes) {
    RingWithHoles out;
    const auto isLeft = [&](std::uint32_t a, std::uint32_t b) { return isBefore(a, b); };
    for (std::vector<std::uint32_t>& hole : holes) {
      std::rotate(hole.begin(), std::min_element(hole.begin(), hole.end(), isLeft), hole.end());
      double area = 0.0;
      for (std::size_t i = 0; i + 1 < hole.size(); ++i)
        area += signedArea(points_[hole[0]], points_[hole[i]], points_[hole[i + 1]]);
      if (area > 0.0) std::reverse(hole.begin() + 1, hole.end());
    }
    std::ranges::stable_sort(holes, isLeft, [](const auto& hole) { return hole.front(); });
    for (const std::vector<std::uint32_t>& hole : holes) {
      const std::optional<std::size_t> place = bridge(hole.front());
      if (!place) {
        ++out.omitted;
        continue;
      }
      std::vector<std::uint32_t> detour(hole);
      detour.push_back(hole.front());
      detour.push_back(ring_[*place]);
      ring_.insert(ring_.begin() + static_cast<std::ptrdiff_t>(*place) + 1, detour.begin(),
                   detour.end());
    }
    out.corners = std::move(ring_);
    return out;
  }

 private:
  bool isBefore(std::uint32_t a, std::uint32_t b) const {
    const dvec2& p = points_[a];
    const dvec2& q = points_[b];
    return p.x < q.x || (p.x == q.x && p.y < q.y);
  }

  // The nearest corner of the ring that sees the point.
  std::optional<std::size_t> bridge(std::uint32_t from) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < ring_.size(); ++i)
      if (!isBefore(from, ring_[i])) {
        const dvec2 way = points_[ring_[i]] - points_[from];
        order.emplace_back(glm::dot(way, way), i);
      }
    std::ranges::sort(order);
    for (const auto& [distance, i] : order)
      if (facesInside(i, from) && isClear(i, from)) return i;
    return std::nullopt;
  }

  // Whether the point lies within the angle that the ring has at its corner.
  bool facesInside(std::size_t i, std::uint32_t from) const {
    const std::size_t count = ring_.size();
    const dvec2& before = points_[ring_[(i + count - 1) % count]];
    const dvec2& here = points_[ring_[i]];
    const dvec2& after = points_[ring_[(i + 1) % count]];
    const bool leftOfBefore = signedArea(before, here, points_[from]) >= 0.0;
    const bool leftOfAfter = signedArea(here, after, points_[from]) >= 0.0;
    return signedArea(before, here, after) > 0.0 ? leftOfBefore && leftOfAfter
                                                 : leftOfBefore || leftOfAfter;
  }

  bool isClear(std::size_t i, std::uint32_t from) const {
    const dvec2& a = points_[from];
    const dvec2& b = points_[ring_[i]];
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      const dvec2& p = points_[ring_[k]];
      const dvec2& q = points_[ring_[(k + 1) % ring_.size()]];
      if (p == b || q == b || p == a || q == a) continue;
      const double sideOfP = signedArea(a, b, p);
      const double sideOfQ = signedArea(a, b, q);
      const bool parts = (sideOfP < 0.0) != (sideOfQ < 0.0);
      if (parts && (signedArea(p, q, a) < 0.0) != (signedArea(p, q, b) < 0.0)) return false;
    }
    return true;
  }

  const std::vector<dvec2>& points_;
  std::vector<std::uint32_t> ring_;
};

} // namespace

std::vector<MeshPart> partsByMaterial(const PolygonMesh& mesh, const dmat4& bindFromMesh) {
  std::map<std::uint32_t, MeshPart> parts;
  std::vector<dvec3> corners;
  for (std::size_t i = 0; i < mesh.polygonCount(); ++i) {
    const std::uint32_t material = mesh.materials.empty() ? 0 : mesh.materials[i];
    MeshPart& part = parts[material];
    part.mesh.material = material;
    const std::uint32_t first = mesh.polygons[i];
    corners.clear();
    for (std::uint32_t c = first; c < mesh.polygons[i + 1]; ++c)
      corners.push_back(mesh.points[mesh.corners[c]]);
    const auto base = static_cast<std::uint32_t>(part.points.size());
    for (const Triangle& t : triangulatePolygon(corners))
      part.mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    for (std::uint32_t c = first; c < mesh.polygons[i + 1]; ++c)
      part.points.push_back(c); // corners, until the vertices are filled
  }
  std::vector<MeshPart> out;
  out.reserve(parts.size());
  for (auto& [material, part] : parts) {
    fillVertices(mesh, bindFromMesh, part);
    out.push_back(std::move(part));
  }
  return out;
}

void addMorph(std::uint32_t target, const std::vector<glm::dvec3>& offsets, MeshPart& part) {
  MorphOffsets out;
  out.target = target;
  for (std::uint32_t v = 0; v < part.points.size(); ++v)
    if (const glm::dvec3& offset = offsets[part.points[v]]; offset != glm::dvec3(0.0)) {
      out.vertices.push_back(v);
      out.positions.emplace_back(offset);
    }
  if (!out.vertices.empty()) part.mesh.morphs.push_back(std::move(out));
}

void flipTriangles(Mesh& mesh) {
  for (Triangle& triangle : mesh.triangles)
    std::swap(triangle[1], triangle[2]);
}

RingWithHoles joinHoles(std::span<const dvec3> corners, std::span<const std::size_t> ends) {
  const std::size_t outer = ends.front();
  const dvec3 normal = computeNormal(corners.first(outer));
  const double length = glm::length(normal);
  std::vector<std::vector<std::uint32_t>> holes;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] - ends[i - 1] < 3) continue;
    holes.emplace_back(ends[i] - ends[i - 1]);
    std::iota(holes.back().begin(), holes.back().end(), static_cast<std::uint32_t>(ends[i - 1]));
  }
  if (!(length > 0.0) || !std::isfinite(length) ||
      corners.size() + 2 * holes.size() > kMaxEarCorners) {
    RingWithHoles out{std::vector<std::uint32_t>(outer), holes.size()};
    std::iota(out.corners.begin(), out.corners.end(), 0u);
    return out;
  }
  const std::vector<dvec2> flat = flattened(corners, normal / length);
  return HoleJoiner(flat, outer).join(std::move(holes));
}

std::vector<Triangle> triangulatePolygon(std::span<const dvec3> corners) {
  if (corners.size() <= 3 || corners.size() > kMaxEarCorners) return fan(corners.size());
  const dvec3 normal = computeNormal(corners);
  const double length = glm::length(normal);
  if (!(length > 0.0) || !std::isfinite(length)) return fan(corners.size());
  const std::vector<dvec2> flat = flattened(corners, normal / length);
  return isFan(flat) ? fan(corners.size()) : EarCutter(flat).cut();
}

} // namespace sinew
