#include "skinning/spline.h"

#include "skinning/bone_palette.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Frame of a bone in bind space: along it, and two directions across.
mat3 boneFrame(const vec3& direction) {
  const vec3 axis = std::abs(direction.x) < 0.6f ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const vec3 across = glm::normalize(glm::cross(direction, axis));
  return {direction, across, glm::cross(direction, across)};
}

// A vertex in the coordinates of one spline.
struct Coordinates {
  vec4 place; // x on the curve, what is left along it, and two coordinates across
  vec3 normal;
};

Coordinates coordinatesOf(const Curve& curve, const JointBinding& joints, const mat3& frame,
                          const JointAttachment& attachment, const vec3& position,
                          const vec3& normal) {
  const BoneAxis& axis = joints.axes[attachment.joint];
  const Zone& zone = joints.zones[attachment.joint];
  const float a = -zone.min;
  const float b = zone.max;
  const vec3 local = (position - axis.center) * frame;
  const float s = local.x + a; // from p1
  float x = 0.0f;
  if (joints.fromZone[attachment.joint])
    x = s <= 0.0f ? 0.0f : s >= a + b ? curve.end : curve.fromDistance(a, b, s);
  else
    x = curve.fromTurn(a, b, attachment.childShare);
  const CurvePoint at = curve.at(x);
  const float left = s - (a * at.along12 + b * at.along23);
  return {{x, left, local.y, local.z}, normal * frame};
}

// The rows of one spline, as named in spline_palette.h.
const vec4* rowsOf(const Palette& palette, std::uint32_t item) {
  return palette.rows.data() + std::size_t{kSplineRows} * item;
}

// Turns the part across the spline; the part along it stays.
vec3 turnAcross(const vec3& v, float angle) {
  const float c = std::cos(angle);
  const float s = std::sin(angle);
  return {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
}

// The spline's stretch at a share of the movement: parent's at 0, joint's at 1.
MatrixRows stretchRows(const vec4* rows, float share) {
  const vec4 near = rows[5];
  const vec4 far = rows[6];
  const vec4 diagonal = near + share * (far - near); // w: xy
  const float yz = rows[7].x + share * (rows[7].z - rows[7].x);
  const float xz = rows[7].y + share * (rows[7].w - rows[7].y);
  return {{diagonal.x, diagonal.w, xz, 0.0f},
          {diagonal.w, diagonal.y, yz, 0.0f},
          {xz, yz, diagonal.z, 0.0f}};
}

struct Place {
  vec3 position;
  vec3 normal;
};

// Stretches offsets (along, across, across) and normal, and returns by how much the joint itself
// has moved.
vec3 stretchOffsets(const vec4* rows, const CurvePoint& at, vec3& offset, vec3& normal) {
  const float a = rows[4].w;
  const float b = std::abs(rows[3].w);
  const MatrixRows stretch = stretchRows(rows, at.share);
  vec3 fromCenter = offset;
  fromCenter.x += a * at.along12 + b * at.along23 - a;
  offset = transformPoint(stretch, fromCenter);
  const float posedA = a * std::abs(rows[5].x);
  const float posedB = b * std::abs(rows[6].x);
  offset.x += posedA - (posedA * at.along12 + posedB * at.along23);
  normal = transformNormal(stretch, normal, true);
  return at.share * vec3(rows[4]);
}

// What the moved surface is spanned by: how the vertex moves with its place along the bone and
// across it.
struct Tangents {
  vec3 along, y, z;
};

// fromCenter: the vertex in the bone's frame; offset: stretched and turned; frame: (T, B, N).
Tangents tangentsOf(const Curve& curve, const vec4* rows, const CurvePoint& at, bool stretched,
                    const vec3& fromCenter, const vec3& offset, const mat3& frame) {
  const vec3 d12(rows[1]);
  const vec3 d23(rows[2]);
  const float a = rows[4].w;
  const float b = std::abs(rows[3].w);
  const float angle = rows[0].w + rows[1].w * at.share;
  MatrixRows stretch{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  if (stretched) stretch = stretchRows(rows, at.share);
  const float scale = rows[2].w;
  const auto across = [&](const vec3& unit) {
    return frame * turnAcross(scale * transformPoint(stretch, unit), angle);
  };
  Tangents out{{}, across({0, 1, 0}), across({0, 0, 1})};

  const float step = 1.0f / (curve.speed * (a * at.slope12 + b * at.slope23)); // dx / ds
  const float shareStep = step / curve.end;
  const vec3 direction = at.slope12 * d12 + at.slope23 * d23;
  const vec3 bend = at.bend12 * d12 + at.bend23 * d23;
  const vec3& tangent = frame[0];
  const vec3 turning = step * (bend - glm::dot(tangent, bend) * tangent) / glm::length(direction);
  vec3 offsetStep(0.0f);
  out.along = curve.speed * step * direction;
  if (stretched) {
    const MatrixRows near = stretchRows(rows, 0.0f);
    const MatrixRows far = stretchRows(rows, 1.0f);
    const float posedA = a * std::abs(rows[5].x);
    const float posedB = b * std::abs(rows[6].x);
    offsetStep = transformPoint(stretch, vec3(1, 0, 0)) +
                 shareStep * (transformPoint(far, fromCenter) - transformPoint(near, fromCenter));
    offsetStep.x -= curve.speed * step * (posedA * at.slope12 + posedB * at.slope23);
    out.along += shareStep * vec3(rows[4]);
  }
  const float angleStep = rows[1].w * shareStep;
  offsetStep = turnAcross(offsetStep, angle) + angleStep * vec3(0.0f, -offset.z, offset.y);
  out.along +=
      frame * offsetStep + offset.x * turning + offset.y * glm::cross(vec3(rows[3]), turning);
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

Place follow(const Curve& curve, const Palette& palette, std::uint32_t item, const vec4& place,
             vec3 normal, bool exact) {
  const vec4* rows = rowsOf(palette, item);
  const CurvePoint at = curve.at(place.x);
  const vec3 d12(rows[1]);
  const vec3 d23(rows[2]);
  vec3 offset = rows[2].w * vec3(place.y, place.z, place.w);
  const vec3 bindNormal = normal;
  vec3 fromCenter(place.y, place.z, place.w);
  fromCenter.x += rows[4].w * (at.along12 - 1.0f) + std::abs(rows[3].w) * at.along23;
  vec3 moved(0.0f);
  if (palette.nonUniformScale) moved = stretchOffsets(rows, at, offset, normal);

  const float angle = rows[0].w + rows[1].w * at.share;
  offset = turnAcross(offset, angle);
  normal = turnAcross(normal, angle);

  const vec3 direction = at.slope12 * d12 + at.slope23 * d23;
  const float squared = glm::dot(direction, direction);
  const vec3 tangent = squared > 1e-30f ? direction / std::sqrt(squared) : vec3(0.0f);
  const vec3 across(rows[3]); // N
  const mat3 frame(tangent, glm::cross(across, tangent), across);
  const vec3 onCurve = vec3(rows[0]) + at.along12 * d12 + at.along23 * d23;
  normal = frame * normal;
  const bool grows = rows[3].w > 0.0f;
  if (exact && grows && place.x > 0.0f && place.x < curve.end)
    normal =
        exactNormal(tangentsOf(curve, rows, at, palette.nonUniformScale, fromCenter, offset, frame),
                    bindNormal, normal);
  return {onCurve + moved + frame * offset, normal};
}

struct SplineAttributes {
  const Attribute* items;
  std::array<const Attribute*, 3> places{};
  std::array<const Attribute*, 3> normals{};
  std::size_t splines = 0;
};

SplineAttributes findSplineAttributes(const Binding& binding) {
  SplineAttributes found{&findAttribute(binding, "joints0"), {}, {}, 0};
  for (const Attribute& attribute : binding.attributes)
    if (attribute.name.starts_with("splineNormal")) found.normals[found.splines++] = &attribute;
  for (std::size_t i = 0; i < found.splines; ++i)
    found.places[i] = &findAttribute(binding, "spline" + std::to_string(i));
  return found;
}

// The define of the shader that evaluates a vertex's splines in the lanes of vectors.
constexpr const char* kTogether = "SPLINES_TOGETHER";
constexpr const char* kExactNormals = "EXACT_NORMALS";

bool hasDefine(const Binding& binding, const char* name) {
  return std::find(binding.defines.begin(), binding.defines.end(), name) != binding.defines.end();
}

Attribute numbered(const char* name, std::size_t i, AttributeFormat format) {
  return {name + std::to_string(i), format, false, {}};
}

} // namespace

Binding bindSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  const JointBinding joints = bindJoints(rig, options);
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.itemCount = static_cast<std::uint32_t>(rig.joints.size());
  binding.rowsPerItem = kSplineRows;
  appendAttachments(joints, binding);
  binding.defines.back() = "SPLINES " + std::to_string(joints.most);
  if (parameterValue(kSplineParameters, options, 2) != 0.0f)
    binding.defines.emplace_back(kTogether);
  // With the artist's weights x does not grow along the bone: the cheap normals are exact.
  const bool anyGrows =
      std::find(joints.fromZone.begin(), joints.fromZone.end(), true) != joints.fromZone.end();
  if (parameterValue(kSplineParameters, options, 3) != 0.0f && anyGrows)
    binding.defines.emplace_back(kExactNormals);

  std::vector<mat3> frames;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BoneAxis& axis = joints.axes[j];
    frames.push_back(boneFrame(axis.direction));
    appendSpline({axis.center, frames[j], -joints.zones[j].min, joints.zones[j].max,
                  joints.parents[j], joints.used[j], joints.fromZone[j]},
                 binding);
  }
  for (std::size_t i = 0; i < joints.most; ++i) {
    Attribute places = numbered("spline", i, AttributeFormat::float4);
    Attribute normals = numbered("splineNormal", i, AttributeFormat::float3);
    for (std::size_t v = 0; v < binding.vertexCount; ++v) {
      const JointAttachment attachment = paddedAttachments(joints, v)[i];
      const Coordinates c = coordinatesOf(curve, joints, frames[attachment.joint], attachment,
                                          rig.positions[v], rig.normals[v]);
      append(places, c.place);
      append(normals, vec4(c.normal, 0.0f));
    }
    binding.attributes.push_back(std::move(places));
    binding.attributes.push_back(std::move(normals));
  }
  return binding;
}

void skinBySplines(const Curve& curve, const Binding& binding, const Palette& palette,
                   SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const auto [items, places, normals, splines] = findSplineAttributes(binding);
  const Attribute* weightsOf = splines > 1 ? &findAttribute(binding, "weights0") : nullptr;

  const bool exact = hasDefine(binding, kExactNormals);
  const auto combine = hasDefine(binding, kTogether) ? combineFromMiddle : combineFromFirst;
  std::array<vec3, 3> movedPlaces;
  std::array<vec3, 3> movedNormals;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const glm::uvec4 item = readUint(*items, v);
    const vec3 weights = weightsOf != nullptr ? vec3(readFloat(*weightsOf, v)) : vec3(1, 0, 0);
    for (std::size_t i = 0; i < splines; ++i) {
      const Place place = follow(curve, palette, item[static_cast<int>(i)],
                                 readFloat(*places[i], v), vec3(readFloat(*normals[i], v)), exact);
      movedPlaces[i] = place.position;
      movedNormals[i] = place.normal;
    }
    out.positions[v] = combine(std::span(movedPlaces).first(splines), weights);
    out.normals[v] = combineNormals(std::span(movedNormals).first(splines), weights);
  }
}

std::vector<bool> foldedVertices(const Curve& curve, const Binding& binding,
                                 const Palette& palette) {
  const SplineAttributes attributes = findSplineAttributes(binding);
  std::vector<bool> folded(binding.vertexCount, false);
  for (std::size_t v = 0; v < binding.vertexCount; ++v)
    for (std::size_t i = 0; i < attributes.splines; ++i) {
      const vec4* rows = rowsOf(palette, readUint(*attributes.items, v)[static_cast<int>(i)]);
      const CurvePoint at = curve.at(readFloat(*attributes.places[i], v).x);
      const vec3 one = at.slope12 * vec3(rows[1]);
      const vec3 other = at.slope23 * vec3(rows[2]);
      if (glm::length(one + other) < 0.05f * (glm::length(one) + glm::length(other)))
        folded[v] = true;
    }
  return folded;
}

} // namespace sinew
