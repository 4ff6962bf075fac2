// One spline of a pose as rows of the palette.
//
//   0  p1, roll          4  the joint's own shift, a
//   1  D12, twist        5  stretch K at the start: xx yy zz xy
//   2  D23, scale        6  stretch K at the end: xx yy zz xy
//   3  N, b              7  yz and xz at the start, yz and xz at the end
//   8, 9, 10 with storage=transform or exact normals: bind space to the frame (T, B, N) at p1, from
//            p1; for a straight spline that is (s, across, across)
//
// Rows 5 to 7 are only read where some joint stretches (Palette::nonUniformScale); the scale of row
// 2 only elsewhere, for K holds it. K is in the spline's frame (along it, two directions across); a
// and b are the lengths of D12 and D23 in bind space.
//
// The spline of a joint starts at the joint's parent and ends at the joint; its K is symmetric. A
// free spline starts with its first node and ends with its third; its K is upper triangular, and in
// place of the shift row 4 has the components of D23 in the frame at p1, along and across, in the
// bind pose.
#pragma once

#include "skinning/method.h"

#include <array>
#include <string_view>

namespace sinew {

inline constexpr std::uint32_t kSplineRows = 8;
inline constexpr std::uint32_t kTransformRows = 3;
// Documentation of the exported shader.
inline constexpr std::array<std::string_view, kSplineRows> kSplineRowTexts{
    "p1, model space; w: roll, radians",
    "D12 = p2 - p1; w: twist, radians",
    "D23 = p3 - p2; w: scale of the cross-section",
    "N, unit, perpendicular to D12 and D23; w: b = |D23| in bind space",
    "the joint's own shift, model space; w: a = |D12| in bind space",
    "stretch K of the parent in the bone's frame: xx, yy, zz, xy: read, as the next two, where "
    "NON_UNIFORM_SCALE",
    "stretch K of the joint: xx, yy, zz, xy",
    "yz and xz of the parent's K, yz and xz of the joint's",
};
inline constexpr std::array<std::string_view, kSplineRows> kFreeSplineRowTexts{
    kSplineRowTexts[0],
    kSplineRowTexts[1],
    kSplineRowTexts[2],
    "N, unit, perpendicular to D12 and D23; w: b = |D23| in bind space",
    "D23 along T and along B at p1, 0, a = |D12|, all in bind space",
    "stretch K at p1 in the spline's frame (T, B, N), upper triangular: xx, yy, zz, xy: read, as "
    "the next two, where NON_UNIFORM_SCALE",
    "stretch K at p3: xx, yy, zz, xy",
    "yz and xz of K at p1, yz and xz of K at p3",
};
inline constexpr std::array<std::string_view, kTransformRows> kTransformRowTexts{
    "from p1 along T in the bind pose: dot(row, (v, 1)); of a straight spline the distance s",
    "along B at p1",
    "along N",
};

// The straight spline of a joint in bind space, from center - a d to center + b d, where d is the
// frame's first column.
struct BindSpline {
  vec3 center{0.0f};
  mat3 frame{1.0f};
  float a = 0.5f;
  float b = 0.5f;
  std::uint32_t parent = 0; // joint; the joint itself where it has none
  float reach = 1.0f;       // largest distance of its vertices from the centre; 0: it has none
};

// Into and out of Binding::constants.
void appendSpline(const BindSpline& spline, Binding& binding);
BindSpline readBindSpline(const Binding& binding, std::size_t entry);

// Rows 8 to 10 of a spline that begins at `start`; frame: along it there, and two across.
void writeTransform(const vec3& start, const mat3& frame, std::span<vec4> entry);

// Into (-pi, pi]. 180 degrees, up to rounding, is positive: a twist by 180 degrees always goes
// the same way.
double wrappedAngle(double angle);

// The angle that takes a reference direction into (B, N) at a place of the spline, B = N x T.
double angleInFrame(const glm::dvec3& reference, const glm::dvec3& tangent,
                    const glm::dvec3& normal);

// Packs the splines of joints, and free ones (free_spline.h); as Method::pack.
bool packJointSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                      std::span<vec4> rows);

} // namespace sinew
