#include "skinning/free_spline.h"

#include "core/directions.h"
#include "core/error.h"
#include "skinning/exact_normals.h"
#include "skinning/spline_bind.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using glm::dvec3;

constexpr double kStraight = 1e-5; // sine of the largest bend that counts as none

dvec3 directionOr(const dvec3& v, const dvec3& other) {
  const double length = glm::length(v);
  return length > 0.0 ? v / length : other;
}

// The heaviest splines of every vertex.
JointBinding attachToSplines(const Rig& rig, const BindOptions& options, NormalMode normals) {
  JointBinding out;
  const float limit = std::clamp(parameterValues(kSplineParameters, options)[1], 1.0f, 3.0f);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto all = rig.splineInfluences.of(v);
    const auto some = all.first(std::min(all.size(), static_cast<std::size_t>(limit)));
    float sum = 0.0f;
    for (const Influence& influence : some)
      sum += influence.weight;
    for (const Influence& influence : some)
      out.attachments.values.push_back({influence.joint, influence.weight / sum, 0.0f});
    out.attachments.endList();
  }
  if (normals == NormalMode::exact)
    out.gradients =
        attachmentGradients(rig, influenceEdgeRates(rig.splineInfluences),
                            static_cast<std::size_t>(limit), options.share, out.attachments);
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    out.maxAttachments =
        std::max(out.maxAttachments, static_cast<std::uint32_t>(out.attachments.of(v).size()));
  return out;
}

dvec3 mix(const FreeShape& shape, float one, float other) {
  return static_cast<double>(one) * shape.d12 + static_cast<double>(other) * shape.d23;
}

SplineVertex vertexOn(const Curve& curve, const FreeShape& shape, const vec3& position,
                      const vec3& normal) {
  const float x = projectToCurve(curve, shape, position);
  const CurvePoint at = curve.at(x);
  const glm::dmat3 frame = frameAt(curve, shape, x);
  const dvec3 apart = dvec3(position) - (shape.p1 + mix(shape, at.along12, at.along23));
  return {x, vec3(apart * frame), vec3(dvec3(normal) * frame)};
}

// How x grows over space at a vertex: along the tangent, the faster the nearer to the centre of
// curvature, where the planes normal to the curve meet.
dvec3 gradientOfX(const Curve& curve, const FreeShape& shape, const SplineVertex& vertex) {
  if (!(vertex.x > 0.0f && vertex.x < curve.end)) return dvec3(0.0);
  const CurvePoint at = curve.at(vertex.x);
  const dvec3 direction = mix(shape, at.slope12, at.slope23);
  const double squared = glm::dot(direction, direction);
  if (!(squared > 0.0)) return dvec3(0.0);
  const double turning = glm::length(glm::cross(shape.d12, shape.d23)) / squared;
  const double pace = static_cast<double>(curve.speed) * std::sqrt(squared) -
                      static_cast<double>(vertex.offset.y) * turning;
  return frameAt(curve, shape, vertex.x)[0] / pace;
}

// Parameters of the gradients of a vertex: x of each of its splines.
void addGradientsOfX(const Curve& curve, const std::vector<FreeShape>& shapes, const Rig& rig,
                     std::size_t vertex, float share, JointBinding& attached) {
  const SurfaceTangents tangents = surfaceTangents(rig.normals[vertex]);
  for (std::uint32_t i = attached.attachments.offsets[vertex];
       i < attached.attachments.offsets[vertex + 1]; ++i) {
    const JointAttachment& at = attached.attachments.values[i];
    const FreeShape& shape = shapes[at.joint];
    const dvec3 gradient = gradientOfX(
        curve, shape, vertexOn(curve, shape, rig.positions[vertex], rig.normals[vertex]));
    attached.gradients[i].parameter =
        share * at.weight *
        vec2(glm::dot(gradient, dvec3(tangents.u)), glm::dot(gradient, dvec3(tangents.v)));
  }
}

} // namespace

FreeShape makeFreeShape(const std::array<vec3, 3>& points) {
  FreeShape shape;
  shape.p1 = points[0];
  shape.d12 = dvec3(points[1]) - dvec3(points[0]);
  shape.d23 = dvec3(points[2]) - dvec3(points[1]);
  shape.start = directionOr(shape.d12, directionOr(shape.d23, dvec3(1, 0, 0)));
  shape.end = directionOr(shape.d23, shape.start);
  const dvec3 bend = glm::cross(shape.start, shape.end);
  const double sine = glm::length(bend);
  shape.normal = sine > 1e-9 ? bend / sine : perpendicular(shape.start);
  return shape;
}

glm::dmat3 frameAt(const Curve& curve, const FreeShape& shape, float x) {
  const CurvePoint at = curve.at(x);
  const dvec3 tangent = x == 0.0f ? shape.start
                        : x == curve.end
                            ? shape.end
                            : directionOr(mix(shape, at.slope12, at.slope23), shape.start);
  return {tangent, glm::cross(shape.normal, tangent), shape.normal};
}

bool isStraight(const FreeShape& shape) {
  return glm::length(glm::cross(shape.start, shape.end)) < kStraight &&
         glm::dot(shape.start, shape.end) > 0.0;
}

float projectToCurve(const Curve& curve, const FreeShape& shape, const vec3& position) {
  float low = 0.0f;
  float high = curve.end;
  for (int i = 0; i < 30; ++i) {
    const float x = 0.5f * (low + high);
    const CurvePoint at = curve.at(x);
    const dvec3 place = shape.p1 + static_cast<double>(at.along12) * shape.d12 +
                        static_cast<double>(at.along23) * shape.d23;
    const dvec3 tangent =
        static_cast<double>(at.slope12) * shape.d12 + static_cast<double>(at.slope23) * shape.d23;
    (glm::dot(dvec3(position) - place, tangent) > 0.0 ? low : high) = x;
  }
  if (low == 0.0f) return 0.0f;
  return high == curve.end ? curve.end : 0.5f * (low + high);
}

Binding bindFreeSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  const SplineChoices choices = splineChoices(options);
  std::vector<FreeShape> shapes;
  for (const RigSpline& spline : rig.splines) {
    shapes.push_back(makeFreeShape(spline.points));
    if (choices.transform && !isStraight(shapes.back()))
      throw usageError("storage=transform takes splines that are straight in the bind pose; this "
                       "model has a curved one",
                       "use storage=coordinates");
  }
  JointBinding attached = attachToSplines(rig, options, choices.normals);
  if (choices.normals == NormalMode::exact) {
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      addGradientsOfX(curve, shapes, rig, v, shareAt(options, v), attached);
    dropIdle(attached.attachments, attached.gradients);
  }
  Binding binding =
      startSplines(rig, attached, choices, static_cast<std::uint32_t>(rig.splines.size()));
  binding.variant.freeSplines = true;
  if (!choices.transform)
    appendCoordinates(attached, binding, [&](std::size_t v, const JointAttachment& attachment) {
      return vertexOn(curve, shapes[attachment.joint], rig.positions[v], rig.normals[v]);
    });
  if (choices.normals == NormalMode::exact) appendGradients(attached, attached.gradients, binding);
  return binding;
}

} // namespace sinew
