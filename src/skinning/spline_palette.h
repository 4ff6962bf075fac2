// One spline of a pose as rows of the palette.
//
//   0  p1, roll          4  the joint's own shift, a
//   1  D12, twist        5  parent's stretch K: xx yy zz xy
//   2  D23, scale        6  joint's stretch K: xx yy zz xy
//   3  N, b              7  yz and xz of the parent's, yz and xz of the joint's
//
// Rows 4 to 7 are only read where some joint does more than turn (Palette::nonUniformScale); the
// scale of row 2 is then 1, for K holds it. K is symmetric and in the bone's frame (along it, two
// directions across); a and b are the lengths of D12 and D23 in bind space. b is negative where x
// does not grow along the bone, for the artist's weights give it.
#pragma once

#include "skinning/method.h"

#include <array>
#include <string_view>

namespace sinew {

inline constexpr std::uint32_t kSplineRows = 8;
inline constexpr std::array<std::string_view, kSplineRows> kSplineRowTexts{
    "p1, model space; w: roll, radians",
    "D12 = p2 - p1; w: twist, radians",
    "D23 = p3 - p2; w: scale of the cross-section",
    "N, unit, perpendicular to D12 and D23; w: b = |D23| in bind space",
    "the joint's own shift, model space; w: a = |D12|: read, as the next, where NON_UNIFORM_SCALE",
    "stretch K of the parent in the bone's frame: xx, yy, zz, xy",
    "stretch K of the joint: xx, yy, zz, xy",
    "yz and xz of the parent's K, yz and xz of the joint's",
};

// The straight spline of a joint in bind space, from center - a d to center + b d, where d is the
// frame's first column.
struct BindSpline {
  vec3 center{0.0f};
  mat3 frame{1.0f};
  float a = 0.5f;
  float b = 0.5f;
  std::uint32_t parent = 0; // joint; the joint itself where it has none
  bool used = true;         // some vertex follows it
  bool grows = true;        // x of its vertices grows along the bone
};

// Into and out of Binding::constants.
void appendSpline(const BindSpline& spline, Binding& binding);
BindSpline splineOf(const Binding& binding, std::size_t item);

} // namespace sinew
