#include "skinning/free_spline_pose.h"

#include "core/directions.h"
#include "skinning/bone_palette.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

// A posed arm shorter than this fraction of the other has no direction of its own.
constexpr double kShortest = 1e-6;

// v under the least rotation that takes one unit direction to another; where they are opposite,
// about `axis`, which is perpendicular to both.
dvec3 carriedAlong(const dvec3& v, const dvec3& from, const dvec3& to, const dvec3& axis) {
  const double cosine = glm::dot(from, to);
  if (cosine < -1.0 + 1e-12) return 2.0 * glm::dot(axis, v) * axis - v;
  const dvec3 cross = glm::cross(from, to);
  return v + glm::cross(cross, v) + glm::cross(cross, glm::cross(cross, v)) / (1.0 + cosine);
}

// The bind frame (tangent, B, N) at an end of the spline as its node carries it: the node's linear
// part times `bind` is frame times stretch. The tangent keeps its direction exactly, so that
// beyond the end the skin does what its node does, whatever the scale.
struct CarriedFrame {
  dmat3 frame{1.0};
  dmat3 stretch{1.0}; // upper triangular
};

// fallback: the tangent of a node that flattens it.
CarriedFrame carry(const dmat3& linear, const dmat3& bind, const dvec3& fallback) {
  const dmat3 moved = linear * bind;
  const double size = glm::length(moved[0]) + glm::length(moved[1]) + glm::length(moved[2]);
  const double least = 1e-7 * size;
  CarriedFrame out;
  const auto unit = [&](const dvec3& v, const dvec3& other) {
    const double length = glm::length(v);
    return length > least ? v / length : other;
  };
  out.frame[0] = unit(moved[0], fallback);
  const auto acrossPart = [&](const dvec3& v) {
    return v - glm::dot(v, out.frame[0]) * out.frame[0];
  };
  const dvec3 fromThird = glm::cross(acrossPart(moved[2]), out.frame[0]);
  out.frame[1] = unit(acrossPart(moved[1]), unit(fromThird, perpendicular(out.frame[0])));
  out.frame[2] = glm::cross(out.frame[0], out.frame[1]);
  out.stretch = glm::transpose(out.frame) * moved;
  out.stretch[0][1] = out.stretch[0][2] = out.stretch[1][2] = 0.0; // rounding
  return out;
}

// The unit directions of D12 and D23. An arm that has shrunk to nothing points as the other does,
// or, with none, as `carried`; it is given a length that rounding does not touch.
std::pair<dvec3, dvec3> directArms(PosedSpline& spline, const dvec3& carried) {
  const double both = glm::length(spline.d12) + glm::length(spline.d23);
  const double least = std::max(kShortest * both, 1e-12);
  const auto direction = [&](const dvec3& v, const dvec3& other) {
    const double length = glm::length(v);
    return length >= least ? v / length : other;
  };
  const dvec3 start = direction(spline.d12, direction(spline.d23, carried));
  const dvec3 end = direction(spline.d23, start);
  if (glm::length(spline.d12) < least) spline.d12 = least * start;
  if (glm::length(spline.d23) < least) spline.d23 = least * end;
  return {start, end};
}

// The normal of the plane in which the spline bends. A straight or folded spline is in many planes:
// then the normal is the one nearest to the bind pose's, as the start carries it.
dvec3 planeNormal(const dvec3& start, const dvec3& end, const dvec3& carried) {
  const dvec3 cross = glm::cross(start, end);
  const double sine = glm::length(cross);
  if (sine > 1e-9) return cross / sine;
  const dvec3 across = carried - glm::dot(carried, start) * start;
  const double length = glm::length(across);
  return length > 1e-6 ? across / length : perpendicular(start);
}

bool scalesOnly(const dmat3& stretch, double scale) {
  const dmat3 rest = stretch - dmat3(scale);
  double largest = 0.0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r)
      largest = std::max(largest, std::abs(rest[c][r]));
  return largest <= 1e-5 * std::abs(scale) && scale > 0.0;
}

// Writes the rows; returns whether the nodes do no more than rotate, and scale alike.
bool write(const FreeShape& shape, const PosedSpline& posed, std::span<vec4> entry) {
  const dmat3& near = posed.startStretch;
  const dmat3& far = posed.endStretch;
  const auto row = [](const dvec3& v, double w) { return vec4(vec3(v), static_cast<float>(w)); };
  entry[0] = row(posed.p1, posed.roll);
  entry[1] = row(posed.d12, posed.twist);
  entry[2] = row(posed.d23, near[0][0]);
  entry[3] = row(posed.normal, glm::length(shape.d23));
  entry[4] = vec4(glm::dot(shape.start, shape.d23), glm::length(glm::cross(shape.start, shape.d23)),
                  0.0, glm::length(shape.d12));
  entry[5] = vec4(near[0][0], near[1][1], near[2][2], near[1][0]);
  entry[6] = vec4(far[0][0], far[1][1], far[2][2], far[1][0]);
  entry[7] = vec4(near[2][1], near[2][0], far[2][1], far[2][0]);
  return scalesOnly(near, near[0][0]) && scalesOnly(far, near[0][0]);
}

} // namespace

PosedSpline poseSpline(const FreeShape& shape, const std::array<vec3, 3>& points,
                       const std::array<mat4, 3>& modelFromBind) {
  const auto frameAt = [&](const dvec3& tangent) {
    return dmat3(tangent, glm::cross(shape.normal, tangent), shape.normal);
  };
  const dmat3 first{glm::dmat4(modelFromBind[0])};
  const dmat3 third{glm::dmat4(modelFromBind[2])};
  std::array<dvec3, 3> moved;
  for (std::size_t i = 0; i < 3; ++i)
    moved[i] = dvec3(glm::dmat4(modelFromBind[i]) * glm::dvec4(dvec3(points[i]), 1.0));
  PosedSpline out;
  out.p1 = moved[0];
  out.d12 = moved[1] - moved[0];
  out.d23 = moved[2] - moved[1];
  const auto [start, end] =
      directArms(out, carry(first, frameAt(shape.start), shape.start).frame[0]);

  const CarriedFrame near = carry(first, frameAt(shape.start), start);
  const CarriedFrame far = carry(third, frameAt(shape.end), end);
  out.startStretch = near.stretch;
  out.endStretch = far.stretch;
  out.normal = planeNormal(start, end, near.frame[2]);
  const auto measureAngle = [&](const CarriedFrame& c, const dvec3& tangent) {
    const dvec3 reference = carriedAlong(c.frame[1], c.frame[0], tangent, out.normal);
    return angleInFrame(reference, tangent, out.normal);
  };
  out.roll = measureAngle(near, start);
  out.twist = wrappedAngle(measureAngle(far, end) - out.roll);
  return out;
}

bool packFreeSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                     std::span<vec4> rows) {
  const std::span<const mat4> matrices = boneMatrices(rig, modelFromNode);
  const std::size_t stride = binding.rowsPerEntry;
  bool rotatesOnly = true;
  for (std::size_t i = 0; i < rig.splines.size(); ++i) {
    const RigSpline& spline = rig.splines[i];
    const FreeShape shape = makeFreeShape(spline.points);
    const std::span<vec4> entry = rows.subspan(stride * i, stride);
    const PosedSpline posed = poseSpline(
        shape, spline.points,
        {matrices[spline.joints[0]], matrices[spline.joints[1]], matrices[spline.joints[2]]});
    rotatesOnly = write(shape, posed, entry) && rotatesOnly;
    if (stride > kSplineRows) {
      const dmat3 frame(shape.start, glm::cross(shape.normal, shape.start), shape.normal);
      writeTransform(vec3(shape.p1), mat3(frame), entry);
    }
  }
  return !rotatesOnly;
}

} // namespace sinew
