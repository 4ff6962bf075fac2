#include "weights/paint.h"

#include "rig/joint_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

// The mean weight of the corners of the triangles around a welded vertex, except itself; its own
// weight where there are none.
float meanAround(const PaintedWeights& weights, const PaintSurface& surface, std::uint32_t welded,
                 std::uint32_t item) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const std::uint32_t t : surface.trianglesByVertex.of(welded))
    for (const std::uint32_t corner : surface.triangles[t]) {
      if (corner == welded) continue;
      sum +=
          static_cast<double>(getWeight(weights.of(surface.verticesByWelded.of(corner)[0]), item));
      ++count;
    }
  if (count == 0) return getWeight(weights.of(surface.verticesByWelded.of(welded)[0]), item);
  return static_cast<float>(sum / static_cast<double>(count));
}

// A welded vertex within a stamp.
struct Touch {
  std::uint32_t welded = 0;
  float distance = 0.0f; // in radii
};

std::vector<Touch> touches(const PaintSurface& surface, const Brush& brush,
                           const BrushStamp& stamp) {
  std::vector<Touch> out;
  for (const Reached& reached : verticesWithin(surface, stamp.center, brush.radius, brush.along))
    if (stamp.item.item[surface.groupOfWelded[reached.welded]] != kNoEntry)
      out.push_back({reached.welded, reached.distance / brush.radius});
  return out;
}

class BrushStroke {
 public:
  BrushStroke(PaintedWeights& weights, const PaintSurface& surface, const Brush& brush,
              const PaintRules& rules)
      : weights_(weights), surface_(surface), brush_(brush), rules_(rules) {}

  // Paints one welded vertex by one stamp, or by two at the same distance.
  void at(const Touch& touch, const BrushStamp& stamp, const BrushStamp* other) {
    const std::uint32_t mean = meanItem(touch.welded, stamp);
    const float around = brush_.mode == BrushMode::smooth
                             ? meanAround(weights_, surface_, touch.welded, mean)
                             : 0.0f;
    float otherAround = 0.0f;
    if (other != nullptr && brush_.mode == BrushMode::smooth)
      otherAround = meanAround(weights_, surface_, touch.welded, meanItem(touch.welded, *other));
    for (const std::uint32_t vertex : surface_.verticesByWelded.of(touch.welded)) {
      const auto now = weights_.of(vertex);
      std::vector<Influence> painted(now.begin(), now.end());
      bool changed = set(painted, touch, stamp, around);
      if (other != nullptr) {
        std::vector<Influence> second(now.begin(), now.end());
        changed |= set(second, touch, *other, otherAround);
        if (changed) painted = meanWeights(painted, second, rules_);
      }
      if (changed) fresh_.emplace_back(vertex, std::move(painted));
    }
  }

  std::vector<std::uint32_t> finish() {
    std::sort(fresh_.begin(), fresh_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> vertices;
    Influences influences;
    for (const auto& [vertex, painted] : fresh_) {
      vertices.push_back(vertex);
      influences.append(painted);
    }
    weights_.replace(vertices, influences);
    return vertices;
  }

 private:
  std::uint32_t meanItem(std::uint32_t welded, const BrushStamp& stamp) const {
    return stamp.item.item[surface_.groupOfWelded[welded]];
  }

  bool set(std::vector<Influence>& vertex, const Touch& touch, const BrushStamp& stamp,
           float around) {
    const std::uint32_t group = surface_.groupOfWelded[touch.welded];
    const std::uint32_t item = stamp.item.item[group];
    const float strength = brush_.strength * falloffAt(brush_.falloff, touch.distance);
    const float now = getWeight(vertex, item);
    float target = now;
    switch (brush_.mode) {
    case BrushMode::add:
      target = now + kStampSpacing * strength;
      break;
    case BrushMode::subtract:
      target = now - kStampSpacing * strength;
      break;
    case BrushMode::smooth:
      target = now + strength * (around - now);
      break;
    case BrushMode::replace:
      target = now + strength * (brush_.value - now);
      break;
    case BrushMode::mix:
      return mixWeights(vertex, stamp.shares[group], strength, stamp.item.fallbackJoint[group],
                        rules_);
    }
    return setWeight(vertex, item, target, stamp.item.fallbackJoint[group], rules_);
  }

  PaintedWeights& weights_;
  const PaintSurface& surface_;
  const Brush& brush_;
  const PaintRules& rules_;
  std::vector<std::pair<std::uint32_t, std::vector<Influence>>> fresh_;
};

void paintBoth(BrushStroke& stroke, const PaintSurface& surface, const Brush& brush,
               const BrushStamp& a, const BrushStamp& b) {
  constexpr float kAlike = 1e-4f; // in radii; distances that differ by less are equal
  const std::vector<Touch> ofA = touches(surface, brush, a);
  const std::vector<Touch> ofB = touches(surface, brush, b);
  const auto before = [](const Touch& x, const Touch& y) { return x.welded < y.welded; };
  for (const Touch& touch : ofA) {
    const auto same = std::lower_bound(ofB.begin(), ofB.end(), touch, before);
    const bool both = same != ofB.end() && same->welded == touch.welded;
    const bool alike = both && std::abs(same->distance - touch.distance) <= kAlike;
    if (!both || alike || touch.distance < same->distance)
      stroke.at(touch, a, alike && a.item != b.item ? &b : nullptr);
  }
  for (const Touch& touch : ofB) {
    const auto same = std::lower_bound(ofA.begin(), ofA.end(), touch, before);
    const bool both = same != ofA.end() && same->welded == touch.welded;
    if (!both || touch.distance < same->distance - kAlike) stroke.at(touch, b, nullptr);
  }
}

} // namespace

float falloffAt(BrushFalloff falloff, float distance) {
  const float x = std::clamp(distance, 0.0f, 1.0f);
  switch (falloff) {
  case BrushFalloff::smooth:
    return 1.0f - x * x * (3.0f - 2.0f * x);
  case BrushFalloff::linear:
    return 1.0f - x;
  case BrushFalloff::constant:
    return x < 1.0f ? 1.0f : 0.0f;
  case BrushFalloff::sharp:
    return (1.0f - x) * (1.0f - x);
  }
  assert(false);
  return 0.0f;
}

std::vector<std::uint32_t> paint(PaintedWeights& weights, const PaintSurface& surface,
                                 const Brush& brush, const PaintRules& rules,
                                 std::span<const BrushStamp> stamps) {
  BrushStroke stroke(weights, surface, brush, rules);
  if (stamps.size() == 2)
    paintBoth(stroke, surface, brush, stamps[0], stamps[1]);
  else if (!stamps.empty())
    for (const Touch& touch : touches(surface, brush, stamps[0]))
      stroke.at(touch, stamps[0], nullptr);
  return stroke.finish();
}

} // namespace sinew
