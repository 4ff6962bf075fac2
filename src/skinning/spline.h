// Skinning by splines (methods section 4; Forstmann and Ohya 2006): what arc-splines and quadratic
// Bezier splines share. A spline has control points p1 p2 p3. They are the model's own free splines
// where it has any (free_spline.h); else there is one per joint, straight in the bind pose, whose
// p1 and p2 move with the joint's parent and p3 with the joint. A vertex knows its place x on the
// spline of the bind pose, and how far it is off the spline along and across it.
#pragma once

#include "skinning/joint_binding.h"

namespace sinew {

// f = p1 + D12 along12 + D23 along23, its tangent's direction D12 slope12 + D23 slope23, and the
// share of the joint's twist made so far; D12 = p2 - p1, D23 = p3 - p2.
struct CurvePoint {
  float along12, along23;
  float slope12, slope23;
  float bend12, bend23; // derivatives of the slopes by x; slope12 bend23 - slope23 bend12 is 1
  float share;          // 0 to 1
};

// A kind of curve. Straight in the bind pose, with |D12| = a and |D23| = b, its length up to x is
// s(x) = a along12 + b along23.
struct Curve {
  CurvePoint (*at)(float x);
  float speed; // derivative of along12 is speed * slope12, of along23 likewise
  float end;   // x of p3; that of p1 is 0
  float (*fromDistance)(float a, float b, float s); // x with s(x) = s, 0 <= s <= a + b
  float (*fromTurn)(float a, float b, float share); // x where a slight bend has turned by the share
};

inline constexpr std::array<std::string_view, 2> kSplineEvaluations{"in-turn", "together"};
inline constexpr std::array<std::string_view, 2> kSplineMixings{"precise", "plain"};
inline constexpr std::array<std::string_view, 2> kSplineStorages{"coordinates", "transform"};
inline constexpr std::array<Parameter, 6> kSplineParameters{{
    kJointParameters[0],
    kJointParameters[1],
    {"evaluation", 0, 1, 0,
     "a vertex's splines one after the other, as many as it has, or all in the lanes of vectors",
     kSplineEvaluations},
    {"normals", 0, 2, 0,
     "turned with the vertex, or by the deformation's Jacobian, in which x grows along the bone, "
     "or "
     "none: positions alone",
     kNormals},
    {"mixing", 0, 1, 0,
     "a vertex's places added as differences from one of them, which keeps its accuracy far from "
     "the origin, or plainly",
     kSplineMixings},
    {"storage", 0, 1, 0,
     "a vertex's bind coordinates as attributes, or found by the shader from one matrix a spline; "
     "that takes straight splines and parameter-source=zone",
     kSplineStorages},
}};

// Throws usageError where storage=transform is asked for and cannot be.
Binding bindSplines(const Curve& curve, const Rig& rig, const BindOptions& options);

bool packSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                 std::span<vec4> rows);

void skinBySplines(const Curve& curve, const Rig& rig, const Binding& binding,
                   const Palette& palette, SkinnedMesh& out);

// Per vertex: whether a spline it follows is folded back so sharply at its place that the tangent
// is mostly rounding, which normals show first.
std::vector<bool> foldedVertices(const Curve& curve, const Rig& rig, const Binding& binding,
                                 const Palette& palette);

} // namespace sinew
