#include "editor/paint/paint_pick.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kCell = 16; // pixels

float cross(vec2 a, vec2 b) {
  return a.x * b.y - a.y * b.x;
}

} // namespace

PickGrid::PickGrid(const View& view, std::span<const vec3> posed,
                   std::span<const Triangle> triangles)
    : columns_(std::max(view.viewport.width, 0) / kCell + 1),
      rows_(std::max(view.viewport.height, 0) / kCell + 1), posed_(posed.begin(), posed.end()),
      triangles_(triangles.begin(), triangles.end()) {
  const mat4 clip = clipFromWorld(view);
  const vec2 half = 0.5f * vec2(view.viewport.width, view.viewport.height);
  corners_.reserve(posed.size());
  for (const vec3& p : posed) {
    const vec4 c = clip * vec4(p, 1.0f);
    const float inverse = 1.0f / c.w;
    corners_.push_back(
        {{half.x * (1.0f + c.x * inverse), half.y * (1.0f - c.y * inverse)}, c.z * inverse, c.w});
  }
  const auto cellCount = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  cells_ = gatherLists<std::uint32_t>(cellCount, [&](const auto& each) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const Cells cells = findCells(triangles_[t]);
      for (int y = cells.top; y <= cells.bottom; ++y)
        for (int x = cells.left; x <= cells.right; ++x)
          each(toCellIndex(x, y), t);
    }
  });
}

PickGrid::Cells PickGrid::findCells(const Triangle& triangle) const {
  vec2 low(1e30f);
  vec2 high(-1e30f);
  for (const std::uint32_t v : triangle) {
    if (!(corners_[v].w > 0.0f)) return {};
    low = glm::min(low, corners_[v].pixel);
    high = glm::max(high, corners_[v].pixel);
  }
  const vec2 size(kCell * columns_, kCell * rows_);
  if (!(high.x >= 0.0f && high.y >= 0.0f && low.x < size.x && low.y < size.y)) return {};
  const auto cell = [](float pixel, int count) {
    return std::clamp(static_cast<int>(std::floor(std::clamp(pixel, 0.0f, 1e6f) / kCell)), 0,
                      count - 1);
  };
  return {cell(low.x, columns_), cell(high.x, columns_), cell(low.y, rows_), cell(high.y, rows_)};
}

std::optional<SurfaceHit> PickGrid::at(vec2 pixel) const {
  const int x = static_cast<int>(std::floor(pixel.x / kCell));
  const int y = static_cast<int>(std::floor(pixel.y / kCell));
  if (x < 0 || y < 0 || x >= columns_ || y >= rows_) return std::nullopt;
  const std::size_t cell = toCellIndex(x, y);
  std::optional<SurfaceHit> nearest;
  float depth = 2.0f;
  for (const std::uint32_t t : cells_.of(cell)) {
    const Triangle& triangle = triangles_[t];
    const Corner &a = corners_[triangle[0]], &b = corners_[triangle[1]], &c = corners_[triangle[2]];
    const float area = cross(b.pixel - a.pixel, c.pixel - a.pixel);
    if (area == 0.0f) continue;
    const vec3 flat(cross(c.pixel - b.pixel, pixel - b.pixel) / area,
                    cross(a.pixel - c.pixel, pixel - c.pixel) / area,
                    cross(b.pixel - a.pixel, pixel - a.pixel) / area);
    if (flat.x < 0.0f || flat.y < 0.0f || flat.z < 0.0f) continue;
    const float z = flat.x * a.depth + flat.y * b.depth + flat.z * c.depth;
    if (z >= depth || z < -1.0f) continue;
    depth = z;
    vec3 shares(flat.x / a.w, flat.y / b.w, flat.z / c.w); // what is flat on screen is not in space
    shares /= shares.x + shares.y + shares.z;
    nearest = SurfaceHit{t, shares,
                         shares.x * posed_[triangle[0]] + shares.y * posed_[triangle[1]] +
                             shares.z * posed_[triangle[2]]};
  }
  return nearest;
}

std::vector<vec2> stampsBetween(vec2 from, vec2 to, float spacing, float& carried) {
  std::vector<vec2> out;
  const float length = glm::length(to - from);
  float next = spacing - carried;
  for (; next <= length; next += spacing)
    out.push_back(from + (next / length) * (to - from));
  carried = spacing - (next - length);
  return out;
}

} // namespace sinew
