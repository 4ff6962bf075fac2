#include "skinning/bone_palette.h"
#include "skinning/spline_palette.h"
#include "skinning/spline_skin.h"

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
  bool stretched; // then the stretches hold the scale
  float ownTwist; // the vertex's, beside the spline's

  vec3 d12() const { return vec3(rows[1]); }
  vec3 d23() const { return vec3(rows[2]); }
  vec3 across() const { return vec3(rows[3]); } // N
  float scale() const { return stretched ? 1.0f : rows[2].w; }
  float twist() const { return rows[1].w; }
  float angle() const { return rows[0].w + twist() * at.fraction + ownTwist; }
  // Lengths of D12 and D23 in the bind pose.
  float a() const { return rows[4].w; }
  float b() const { return rows[3].w; }
  // How far p1 and p3 of a joint's spline are from its centre when stretched.
  float posedA() const { return a() * std::abs(rows[5].x); }
  float posedB() const { return b() * std::abs(rows[6].x); }
  vec3 direction() const { return at.slope12 * d12() + at.slope23 * d23(); }
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

void stretchOffset(const CurveSample& on, vec3& offset) {
  const MatrixRows stretch = stretchRows(on, on.at.fraction);
  if (on.freeSpline) {
    offset = transformPoint(stretch, offset);
    return;
  }
  offset = transformPoint(stretch, fromCenter(on, offset));
  offset.x += on.posedA() - (on.posedA() * on.at.along12 + on.posedB() * on.at.along23);
}

// The posed spline where the vertex is on it.
struct Posed {
  vec3 onCurve;
  vec3 moved{0.0f}; // the joint's own shift
  vec3 offset;      // the vertex's offset, stretched and rotated
  mat3 frame;       // T, B, N
};

Posed poseOn(const CurveSample& on, const vec3& bindOffset) {
  Posed out;
  out.offset = on.scale() * bindOffset;
  if (on.stretched) stretchOffset(on, out.offset);
  if (!on.freeSpline) out.moved = on.at.fraction * vec3(on.rows[4]);
  out.offset = rotateAcross(out.offset, on.angle());
  const vec3 direction = on.direction();
  const float squared = glm::dot(direction, direction);
  const vec3 tangent = squared > 1e-30f ? direction / std::sqrt(squared) : vec3(0.0f);
  out.frame = mat3(tangent, glm::cross(on.across(), tangent), on.across());
  out.onCurve = vec3(on.rows[0]) + on.at.along12 * on.d12() + on.at.along23 * on.d23();
  return out;
}

// The curve of the bind pose in the frame of its start, where it is in the plane of T and B.
vec2 bindDirection(const CurveSample& on) {
  if (!on.freeSpline) return {on.a() * on.at.slope12 + on.b() * on.at.slope23, 0.0f};
  const vec4& shape = on.rows[4];
  return {on.a() * on.at.slope12 + shape.x * on.at.slope23, shape.y * on.at.slope23};
}

// From bind space into (T, B, N) of the bind pose where the vertex is on it.
vec3 intoBindFrame(const CurveSample& on, const vec3& v) {
  const vec4* from = on.rows + kSplineRows;
  const vec3 atStart{glm::dot(vec3(from[0]), v), glm::dot(vec3(from[1]), v),
                     glm::dot(vec3(from[2]), v)};
  const vec2 direction = bindDirection(on);
  const float length = glm::length(direction);
  if (!on.freeSpline || !(length > 0.0f)) return atStart;
  const vec2 t = direction / length;
  return {t.x * atStart.x + t.y * atStart.y, t.x * atStart.y - t.y * atStart.x, atStart.z};
}

// How fast the point of the bind curve moves along its tangent with x, seen from the vertex: the
// planes normal to a curve come nearer to each other towards its centre of curvature.
float bindPace(const CurveSample& on, float y) {
  const vec2 direction = bindDirection(on);
  const float pace = on.curve.speed * glm::length(direction);
  if (!on.freeSpline) return pace;
  const float squared = glm::dot(direction, direction);
  return squared > 0.0f ? pace - y * on.a() * on.rows[4].y / squared : pace;
}

// How the stretched offset changes with x while the vertex stays where it is in the bind pose.
vec3 offsetPace(const CurveSample& on, const vec3& bindOffset) {
  const float left = -bindPace(on, bindOffset.y); // pace of the offset along the spline
  if (!on.stretched) return {on.scale() * left, 0.0f, 0.0f};
  const MatrixRows near = stretchRows(on, 0.0f);
  const MatrixRows far = stretchRows(on, 1.0f);
  const vec3 arm = on.freeSpline ? bindOffset : fromCenter(on, bindOffset);
  vec3 out = (transformPoint(far, arm) - transformPoint(near, arm)) / on.curve.end;
  if (on.freeSpline) return out + transformPoint(stretchRows(on, on.at.fraction), {left, 0, 0});
  out.x -= on.curve.speed * (on.posedA() * on.at.slope12 + on.posedB() * on.at.slope23);
  return out;
}

// The vertex's velocity with x.
vec3 computeVelocity(const CurveSample& on, const vec3& bindOffset, const Posed& posed) {
  const vec3 direction = on.direction();
  const float length = glm::length(direction);
  const vec3& tangent = posed.frame[0];
  const vec3 bend = on.at.bend12 * on.d12() + on.at.bend23 * on.d23();
  const vec3 tangentPace =
      length > 1e-15f ? (bend - glm::dot(tangent, bend) * tangent) / length : vec3(0.0f);
  const vec3& o = posed.offset;
  const vec3 withinFrame = rotateAcross(offsetPace(on, bindOffset), on.angle()) +
                           on.twist() / on.curve.end * vec3(0.0f, -o.z, o.y);
  vec3 out = on.curve.speed * direction + posed.frame * withinFrame + o.x * tangentPace +
             o.y * glm::cross(on.across(), tangentPace);
  if (!on.freeSpline) out += vec3(on.rows[4]) / on.curve.end; // the joint's own shift
  return out;
}

} // namespace

DeformedVertex deformByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                             bool stretched, const SplineVertex& vertex) {
  const CurveSample on{curve,     rows,        curve.at(vertex.x), variant.freeSplines,
                       stretched, vertex.twist};
  const Posed posed = poseOn(on, vertex.offset);
  vec3 normal = vertex.normal;
  if (stretched) normal = transformNormal(stretchRows(on, on.at.fraction), normal, true);
  return {posed.onCurve + posed.moved + posed.frame * posed.offset,
          posed.frame * rotateAcross(normal, on.angle())};
}

vec4 tangentByCurve(const Curve& curve, const vec4* rows, const Variant& variant, bool stretched,
                    const SplineVertex& vertex, const vec3& tangent) {
  const CurveSample on{curve,     rows,        curve.at(vertex.x), variant.freeSplines,
                       stretched, vertex.twist};
  const vec3 local = variant.normals == NormalMode::exact ? intoBindFrame(on, tangent) : tangent;
  vec4 moved(local, 1.0f);
  if (stretched) moved = transformTangent(stretchRows(on, on.at.fraction), local);
  return {poseOn(on, vertex.offset).frame * rotateAcross(vec3(moved), on.angle()), moved.w};
}

AttachmentMotion motionByCurve(const Curve& curve, const vec4* rows, const Variant& variant,
                               bool stretched, const SplineVertex& vertex,
                               const SurfaceTangents& tangents) {
  const CurveSample on{curve,     rows,        curve.at(vertex.x), variant.freeSplines,
                       stretched, vertex.twist};
  const Posed posed = poseOn(on, vertex.offset);
  MatrixRows stretch{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  if (stretched) stretch = stretchRows(on, on.at.fraction);
  const auto carried = [&](const vec3& tangent) {
    return posed.frame *
           rotateAcross(on.scale() * transformPoint(stretch, intoBindFrame(on, tangent)),
                        on.angle());
  };
  return {.position = posed.onCurve + posed.moved + posed.frame * posed.offset,
          .alongU = carried(tangents.u),
          .alongV = carried(tangents.v),
          .velocity = computeVelocity(on, vertex.offset, posed),
          .mirrors = stretched && mirrors(stretch)};
}

} // namespace sinew
