#include "metrics/self_intersection.h"

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

using glm::dvec3;
using glm::ivec3;
using Corners = std::array<dvec3, 3>;

constexpr int kMaxAlongAxis = 48; // cells: a huge triangle must not fill millions of them

// Six times the signed volume of the tetrahedron: the side of plane abc on which d lies.
double side(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  return glm::dot(glm::cross(b - a, c - a), d - a);
}

// The side of the plane of t for each corner of s.
dvec3 computeSides(const Corners& s, const Corners& t) {
  const dvec3 normal = glm::cross(t[1] - t[0], t[2] - t[0]);
  return {glm::dot(normal, s[0] - t[0]), glm::dot(normal, s[1] - t[0]),
          glm::dot(normal, s[2] - t[0])};
}

bool allOnOneSide(const dvec3& sides) {
  return (sides.x > 0.0 && sides.y > 0.0 && sides.z > 0.0) ||
         (sides.x < 0.0 && sides.y < 0.0 && sides.z < 0.0);
}

bool linePierces(const dvec3& p, const dvec3& q, const Corners& t) {
  const double x = side(p, q, t[0], t[1]);
  const double y = side(p, q, t[1], t[2]);
  const double z = side(p, q, t[2], t[0]);
  return (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
}

// Whether an edge of s has its ends strictly on either side of t's plane and passes through t.
bool anEdgeCrosses(const Corners& s, const dvec3& sides, const Corners& t) {
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    if (!((sides[i] < 0.0 && sides[next] > 0.0) || (sides[i] > 0.0 && sides[next] < 0.0))) continue;
    if (linePierces(s[static_cast<std::size_t>(i)], s[static_cast<std::size_t>(next)], t))
      return true;
  }
  return false;
}

struct Grid {
  vec3 origin{0.0f};
  vec3 cellsPerUnit{0.0f};
  ivec3 count{1};

  ivec3 findCell(const vec3& p) const {
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
        static_cast<int>(std::clamp(extent / mean, 1.0f, static_cast<float>(kMaxAlongAxis)));
    grid.cellsPerUnit[k] = static_cast<float>(grid.count[k]) / extent;
  }
  return grid;
}

// The triangles of cell c are triangles[first[c] .. first[c + 1]), ascending.
struct Cells {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> triangles;
};

// Calls visit(cell, triangle) for every cell that a triangle's box touches, by ascending triangle.
template <class Visit>
void forEachCell(const Grid& grid, const Bounds& all, std::span<const Bounds> boxes,
                 const Visit& visit) {
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty() || !overlap(boxes[i], all)) continue;
    const ivec3 low = grid.findCell(boxes[i].min), high = grid.findCell(boxes[i].max);
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x)
          visit(grid.index({x, y, z}), i);
  }
}

// A counting sort.
Cells fill(const Grid& grid, const Bounds& all, std::span<const Bounds> boxes) {
  Cells cells;
  const glm::vec<3, std::size_t> sides(grid.count);
  const std::size_t count = sides.x * sides.y * sides.z;
  cells.first.assign(count + 1, 0);
  forEachCell(grid, all, boxes,
              [&](std::uint32_t cell, std::uint32_t) { ++cells.first[cell + 1]; });
  std::partial_sum(cells.first.begin(), cells.first.end(), cells.first.begin());
  cells.triangles.resize(cells.first.back());
  std::vector<std::uint32_t> next(cells.first.begin(), cells.first.end() - 1);
  forEachCell(grid, all, boxes, [&](std::uint32_t cell, std::uint32_t triangle) {
    cells.triangles[next[cell]++] = triangle;
  });
  return cells;
}

// Empty for a non-finite triangle, which then meets no other.
Bounds computeBox(const Triangle& t, std::span<const vec3> positions) {
  Bounds box;
  for (const std::uint32_t v : t) {
    const vec3& p = positions[v];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return {};
    box.include(p);
  }
  return box;
}

bool shareVertex(const Triangle& a, const Triangle& b, std::span<const std::uint32_t> welded) {
  for (const std::uint32_t v : a)
    for (const std::uint32_t w : b)
      if (welded[v] == welded[w]) return true;
  return false;
}

Corners getCorners(const Triangle& t, std::span<const vec3> positions) {
  return {dvec3(positions[t[0]]), dvec3(positions[t[1]]), dvec3(positions[t[2]])};
}

} // namespace

bool trianglesCross(const Corners& a, const Corners& b) {
  const dvec3 sidesOfA = computeSides(a, b);
  if (allOnOneSide(sidesOfA)) return false; // most pairs whose boxes meet
  const dvec3 sidesOfB = computeSides(b, a);
  if (allOnOneSide(sidesOfB)) return false;
  return anEdgeCrosses(a, sidesOfA, b) || anEdgeCrosses(b, sidesOfB, a);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
selfIntersections(std::span<const vec3> positions, std::span<const Triangle> triangles,
                  std::span<const std::uint32_t> listed, std::span<const std::uint32_t> welded) {
  std::vector<Bounds> boxes;
  for (const Triangle& t : triangles)
    boxes.push_back(computeBox(t, positions));
  std::vector<bool> isListed(triangles.size(), false);
  Bounds all;
  for (const std::uint32_t i : listed) {
    isListed[i] = true;
    all.include(boxes[i]);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (all.empty()) return pairs;

  const Grid grid = gridOver(all, boxes, listed);
  const Cells cells = fill(grid, all, boxes);
  const auto meet = [&](std::uint32_t a, std::uint32_t b, std::uint32_t cell) {
    if (!isListed[a] && !isListed[b]) return false;
    if (!overlap(boxes[a], boxes[b])) return false;
    // Two boxes may share many cells: the pair is tested in the lowest one only.
    if (grid.index(grid.findCell(glm::max(boxes[a].min, boxes[b].min))) != cell) return false;
    return !shareVertex(triangles[a], triangles[b], welded) &&
           trianglesCross(getCorners(triangles[a], positions), getCorners(triangles[b], positions));
  };
  for (std::uint32_t cell = 0; cell + 1 < cells.first.size(); ++cell)
    for (std::uint32_t i = cells.first[cell]; i < cells.first[cell + 1]; ++i)
      for (std::uint32_t k = i + 1; k < cells.first[cell + 1]; ++k)
        if (meet(cells.triangles[i], cells.triangles[k], cell))
          pairs.emplace_back(cells.triangles[i], cells.triangles[k]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

} // namespace sinew
