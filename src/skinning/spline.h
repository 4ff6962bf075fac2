// Skinning by splines (docs/methods.md, section 6; Forstmann and Ohya 2006): shared by arc-splines
// and quadratic Bezier splines. A spline has control points p1 p2 p3. They are the model's own
// free splines if it has any (free_spline.h); otherwise there is one per joint, straight in the
// bind pose, whose p1 and p2 move with the joint's parent and p3 with the joint. A vertex has its
// coordinate x on the spline of the bind pose and its offset from that point along and across it.
#pragma once

#include "skinning/joint_binding.h"
#include "skinning/method.h"

namespace sinew {

// f = p1 + D12 along12 + D23 along23, its tangent's direction D12 slope12 + D23 slope23, and the
// fraction of the joint's twist made so far; D12 = p2 - p1, D23 = p3 - p2. For every curve
// slope12 bend23 - slope23 bend12 = 1.
struct CurvePoint {
  float along12, along23;
  float slope12, slope23;
  float bend12, bend23; // derivatives of the slopes by x
  float fraction;       // x / Curve::end
};

// A kind of curve. Straight in the bind pose, with |D12| = a and |D23| = b, its length up to x is
// s(x) = a along12 + b along23.
struct Curve {
  CurvePoint (*at)(float x);
  float speed; // derivative of along12 is speed * slope12, of along23 likewise
  float end;   // x of p3; that of p1 is 0
  float (*fromDistance)(float a, float b, float s); // x with s(x) = s, 0 <= s <= a + b
  // x at which a slight bend has rotated by the fraction.
  float (*fromRotation)(float a, float b, float fraction);
};

inline constexpr std::array<std::string_view, 2> kSplineEvaluations{"sequential", "vectorized"};
inline constexpr std::array<std::string_view, 2> kSplineMixings{"precise", "plain"};
inline constexpr std::array<std::string_view, 2> kSplineStorages{"coordinates", "transform"};
inline constexpr std::array<std::string_view, 2> kSplineDirections{"attributes", "texture"};
inline constexpr std::array<Parameter, 8> kSplineParameters{{
    kJointParameters[0],
    kJointParameters[1],
    {"evaluation", 0, 1, 0,
     "a vertex's splines one at a time, as many as it has, or all at once in vector lanes",
     kSplineEvaluations, false, true},
    kNormalsParameter,
    {"mixing", 0, 1, 0,
     "a vertex's positions by its splines are added as differences from one of them, which keeps "
     "accuracy far from the origin, or plainly",
     kSplineMixings, false, true},
    {"storage", 0, 1, 0,
     "a vertex's bind coordinates as attributes, or found by the shader from one matrix a spline; "
     "that takes straight splines and parameter-source=zone",
     kSplineStorages, false, true},
    {"directions", 0, 1, 0,
     "a vertex's normals on its splines as attributes, or, as the paper suggests, as three bytes "
     "each in a texture; with normals=cheap and storage=coordinates, else there are none",
     kSplineDirections, false, true},
    kTwistParameter,
}};

// Method::shaders of a curve whose GLSL is `own`.
constexpr std::array<std::string_view, 12> splineShaders(std::string_view own) {
  return {"common/mirrors.glsl",       "common/transform_normal.glsl", "common/quarter_sine.glsl",
          "common/quarter_angle.glsl", "common/attachments.glsl",      "common/surface.glsl",
          "common/exact_normal.glsl",  "common/spline.glsl",           "common/spline_normal.glsl",
          "common/spline_deform.glsl", "common/spline_point.glsl",     own};
}
inline constexpr std::array<std::string_view, 3> kSplineTangentShaders{
    "common/tangent.glsl", "common/attached_tangent.glsl", "common/spline_tangent.glsl"};

// Throws usageError where storage=transform is asked for and cannot be.
Binding bindSplines(const Curve& curve, const Rig& rig, const BindOptions& options);

bool packSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                 std::span<vec4> rows);

// As Method::addRotations: a free spline's twist becomes the one nearest to the number of the pose
// at its third node.
void addSplineRotations(const Rig& rig, const Binding& binding, std::span<const float> twists,
                        std::span<vec4> rows);

// Arc-splines (Forstmann and Ohya 2006): f(x) = p1 + D12 sin x + D23 (1 - cos x), x from 0 to half
// pi. A right-angled spline with equal arms is a quarter of a circle.
const Curve& arcCurve();
Method arcSplineMethod();

// Quadratic Bezier splines over the same control points, for comparison (section 2 of the paper):
// f(x) = p1 (1-x)^2 + 2 p2 x (1-x) + p3 x^2, x from 0 to 1.
const Curve& bezierCurve();
Method bezierSplineMethod();

} // namespace sinew
