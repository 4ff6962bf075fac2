// Painting weights: one stamp of a brush on the surface. A stroke is a series of stamps at even
// spacing (kStampSpacing), so its effect depends on its length and not on its speed.
#pragma once

#include "weights/paint_surface.h"
#include "weights/paint_vertex.h"
#include "weights/painted_weights.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

enum class BrushMode {
  add,
  subtract,
  smooth,  // towards the mean of the neighbours' weights
  replace, // towards Brush::value
  mix,     // all items, towards BrushStamp::shares
};

enum class BrushFalloff { smooth, linear, constant, sharp };

struct Brush {
  BrushMode mode = BrushMode::add;
  BrushFalloff falloff = BrushFalloff::smooth;
  float radius = 0.1f; // in the unit of bind space; positive
  float strength =
      0.5f; // 0 to 1: weight that one stroke over a vertex adds, roughly; or a blend factor
  float value = 1.0f; // weight that BrushMode::replace paints
  bool along = true;  // distances along the surface, or straight
};

// The distance between two stamps of a stroke, in radii.
inline constexpr float kStampSpacing = 0.25f;

// 1 at the center, 0 at the rim; distance in radii.
float falloffAt(BrushFalloff falloff, float distance);

// The painted item, one bone or spline: its index in every group of the surface, and the fallback
// joint that takes removed weight if a vertex has no other influence. kNoEntry: not in the group.
struct PaintItem {
  std::vector<std::uint32_t> item;
  std::vector<std::uint32_t> fallbackJoint;

  bool operator==(const PaintItem&) const = default;
};

struct BrushStamp {
  SurfacePoint center;
  PaintItem item;
  // BrushMode::mix: per group of the surface the items that a colour stands for, with weights that
  // sum to at most 1; the other items keep the rest.
  std::vector<std::vector<Influence>> shares = {};
};

// Applies one stamp, or two that mirror each other: a vertex within both belongs to the nearer one,
// and to both equally in the middle. Returns the vertices that have changed, ascending. Equal
// vertices at one position stay equal.
std::vector<std::uint32_t> paint(PaintedWeights& weights, const PaintSurface& surface,
                                 const Brush& brush, const PaintRules& rules,
                                 std::span<const BrushStamp> stamps);

} // namespace sinew
