#include "view/contact_shadow.h"

#include "core/transform.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew {
namespace {

// As shares of the model's size.
constexpr float kReach = 0.05f; // what is higher over the ground casts no shadow
constexpr float kCell = 0.01f;
constexpr int kMaxCells = 160; // cells per side; a wider spot has larger cells
constexpr int kBlurs = 3;      // by a cell each way: together nearly a Gaussian of 1.4 cells
constexpr int kRim = kBlurs + 1;
constexpr float kDarkest = 0.62f; // alpha

float darkness(float height) { // over the ground, as a share of kReach
  const float near = 1.0f - std::clamp(height, 0.0f, 1.0f);
  return near * near;
}

std::size_t toIndex(const ContactShadow& shadow, int column, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(shadow.columns) +
         static_cast<std::size_t>(column);
}

// The heights of one surface, seen from above.
struct Caster {
  ContactShadow& shadow;
  float ground;
  float reach;

  // In cells from the middle of the first one.
  vec2 inCells(const vec3& p) const { return vec2(p.x - shadow.x, p.z - shadow.z) / shadow.cell; }

  void darken(int column, int row, float height) {
    if (column < 0 || row < 0 || column >= shadow.columns || row >= shadow.rows) return;
    float& cell = shadow.dark[toIndex(shadow, column, row)];
    cell = std::max(cell, darkness((height - ground) / reach));
  }

  // Also walls, which cover no cell's middle.
  void drawEdge(const vec3& a, const vec3& b) {
    const vec2 from = inCells(a);
    const vec2 to = inCells(b);
    const float far = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    const int steps = 1 + static_cast<int>(std::min(far, 2.0f * kMaxCells));
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      const vec2 at = glm::clamp(glm::mix(from, to, t), -9.0f, kMaxCells + 9.0f);
      darken(static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)),
             glm::mix(a.y, b.y, t));
    }
  }

  void drawInside(const vec3& a, const vec3& b, const vec3& c) {
    const vec2 p = inCells(a), q = inCells(b), r = inCells(c);
    const auto cross = [](vec2 u, vec2 v) { return u.x * v.y - u.y * v.x; };
    const float area = cross(q - p, r - p);
    if (area == 0.0f) return;
    const vec2 last(shadow.columns - 1, shadow.rows - 1);
    const vec2 low = glm::clamp(glm::ceil(glm::min(p, glm::min(q, r))), vec2(0.0f), last);
    const vec2 high = glm::clamp(glm::floor(glm::max(p, glm::max(q, r))), vec2(0.0f), last);
    for (int row = static_cast<int>(low.y); row <= static_cast<int>(high.y); ++row)
      for (int column = static_cast<int>(low.x); column <= static_cast<int>(high.x); ++column) {
        const vec2 at(column, row);
        const vec3 shares(cross(q - at, r - at) / area, cross(r - at, p - at) / area,
                          cross(p - at, q - at) / area);
        if (shares.x < 0.0f || shares.y < 0.0f || shares.z < 0.0f) continue;
        darken(column, row, glm::dot(shares, vec3(a.y, b.y, c.y)));
      }
  }
};

// Lays the cells around what is near; false where nothing is.
bool layCells(ContactShadow& shadow, std::span<const vec3> posed, float highest, float size) {
  shadow.columns = shadow.rows = 0;
  vec2 low(std::numeric_limits<float>::max());
  vec2 high(std::numeric_limits<float>::lowest());
  for (const vec3& p : posed) {
    if (!isFinite(p) || p.y >= highest) continue;
    low = glm::min(low, vec2(p.x, p.z));
    high = glm::max(high, vec2(p.x, p.z));
  }
  if (low.x > high.x || !(size > 0.0f)) return false;
  const float widest = std::max(high.x - low.x, high.y - low.y);
  shadow.cell = std::max(kCell * size, widest / static_cast<float>(kMaxCells - 2 * kRim - 2));
  const vec2 first = glm::floor(low / shadow.cell) - static_cast<float>(kRim);
  const vec2 last = glm::ceil(high / shadow.cell) + static_cast<float>(kRim);
  shadow.x = first.x * shadow.cell;
  shadow.z = first.y * shadow.cell;
  shadow.columns = std::clamp(static_cast<int>(last.x - first.x) + 1, 1, kMaxCells);
  shadow.rows = std::clamp(static_cast<int>(last.y - first.y) + 1, 1, kMaxCells);
  return true;
}

// The mean of each value and its two neighbours; outside there is no shadow.
void blurAlong(std::span<const float> from, std::span<float> to, std::size_t count,
               std::size_t step) {
  for (std::size_t i = 0; i < count; ++i) {
    const float before = i > 0 ? from[(i - 1) * step] : 0.0f;
    const float after = i + 1 < count ? from[(i + 1) * step] : 0.0f;
    to[i * step] = (before + from[i * step] + after) / 3.0f;
  }
}

void blur(ContactShadow& shadow) {
  const auto columns = static_cast<std::size_t>(shadow.columns);
  const auto rows = static_cast<std::size_t>(shadow.rows);
  shadow.pass.resize(shadow.dark.size());
  const std::span<float> dark(shadow.dark), pass(shadow.pass);
  for (std::size_t row = 0; row < rows; ++row)
    blurAlong(dark.subspan(row * columns), pass.subspan(row * columns), columns, 1);
  for (std::size_t column = 0; column < columns; ++column)
    blurAlong(pass.subspan(column), dark.subspan(column), rows, columns);
}

} // namespace

void castContactShadow(ContactShadow& shadow, std::span<const vec3> posed,
                       std::span<const Triangle> triangles, float ground, float size) {
  const float reach = kReach * size;
  const float highest = ground + reach;
  if (!layCells(shadow, posed, highest, size)) return;
  shadow.dark.assign(toIndex(shadow, 0, shadow.rows), 0.0f);
  Caster caster{shadow, ground, reach};
  for (const auto& [i, j, k] : triangles) {
    const vec3 &a = posed[i], &b = posed[j], &c = posed[k];
    if (a.y >= highest && b.y >= highest && c.y >= highest) continue;
    if (!isFinite(a) || !isFinite(b) || !isFinite(c)) continue;
    caster.drawEdge(a, b);
    caster.drawEdge(b, c);
    caster.drawEdge(c, a);
    caster.drawInside(a, b, c);
  }
  for (int i = 0; i < kBlurs; ++i)
    blur(shadow);
}

void addContactShadow(Overlay& overlay, const ContactShadow& shadow, float ground) {
  const auto at = [&](int column, int row) {
    const float dark = shadow.dark[toIndex(shadow, column, row)];
    return OverlayVertex{
        {shadow.x + shadow.cell * static_cast<float>(column), ground,
         shadow.z + shadow.cell * static_cast<float>(row)},
        {0, 0, 0, static_cast<std::uint8_t>(std::lround(255.0f * kDarkest * dark))}};
  };
  for (int row = 0; row + 1 < shadow.rows; ++row)
    for (int column = 0; column + 1 < shadow.columns; ++column) {
      const std::array corners{at(column, row), at(column + 1, row), at(column + 1, row + 1),
                               at(column, row + 1)};
      if (std::ranges::all_of(corners, [](const auto& v) { return v.color.w == 0; })) continue;
      for (const std::size_t c : {0u, 1u, 2u, 0u, 2u, 3u})
        overlay.triangles.push_back(corners[c]);
    }
}

} // namespace sinew
