#include "weights/voxel_solid.h"

#include "core/bounds.h"
#include "weights/triangle_tree.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kBorder = 2;         // empty layers around the surface
constexpr std::size_t kReportEvery = 4096; // triangles of a report of progress
constexpr std::size_t kOtherPieces = 4;
constexpr std::uint8_t kMinOdd = 4;
constexpr std::uint8_t kMinCrossing = 5;
constexpr std::ptrdiff_t kGapReach = 10; // voxels from a bone to the skin about it

enum Voxel : std::uint8_t { kUnknown, kSurface, kInside, kOutside };

// Loose vertices bound nothing.
Bounds triangleBounds(const WeightSurface& surface) {
  Bounds out;
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t)
      out.include(surface.positions[v]);
  return out;
}

std::array<std::size_t, 3> voxelCounts(const Bounds& bounds, float cell) {
  std::array<std::size_t, 3> counts{};
  for (int a = 0; a < 3; ++a)
    counts[static_cast<std::size_t>(a)] =
        static_cast<std::size_t>(std::ceil(bounds.extent()[a] / cell)) + 1 + 2 * kBorder;
  return counts;
}

// The voxels, first and last, whose centers an interval contains; none where first > last.
struct VoxelRange {
  std::ptrdiff_t first = 0, last = -1;
};

VoxelRange centersBetween(double low, double high, std::size_t count) {
  return {std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(std::ceil(low)), 0),
          std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(std::floor(high)),
                                   static_cast<std::ptrdiff_t>(count) - 1)};
}

constexpr float kSmallTriangle = 4.0f; // in voxels

// Marks the voxels whose centers are within half a voxel of the triangle. Of two neighbouring
// centers on both sides of a surface one is. A long triangle is halved first: its box may have many
// more voxels than it crosses.
void markSurface(const VoxelSolid& grid, const std::array<vec3, 3>& corners,
                 std::vector<std::uint8_t>& voxels) {
  for (std::size_t c = 0; c < 3; ++c) {
    const vec3& a = corners[c];
    const vec3& b = corners[(c + 1) % 3];
    const vec3& opposite = corners[(c + 2) % 3];
    const float length = glm::length(b - a);
    if (length <= kSmallTriangle * grid.cell || length < glm::length(opposite - b) ||
        length < glm::length(a - opposite))
      continue;
    const vec3 middle = 0.5f * (a + b);
    markSurface(grid, {a, middle, opposite}, voxels);
    return markSurface(grid, {middle, b, opposite}, voxels);
  }
  const vec3 low =
      (glm::min(corners[0], glm::min(corners[1], corners[2])) - grid.origin) / grid.cell;
  const vec3 high =
      (glm::max(corners[0], glm::max(corners[1], corners[2])) - grid.origin) / grid.cell;
  std::array<VoxelRange, 3> range;
  for (int a = 0; a < 3; ++a)
    range[static_cast<std::size_t>(a)] =
        centersBetween(static_cast<double>(low[a]) - 0.51, static_cast<double>(high[a]) + 0.51,
                       grid.counts[static_cast<std::size_t>(a)]);
  const float limit = 0.25f * 1.001f * grid.cell * grid.cell;
  for (std::ptrdiff_t z = range[2].first; z <= range[2].last; ++z)
    for (std::ptrdiff_t y = range[1].first; y <= range[1].last; ++y)
      for (std::ptrdiff_t x = range[0].first; x <= range[0].last; ++x) {
        const auto ux = static_cast<std::size_t>(x), uy = static_cast<std::size_t>(y),
                   uz = static_cast<std::size_t>(z);
        std::uint8_t& voxel = voxels[grid.index(ux, uy, uz)];
        if (voxel == kSurface) continue;
        const vec3 center = grid.center(ux, uy, uz);
        const vec3 b = closestBarycentric(center, corners[0], corners[1], corners[2]);
        const vec3 apart = b.x * corners[0] + b.y * corners[1] + b.z * corners[2] - center;
        if (glm::dot(apart, apart) <= limit) voxel = kSurface;
      }
}

// A crossing of a line of centers with a triangle: the line's index, and the place on it in voxels.
struct Crossing {
  std::size_t line = 0;
  double at = 0.0;
};

// On which side of the edge from a to b the point is; swapped ends give the opposite sign exactly,
// so that of two triangles at an edge a line crosses one.
bool isLeft(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& p) {
  const auto side = [&](const glm::dvec2& from, const glm::dvec2& to) {
    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
  };
  const bool ordered = a.x < b.x || (a.x == b.x && a.y < b.y);
  return ordered ? side(a, b) > 0.0 : !(side(b, a) > 0.0);
}

// Adds where the lines of centers along `axis` cross the triangle.
void addCrossings(const VoxelSolid& grid, const std::array<vec3, 3>& corners, std::size_t axis,
                  std::vector<Crossing>& out) {
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<glm::dvec3, 3> p{}; // u, v and along the axis, in voxels
  for (std::size_t i = 0; i < 3; ++i) {
    const glm::dvec3 local =
        (glm::dvec3(corners[i]) - glm::dvec3(grid.origin)) / static_cast<double>(grid.cell);
    p[i] = {local[static_cast<int>(u)], local[static_cast<int>(v)], local[static_cast<int>(axis)]};
  }
  const auto inAxis = [&](int a, std::size_t count) {
    return centersBetween(std::min({p[0][a], p[1][a], p[2][a]}),
                          std::max({p[0][a], p[1][a], p[2][a]}), count);
  };
  const VoxelRange columns = inAxis(0, grid.counts[u]), rows = inAxis(1, grid.counts[v]);
  const glm::dvec3 normal = glm::cross(p[1] - p[0], p[2] - p[0]);
  for (std::ptrdiff_t row = rows.first; row <= rows.last; ++row)
    for (std::ptrdiff_t column = columns.first; column <= columns.last; ++column) {
      const glm::dvec2 at(static_cast<double>(column), static_cast<double>(row));
      const bool side = isLeft(p[0], p[1], at);
      if (isLeft(p[1], p[2], at) != side || isLeft(p[2], p[0], at) != side) continue;
      if (normal.z == 0.0) continue; // seen edge-on: the neighbours have the crossing
      const double depth =
          p[0].z - (normal.x * (at.x - p[0].x) + normal.y * (at.y - p[0].y)) / normal.z;
      out.push_back(
          {static_cast<std::size_t>(column) + grid.counts[u] * static_cast<std::size_t>(row),
           depth});
    }
}

// Counts among the six directions from a voxel's center.
struct Votes {
  std::uint8_t odd = 0;  // directions that cross an odd number of triangles
  std::uint8_t some = 0; // directions that cross any
};

// Adds both directions along the axis.
void countCrossings(const VoxelSolid& grid, std::vector<Crossing>& crossings, std::size_t axis,
                    std::vector<Votes>& votes) {
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::pair(a.line, a.at) < std::pair(b.line, b.at);
  });
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<std::size_t, 3> voxel{};
  for (std::size_t first = 0; first < crossings.size();) {
    const std::size_t line = crossings[first].line;
    std::size_t end = first;
    while (end < crossings.size() && crossings[end].line == line)
      ++end;
    voxel[u] = line % grid.counts[u];
    voxel[v] = line / grid.counts[u];
    std::size_t passed = 0;
    for (voxel[axis] = 0; voxel[axis] < grid.counts[axis]; ++voxel[axis]) {
      while (first + passed < end &&
             crossings[first + passed].at < static_cast<double>(voxel[axis]))
        ++passed;
      const std::size_t ahead = end - first - passed;
      Votes& here = votes[grid.index(voxel[0], voxel[1], voxel[2])];
      here.odd = static_cast<std::uint8_t>(here.odd + passed % 2 + ahead % 2);
      here.some = static_cast<std::uint8_t>(here.some + (passed > 0 ? 1 : 0) + (ahead > 0 ? 1 : 0));
    }
    first = end;
  }
}

// Marks as outside what the first voxel is connected to through voxels of unknown kind.
void flood(const VoxelSolid& grid, std::vector<std::uint8_t>& voxels) {
  const std::array<std::size_t, 3> step{1, grid.counts[0], grid.counts[0] * grid.counts[1]};
  std::vector<std::size_t> open{0};
  voxels[0] = kOutside;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t along = at / step[a] % grid.counts[a];
      const auto visit = [&](std::size_t next) {
        if (voxels[next] != kUnknown) return;
        voxels[next] = kOutside;
        open.push_back(next);
      };
      if (along > 0) visit(at - step[a]);
      if (along + 1 < grid.counts[a]) visit(at + step[a]);
    }
  }
}

// The voxels along a bone, one after another; none that are off the grid.
std::vector<std::array<std::size_t, 3>> voxelsAlong(const VoxelSolid& grid,
                                                    const BoneSegment& bone) {
  const vec3 from = (bone.from - grid.origin) / grid.cell;
  const vec3 along = (bone.to - bone.from) / grid.cell;
  const auto maxSteps = static_cast<float>(2 * (grid.counts[0] + grid.counts[1] + grid.counts[2]));
  const auto steps = static_cast<int>(std::max(1.0f, std::min(glm::length(along), maxSteps)));
  std::vector<std::array<std::size_t, 3>> out;
  for (int i = 0; i <= steps; ++i) {
    const vec3 at = glm::round(from + static_cast<float>(i) / static_cast<float>(steps) * along);
    std::array<std::size_t, 3> voxel{};
    bool within = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const float here = at[static_cast<int>(a)];
      within = within && here >= 0.0f && here < static_cast<float>(grid.counts[a]);
      voxel[a] = within ? static_cast<std::size_t>(here) : 0;
    }
    if (within) out.push_back(voxel);
  }
  return out;
}

// Marks as inside the largest ball about a voxel that holds no voxel of the surface.
void fillBall(const VoxelSolid& grid, const std::array<std::size_t, 3>& middle,
              std::vector<std::uint8_t>& voxels) {
  const auto forNear = [&](const auto& use) {
    std::array<VoxelRange, 3> range;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto at = static_cast<std::ptrdiff_t>(middle[a]);
      range[a] = {
          std::max(at - kGapReach, std::ptrdiff_t{kBorder}),
          std::min(at + kGapReach, static_cast<std::ptrdiff_t>(grid.counts[a] - kBorder) - 1)};
    }
    for (std::ptrdiff_t z = range[2].first; z <= range[2].last; ++z)
      for (std::ptrdiff_t y = range[1].first; y <= range[1].last; ++y)
        for (std::ptrdiff_t x = range[0].first; x <= range[0].last; ++x) {
          const std::ptrdiff_t dx = x - static_cast<std::ptrdiff_t>(middle[0]);
          const std::ptrdiff_t dy = y - static_cast<std::ptrdiff_t>(middle[1]);
          const std::ptrdiff_t dz = z - static_cast<std::ptrdiff_t>(middle[2]);
          use(voxels[grid.index(static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                                static_cast<std::size_t>(z))],
              dx * dx + dy * dy + dz * dz);
        }
  };
  constexpr std::ptrdiff_t kFar = kGapReach * kGapReach + 1;
  std::ptrdiff_t nearest = kFar; // squared
  forNear([&](std::uint8_t voxel, std::ptrdiff_t squared) {
    if (voxel == kSurface) nearest = std::min(nearest, squared);
  });
  if (nearest == kFar) return;
  forNear([&](std::uint8_t& voxel, std::ptrdiff_t squared) {
    if (squared < nearest) voxel = kInside;
  });
}

// A bone that leaves the solid and comes back passes a hole: it is filled as wide as it is there.
void fillGapsOfBones(const VoxelSolid& grid, std::span<const BoneSegment> bones,
                     std::vector<std::uint8_t>& voxels) {
  std::vector<std::array<std::size_t, 3>> gaps;
  for (const BoneSegment& bone : bones) {
    const auto along = voxelsAlong(grid, bone);
    const auto isSolid = [&](const std::array<std::size_t, 3>& v) {
      return voxels[grid.index(v[0], v[1], v[2])] != kOutside;
    };
    const auto first = std::find_if(along.begin(), along.end(), isSolid);
    const auto last = std::find_if(along.rbegin(), along.rend(), isSolid).base();
    for (auto at = first; at < last; ++at)
      if (!isSolid(*at)) gaps.push_back(*at);
  }
  if (gaps.empty()) return;
  for (const auto& gap : gaps)
    fillBall(grid, gap, voxels);
  std::replace(voxels.begin(), voxels.end(), std::uint8_t{kOutside}, std::uint8_t{kUnknown});
  flood(grid, voxels);
}

} // namespace

float voxelSize(const WeightSurface& surface, std::size_t faces, std::size_t maxVoxels) {
  double area = 0.0;
  for (const Triangle& t : surface.triangles) {
    const glm::dvec3 a(surface.positions[t[0]]);
    area += 0.5 * glm::length(glm::cross(glm::dvec3(surface.positions[t[1]]) - a,
                                         glm::dvec3(surface.positions[t[2]]) - a));
  }
  const Bounds bounds = triangleBounds(surface);
  auto cell = static_cast<float>(std::sqrt(area / static_cast<double>(faces)));
  cell = std::max(cell, 1e-7f * bounds.size()); // no area to speak of
  const auto voxels = [&] {
    double product = 1.0;
    for (int a = 0; a < 3; ++a)
      product *= std::ceil(static_cast<double>(bounds.extent()[a] / cell)) + 1 + 2 * kBorder;
    return product;
  };
  while (voxels() > static_cast<double>(maxVoxels))
    cell *= 1.1f;
  return cell;
}

std::size_t voxelSolidPieces(const WeightSurface& surface) {
  return 4 * (surface.triangles.size() / kReportEvery) + kOtherPieces;
}

VoxelSolid voxelSolid(const WeightSurface& surface, float cell, std::span<const BoneSegment> bones,
                      ProgressMeter* meter) {
  const auto done = [&] {
    if (meter != nullptr) meter->piece();
  };
  const auto forTriangles = [&](const auto& use) {
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
      const Triangle& t = surface.triangles[i];
      use({surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]});
      if ((i + 1) % kReportEvery == 0) done();
    }
  };
  const Bounds bounds = triangleBounds(surface);
  VoxelSolid out;
  out.cell = cell;
  out.counts = voxelCounts(bounds, cell);
  // Centered, so that a symmetric mesh has a symmetric solid.
  for (int a = 0; a < 3; ++a)
    out.origin[a] = bounds.center()[a] -
                    0.5f * cell * static_cast<float>(out.counts[static_cast<std::size_t>(a)] - 1);
  const std::size_t count = out.counts[0] * out.counts[1] * out.counts[2];
  std::vector<Votes> votes(count);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<Crossing> crossings;
    forTriangles(
        [&](const std::array<vec3, 3>& corners) { addCrossings(out, corners, axis, crossings); });
    countCrossings(out, crossings, axis, votes);
    done();
  }
  std::vector<std::uint8_t> voxels(count, kUnknown);
  for (std::size_t i = 0; i < count; ++i)
    if (votes[i].odd >= kMinOdd || votes[i].some >= kMinCrossing) voxels[i] = kInside;
  forTriangles([&](const std::array<vec3, 3>& corners) { markSurface(out, corners, voxels); });
  flood(out, voxels);
  fillGapsOfBones(out, bones, voxels);
  done();
  out.solid.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    out.solid[i] = voxels[i] == kOutside ? 0 : 1;
  return out;
}

} // namespace sinew
