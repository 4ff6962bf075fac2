#include "weights/triangle_tree.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

constexpr std::uint32_t kLeaf = 4; // triangles at most

// The part of the ray within the box, rounded outwards so that a flat box is not missed.
bool meetsBox(const Bounds& box, const vec3& origin, const vec3& inverse, float from, float to) {
  constexpr float kOutward = 1.0f + 8.0f * std::numeric_limits<float>::epsilon();
  for (int axis = 0; axis < 3; ++axis) {
    float near = (box.min[axis] - origin[axis]) * inverse[axis];
    float far = (box.max[axis] - origin[axis]) * inverse[axis];
    if (near > far) std::swap(near, far);
    // 0 times infinity says nothing: the origin lies in the plane of a side.
    if (!std::isnan(near)) from = std::max(from, near / (near > 0.0f ? kOutward : 1.0f / kOutward));
    if (!std::isnan(far)) to = std::min(to, far * (far > 0.0f ? kOutward : 1.0f / kOutward));
  }
  return from <= to;
}

// Tests the ray's side of each edge (Plücker coordinates): the two triangles of an edge get the
// same number with opposite signs, so that no ray passes between them.
bool meetsTriangle(const std::array<glm::dvec3, 3>& corners, const glm::dvec3& direction,
                   double from, double to) {
  const auto side = [&](const glm::dvec3& a, const glm::dvec3& b) {
    return glm::dot(direction, glm::cross(a, b));
  };
  const double u = side(corners[1], corners[2]), v = side(corners[2], corners[0]),
               w = side(corners[0], corners[1]);
  const bool within = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
  const double sum = u + v + w;
  if (!within || sum == 0.0) return false;
  const glm::dvec3 point = (u * corners[0] + v * corners[1] + w * corners[2]) / sum;
  const double t = glm::dot(point, direction) / glm::dot(direction, direction);
  return t >= from && t <= to;
}

float squaredDistance(const Bounds& box, const vec3& point) {
  const vec3 outside = point - glm::clamp(point, box.min, box.max);
  return glm::dot(outside, outside);
}

} // namespace

vec3 closestBarycentric(const vec3& p, const vec3& a, const vec3& b, const vec3& c) {
  const vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f) return {1, 0, 0};
  const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0.0f && d4 <= d3) return {0, 1, 0};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0.0f && d5 <= d6) return {0, 0, 1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
    const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const float sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

TriangleTree::TriangleTree(std::span<const vec3> positions, std::span<const Triangle> triangles)
    : positions_(positions.begin(), positions.end()),
      triangles_(triangles.begin(), triangles.end()), order_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::vector<vec3> centers;
  for (const Triangle& t : triangles_)
    centers.push_back((positions_[t[0]] + positions_[t[1]] + positions_[t[2]]) / 3.0f);
  if (!triangles_.empty()) build(0, static_cast<std::uint32_t>(triangles_.size()), centers);
}

// Halves the triangles by their middles along the longest side; the depth is their logarithm.
void TriangleTree::build(std::uint32_t first, std::uint32_t last, std::span<const vec3> centers) {
  const std::size_t own = nodes_.size();
  nodes_.emplace_back();
  Bounds middles;
  for (std::uint32_t i = first; i < last; ++i) {
    for (const std::uint32_t corner : triangles_[order_[i]])
      nodes_[own].box.include(positions_[corner]);
    middles.include(centers[order_[i]]);
  }
  if (last - first <= kLeaf) {
    nodes_[own].second = first;
    nodes_[own].count = last - first;
    return;
  }
  const vec3 extent = middles.extent();
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const std::uint32_t half = first + (last - first) / 2;
  std::nth_element(
      order_.begin() + first, order_.begin() + half, order_.begin() + last,
      [&](std::uint32_t a, std::uint32_t b) { return centers[a][axis] < centers[b][axis]; });
  build(first, half, centers);
  nodes_[own].second = static_cast<std::uint32_t>(nodes_.size());
  build(half, last, centers);
}

bool TriangleTree::meets(const vec3& origin, const vec3& direction, float from, float to) const {
  if (nodes_.empty()) return false;
  const vec3 inverse = 1.0f / direction;
  std::array<std::uint32_t, 64> open{};
  for (std::size_t count = 1; count > 0;) {
    const std::uint32_t at = open[--count];
    const Node& node = nodes_[at];
    if (!meetsBox(node.box, origin, inverse, from, to)) continue;
    for (std::uint32_t i = node.second; i < node.second + node.count; ++i) {
      const Triangle& t = triangles_[order_[i]];
      const glm::dvec3 eye(origin);
      if (meetsTriangle({glm::dvec3(positions_[t[0]]) - eye, glm::dvec3(positions_[t[1]]) - eye,
                         glm::dvec3(positions_[t[2]]) - eye},
                        glm::dvec3(direction), static_cast<double>(from), static_cast<double>(to)))
        return true;
    }
    if (node.count > 0) continue;
    open[count++] = at + 1;
    open[count++] = node.second;
  }
  return false;
}

TreePoint TriangleTree::nearest(const vec3& point) const {
  TreePoint best;
  float squared = std::numeric_limits<float>::infinity();
  std::array<std::uint32_t, 64> open{};
  for (std::size_t count = 1; count > 0;) {
    const std::uint32_t at = open[--count];
    const Node& node = nodes_[at];
    if (!(squaredDistance(node.box, point) < squared)) continue;
    for (std::uint32_t i = node.second; i < node.second + node.count; ++i) {
      const Triangle& t = triangles_[order_[i]];
      const vec3 &a = positions_[t[0]], &b = positions_[t[1]], &c = positions_[t[2]];
      const vec3 corners = closestBarycentric(point, a, b, c);
      const vec3 apart = corners.x * a + corners.y * b + corners.z * c - point;
      if (glm::dot(apart, apart) >= squared) continue;
      squared = glm::dot(apart, apart);
      best = {order_[i], corners};
    }
    if (node.count > 0) continue;
    const std::uint32_t a = at + 1, b = node.second;
    const bool firstNearer =
        squaredDistance(nodes_[a].box, point) < squaredDistance(nodes_[b].box, point);
    open[count++] = firstNearer ? b : a;
    open[count++] = firstNearer ? a : b;
  }
  return best;
}

} // namespace sinew
