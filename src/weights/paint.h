// Painting weights: a brush put down on the surface, once. A stroke is many of these, spaced evenly
// (kDabSpacing), so that what it does depends on its length and not on how fast it was drawn.
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
};

enum class BrushFalloff { smooth, linear, constant, sharp };

struct Brush {
  BrushMode mode = BrushMode::add;
  BrushFalloff falloff = BrushFalloff::smooth;
  float radius = 0.1f; // in the unit of bind space; positive
  float strength =
      0.5f;           // 0 to 1: what one stroke over a vertex adds, about; or its share of the way
  float value = 1.0f; // of replace
  bool along = true;  // distances along the surface, or straight
};

// The way between two dabs of a stroke, in radii.
inline constexpr float kDabSpacing = 0.25f;

// 1 in the middle, 0 at the rim; distance in radii.
float falloffAt(BrushFalloff falloff, float distance);

// What is painted: one bone or spline, as every group of the surface names it, and who takes the
// weight that nobody else is there to take. kNoItem: the group does not have it.
struct PaintItem {
  std::vector<std::uint32_t> item;
  std::vector<std::uint32_t> heir;

  bool operator==(const PaintItem&) const = default;
};

struct Dab {
  SurfacePoint center;
  PaintItem item;
};

// Puts the brush down at one place, or at two that mirror each other: a vertex that both reach
// belongs to the nearer, and to both alike in the middle. Gives the vertices that have changed,
// ascending. Vertices at one place that were equal stay equal.
std::vector<std::uint32_t> paint(PaintedWeights& weights, const PaintSurface& surface,
                                 const Brush& brush, const PaintRules& rules,
                                 std::span<const Dab> dabs);

} // namespace sinew
