#include "skinning/spline_deform.h"

#include "skinning/bone_palette.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

// A spline of the palette at one x.
struct CurveSample {
  const Curve& curve;
  const vec4* rows;
  CurvePoint at;
  bool freeSpline;

  vec3 d12() const { return vec3(rows[1]); }
  vec3 d23() const { return vec3(rows[2]); }
  vec3 across() const { return vec3(rows[3]); } // N
  float scale() const { return rows[2].w; }
  float twist() const { return rows[1].w; }
  float angle() const { return rows[0].w + twist() * at.fraction; }
  // Lengths of D12 and D23 in the bind pose.
  float a() const { return rows[4].w; }
  float b() const { return std::abs(rows[3].w); }
  bool grows() const { return rows[3].w > 0.0f; } // x, along the bind spline
  // How far p1 and p3 of a joint's spline are from its centre when stretched.
  float posedA() const { return a() * std::abs(rows[5].x); }
  float posedB() const { return b() * std::abs(rows[6].x); }
};

// Rotates the part across the spline; the part along it stays.
vec3 rotateAcross(const vec3& v, float angle) {
  const float c = std::cos(angle);
  const float s = std::sin(angle);
  return {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
}

// The spline's stretch at a fraction of the motion: its start's at 0, its end's at 1. Symmetric
// for a joint's; triangular for a free spline's, so that what is along the spline stays along it.
MatrixRows stretchRows(const CurveSample& on, float fraction) {
  const vec4 near = on.rows[5];
  const vec4 far = on.rows[6];
  const vec4 diagonal = near + fraction * (far - near); // w: xy
  const float yz = on.rows[7].x + fraction * (on.rows[7].z - on.rows[7].x);
  const float xz = on.rows[7].y + fraction * (on.rows[7].w - on.rows[7].y);
  const float mirrored = on.freeSpline ? 0.0f : 1.0f;
  return {{diagonal.x, diagonal.w, xz, 0.0f},
          {mirrored * diagonal.w, diagonal.y, yz, 0.0f},
          {mirrored * xz, mirrored * yz, diagonal.z, 0.0f}};
}

// From a joint's centre, in the bone's frame.
vec3 fromCenter(const CurveSample& on, const vec3& bindOffset) {
  vec3 out = bindOffset;
  out.x += on.a() * (on.at.along12 - 1.0f) + on.b() * on.at.along23;
  return out;
}

// Stretches the offset, and returns by how much the joint itself has moved.
vec3 stretchOffset(const CurveSample& on, vec3& offset) {
  const MatrixRows stretch = stretchRows(on, on.at.fraction);
  if (on.freeSpline) {
    offset = transformPoint(stretch, offset);
    return vec3(0.0f);
  }
  offset = transformPoint(stretch, fromCenter(on, offset));
  offset.x += on.posedA() - (on.posedA() * on.at.along12 + on.posedB() * on.at.along23);
  return on.at.fraction * vec3(on.rows[4]);
}

// How fast x grows as a vertex moves along the bind spline, past it at bindOffset.
float stepOfX(const CurveSample& on, const vec3& bindOffset) {
  const float one = on.a() * on.at.slope12;
  const float other = on.b() * on.at.slope23;
  if (!on.freeSpline) return 1.0f / (on.curve.speed * (one + other));
  const float dot = on.rows[4].x;   // D12 . D23 in the bind pose
  const float cross = on.rows[4].y; // |D12 x D23|
  const float squared = one * one + other * other + 2.0f * dot * on.at.slope12 * on.at.slope23;
  // Planes normal to the curve come nearer to each other towards the centre of curvature.
  return 1.0f / (on.curve.speed * std::sqrt(squared) - bindOffset.y * cross / squared);
}

// How the stretched offset grows with the vertex's place along the spline.
vec3 stepOfOffset(const CurveSample& on, const vec3& bindOffset, float step) {
  const float fractionStep = step / on.curve.end;
  const MatrixRows near = stretchRows(on, 0.0f);
  const MatrixRows far = stretchRows(on, 1.0f);
  if (on.freeSpline)
    return fractionStep * (transformPoint(far, bindOffset) - transformPoint(near, bindOffset));
  const vec3 arm = fromCenter(on, bindOffset);
  vec3 out = transformPoint(stretchRows(on, on.at.fraction), vec3(1, 0, 0)) +
             fractionStep * (transformPoint(far, arm) - transformPoint(near, arm));
  out.x -= on.curve.speed * step * (on.posedA() * on.at.slope12 + on.posedB() * on.at.slope23);
  return out;
}

// What the moved surface is spanned by: how the vertex moves with its place along the spline and
// across it.
struct Tangents {
  vec3 along, y, z;
};

// offset: stretched and rotated; frame: (T, B, N).
Tangents tangentsOf(const CurveSample& on, bool stretched, const vec3& bindOffset,
                    const vec3& offset, const mat3& frame) {
  MatrixRows stretch{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  if (stretched) stretch = stretchRows(on, on.at.fraction);
  const auto across = [&](const vec3& unit) {
    return frame * rotateAcross(on.scale() * transformPoint(stretch, unit), on.angle());
  };
  Tangents out{{}, across({0, 1, 0}), across({0, 0, 1})};

  const float step = stepOfX(on, bindOffset);
  const float fractionStep = step / on.curve.end;
  const vec3 direction = on.at.slope12 * on.d12() + on.at.slope23 * on.d23();
  const vec3 bend = on.at.bend12 * on.d12() + on.at.bend23 * on.d23();
  const vec3& tangent = frame[0];
  const vec3 tangentStep =
      step * (bend - glm::dot(tangent, bend) * tangent) / glm::length(direction);
  vec3 offsetStep(0.0f);
  out.along = on.curve.speed * step * direction;
  if (stretched) {
    offsetStep = stepOfOffset(on, bindOffset, step);
    if (!on.freeSpline) out.along += fractionStep * vec3(on.rows[4]); // the joint's own shift
  }
  offsetStep = rotateAcross(offsetStep, on.angle()) +
               on.twist() * fractionStep * vec3(0.0f, -offset.z, offset.y);
  out.along +=
      frame * offsetStep + offset.x * tangentStep + offset.y * glm::cross(on.across(), tangentStep);
  return out;
}

// The cofactor matrix of the Jacobian on the bind normal, on the side of the cheap normal.
vec3 exactNormal(const Tangents& t, const vec3& normal, const vec3& cheap) {
  const vec3 exact = normal.x * glm::cross(t.y, t.z) + normal.y * glm::cross(t.z, t.along) +
                     normal.z * glm::cross(t.along, t.y);
  const float squared = glm::dot(exact, exact);
  if (!(squared > 1e-30f)) return cheap;
  return (glm::dot(exact, cheap) < 0.0f ? -exact : exact) / std::sqrt(squared);
}

} // namespace

DeformedVertex deformByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                             bool stretched, const SplineVertex& vertex) {
  const CurveSample on{curve, rows, curve.at(vertex.x), variant.freeSplines};
  vec3 offset = on.scale() * vertex.offset;
  vec3 normal = vertex.normal;
  vec3 moved(0.0f);
  if (stretched) {
    moved = stretchOffset(on, offset);
    normal = transformNormal(stretchRows(on, on.at.fraction), normal, true);
  }
  offset = rotateAcross(offset, on.angle());
  normal = rotateAcross(normal, on.angle());

  const vec3 direction = on.at.slope12 * on.d12() + on.at.slope23 * on.d23();
  const float squared = glm::dot(direction, direction);
  const vec3 tangent = squared > 1e-30f ? direction / std::sqrt(squared) : vec3(0.0f);
  const mat3 frame(tangent, glm::cross(on.across(), tangent), on.across());
  const vec3 onCurve = vec3(rows[0]) + on.at.along12 * on.d12() + on.at.along23 * on.d23();
  normal = frame * normal;
  if (variant.normals == NormalMode::exact && on.grows() && vertex.x > 0.0f && vertex.x < curve.end)
    normal =
        exactNormal(tangentsOf(on, stretched, vertex.offset, offset, frame), vertex.normal, normal);
  return {onCurve + moved + frame * offset, normal};
}

} // namespace sinew
