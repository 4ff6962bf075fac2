#include "metrics/self_intersection.h"

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::dvec3;
using glm::ivec3;
using Corners = std::array<dvec3, 3>;

constexpr int kMostCells = 48; // along each axis: a huge triangle must not fill millions of cells

// Six times the signed volume of the tetrahedron: the side of plane abc on which d lies.
double side(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  return glm::dot(glm::cross(b - a, c - a), d - a);
}

bool edgeCrosses(const dvec3& p, const dvec3& q, const Corners& t) {
  const double before = side(t[0], t[1], t[2], p);
  const double after = side(t[0], t[1], t[2], q);
  if (!((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0))) return false;
  const double x = side(p, q, t[0], t[1]);
  const double y = side(p, q, t[1], t[2]);
  const double z = side(p, q, t[2], t[0]);
  return (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
}

struct Grid {
  vec3 origin{0.0f};
  vec3 cellsPerUnit{0.0f};
  ivec3 count{1};

  ivec3 cellOf(const vec3& p) const {
    return glm::clamp(ivec3((p - origin) * cellsPerUnit), ivec3(0), count - 1);
  }
  std::uint32_t index(const ivec3& cell) const {
    return static_cast<std::uint32_t>((cell.z * count.y + cell.y) * count.x + cell.x);
  }
};

bool overlap(const Bounds& a, const Bounds& b) {
  return glm::all(glm::lessThanEqual(a.min, b.max)) && glm::all(glm::lessThanEqual(b.min, a.max));
}

// Cells as large as an average listed triangle's box.
Grid gridOver(const Bounds& all, std::span<const Bounds> boxes,
              std::span<const std::uint32_t> listed) {
  float mean = 0.0f;
  for (const std::uint32_t i : listed)
    if (!boxes[i].empty()) mean += boxes[i].size() / static_cast<float>(listed.size());
  Grid grid;
  grid.origin = all.min;
  for (int k = 0; k < 3; ++k) {
    const float extent = all.extent()[k];
    if (!(mean > 0.0f) || !(extent > 0.0f)) continue; // one layer
    grid.count[k] =
        static_cast<int>(std::clamp(extent / mean, 1.0f, static_cast<float>(kMostCells)));
    grid.cellsPerUnit[k] = static_cast<float>(grid.count[k]) / extent;
  }
  return grid;
}

struct CellEntry {
  std::uint32_t cell;
  std::uint32_t triangle;
};

std::vector<CellEntry> fill(const Grid& grid, const Bounds& all, std::span<const Bounds> boxes) {
  std::vector<CellEntry> entries;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty() || !overlap(boxes[i], all)) continue;
    const ivec3 low = grid.cellOf(boxes[i].min), high = grid.cellOf(boxes[i].max);
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x)
          entries.push_back({grid.index({x, y, z}), i});
  }
  // Filled by rising triangle, so that a stable sort leaves them rising within a cell.
  std::ranges::stable_sort(entries, {}, &CellEntry::cell);
  return entries;
}

// Empty for a triangle that is not finite: it then meets no other.
Bounds boxOf(const Triangle& t, std::span<const vec3> positions) {
  Bounds box;
  for (const std::uint32_t v : t) {
    const vec3& p = positions[v];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return {};
    box.include(p);
  }
  return box;
}

bool sharePlace(const Triangle& a, const Triangle& b, std::span<const std::uint32_t> places) {
  for (const std::uint32_t v : a)
    for (const std::uint32_t w : b)
      if (places[v] == places[w]) return true;
  return false;
}

Corners cornersOf(const Triangle& t, std::span<const vec3> positions) {
  return {dvec3(positions[t[0]]), dvec3(positions[t[1]]), dvec3(positions[t[2]])};
}

} // namespace

bool trianglesCross(const Corners& a, const Corners& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (edgeCrosses(a[i], a[(i + 1) % 3], b) || edgeCrosses(b[i], b[(i + 1) % 3], a)) return true;
  return false;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
selfIntersections(std::span<const vec3> positions, std::span<const Triangle> triangles,
                  std::span<const std::uint32_t> listed, std::span<const std::uint32_t> places) {
  std::vector<Bounds> boxes;
  for (const Triangle& t : triangles)
    boxes.push_back(boxOf(t, positions));
  std::vector<bool> isListed(triangles.size(), false);
  Bounds all;
  for (const std::uint32_t i : listed) {
    isListed[i] = true;
    all.include(boxes[i]);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (all.empty()) return pairs;

  const Grid grid = gridOver(all, boxes, listed);
  const std::vector<CellEntry> entries = fill(grid, all, boxes);
  const auto meet = [&](std::uint32_t a, std::uint32_t b, std::uint32_t cell) {
    if (!isListed[a] && !isListed[b]) return false;
    if (!overlap(boxes[a], boxes[b])) return false;
    // Two boxes may share many cells: the pair is looked at in the lowest one alone.
    if (grid.index(grid.cellOf(glm::max(boxes[a].min, boxes[b].min))) != cell) return false;
    return !sharePlace(triangles[a], triangles[b], places) &&
           trianglesCross(cornersOf(triangles[a], positions), cornersOf(triangles[b], positions));
  };
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t k = i + 1; k < entries.size() && entries[k].cell == entries[i].cell; ++k)
      if (meet(entries[i].triangle, entries[k].triangle, entries[i].cell))
        pairs.emplace_back(entries[i].triangle, entries[k].triangle);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

} // namespace sinew
