#include "skinning/spline_bind.h"

#include "core/directions.h"
#include "skinning/exact_normals.h"
#include "skinning/free_spline.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>

#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

Attribute numbered(const char* name, std::size_t i, AttributeFormat format) {
  return {name + std::to_string(i), format, false, {}};
}

} // namespace

SplineChoices splineChoices(const BindOptions& options) {
  const std::vector<float> values = parameterValues(kSplineParameters, options);
  const bool cheap = normalMode(values[3]) == NormalMode::cheap;
  return {.parameters = values,
          .vectorized = values[2] != 0.0f,
          .normals = normalMode(values[3]),
          .shared = options.share != nullptr,
          .plainMixing = values[4] != 0.0f,
          .transform = values[5] != 0.0f,
          .texture = values[6] != 0.0f && values[5] == 0.0f && cheap};
}

Binding startSplines(const Rig& rig, const JointBinding& joints, const SplineChoices& choices,
                     std::uint32_t splines) {
  Binding binding;
  binding.parameters = choices.parameters;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.entryCount = splines;
  // Exact normals carry tangents of bind space into the spline's frame.
  const bool frame = choices.transform || choices.normals == NormalMode::exact;
  binding.rowsPerEntry = kSplineRows + (frame ? kTransformRows : 0);
  const auto& texts = rig.splines.empty() ? kSplineRowTexts : kFreeSplineRowTexts;
  binding.rowTexts.assign(texts.begin(), texts.end());
  if (frame)
    binding.rowTexts.insert(binding.rowTexts.end(), kTransformRowTexts.begin(),
                            kTransformRowTexts.end());
  appendAttachments(joints, binding);
  binding.variant.vectorized = choices.vectorized && joints.maxAttachments > 1;
  binding.variant.plainMixing = choices.plainMixing;
  binding.variant.splineTransform = choices.transform;
  binding.variant.splineTexture = choices.texture;
  binding.variant.normals = choices.normals;
  binding.variant.sharedSurface = choices.shared;
  return binding;
}

void appendCoordinates(
    const JointBinding& joints, Binding& binding,
    const std::function<SplineVertex(std::size_t, const JointAttachment&)>& vertexOn) {
  for (std::size_t i = 0; i < joints.maxAttachments; ++i) {
    Attribute coordinates = numbered("spline", i, AttributeFormat::float4);
    Attribute normals = numbered("splineNormal", i,
                                 binding.variant.splineTexture ? AttributeFormat::snorm8x3
                                                               : AttributeFormat::float3);
    for (std::size_t v = 0; v < binding.vertexCount; ++v) {
      const SplineVertex vertex = vertexOn(v, paddedAttachments(joints, v)[i]);
      append(coordinates, vec4(vertex.x, vertex.offset));
      append(normals, vec4(vertex.normal, 0.0f));
    }
    binding.attributes.push_back(std::move(coordinates));
    if (binding.variant.normals == NormalMode::cheap)
      binding.attributes.push_back(std::move(normals));
  }
  if (binding.variant.splineTexture) putFetchedLast(binding);
}

namespace {

// The frames of the bind pose: a joint's spline is straight and has one; a free one turns along it.
class BindFrames {
 public:
  BindFrames(const Curve& curve, const Rig& rig, const Binding& bound)
      : curve_(curve), bound_(bound) {
    if (bound.variant.freeSplines)
      for (const RigSpline& spline : rig.splines)
        shapes_.push_back(makeFreeShape(spline.points));
  }

  mat3 at(std::uint32_t entry, float x) const {
    if (bound_.variant.freeSplines) return mat3(frameAt(curve_, shapes_[entry], x));
    return readBindSpline(bound_, entry).frame;
  }

 private:
  const Curve& curve_;
  const Binding& bound_;
  std::vector<FreeShape> shapes_;
};

// The angle of a unit tangent about the normal, counted from a direction across it: directionAt()
// is the inverse.
float angleAbout(const vec3& normal, const vec3& tangent) {
  const vec3 u = directionAt(normal, 0.0f);
  return std::atan2(glm::dot(tangent, glm::cross(normal, u)), glm::dot(tangent, u));
}

// Writes the angles of the vertices' tangents, as the frames turn them.
void writeAngles(const BindFrames& frames, const Binding& bound, std::span<const vec4> tangents,
                 std::span<const std::uint32_t> vertices, Binding& out) {
  const Attribute& entries = findAttribute(bound, "joints0");
  Attribute& angles = findAttribute(out, "splineTangent");
  std::array<const Attribute*, 3> normals{};
  std::array<const Attribute*, 3> coordinates{};
  for (std::uint32_t i = 0; i < bound.variant.attachments; ++i) {
    normals[i] = &findAttribute(out, "splineNormal" + std::to_string(i));
    coordinates[i] = &findAttribute(bound, "spline" + std::to_string(i));
  }
  for (const std::uint32_t v : vertices) {
    vec4 all(0.0f);
    for (std::uint32_t i = 0; i < bound.variant.attachments; ++i) {
      const auto place = static_cast<int>(i);
      const mat3 frame = frames.at(readUint(entries, v)[place], readFloat(*coordinates[i], v).x);
      all[place] = angleAbout(vec3(readFloat(*normals[i], v)), vec3(tangents[v]) * frame);
    }
    write(angles, v, all);
  }
}

bool hasAngles(const Variant& variant) {
  return !variant.splineTransform && variant.normals == NormalMode::cheap;
}

} // namespace

vec3 directionAt(const vec3& normal, float angle) {
  const vec3 across = glm::cross(normal, axisAcross(normal));
  const float squared = glm::dot(across, across);
  const vec3 u = squared > 1e-30f ? across / std::sqrt(squared) : vec3(0.0f);
  return std::cos(angle) * u + std::sin(angle) * glm::cross(normal, u);
}

void appendAnglesOfTangents(const Curve& curve, const Rig& rig, Binding& binding) {
  if (rig.tangents.empty() || !hasAngles(binding.variant)) return;
  static constexpr std::array kFormats{AttributeFormat::float1, AttributeFormat::float2,
                                       AttributeFormat::float3};
  const AttributeFormat format = kFormats.at(binding.variant.attachments - 1);
  binding.attributes.push_back({"splineTangent", format, false, {}});
  binding.attributes.back().data.resize(byteSize(format) * binding.vertexCount);
  std::vector<std::uint32_t> all(binding.vertexCount);
  std::iota(all.begin(), all.end(), 0u);
  writeAngles(BindFrames(curve, rig, binding), binding, rig.tangents, all, binding);
}

void morphSplines(const Curve& curve, const Rig& rig, const Binding& bound,
                  const MorphedVertices& morphed, Binding& out) {
  morphGradients(rig, bound, morphed, out);
  if (bound.variant.splineTransform) return;
  const BindFrames frames(curve, rig, bound);
  const Attribute& entries = findAttribute(bound, "joints0");
  for (std::uint32_t i = 0; i < bound.variant.attachments; ++i) {
    const std::string name = "spline" + std::to_string(i);
    const Attribute& coordinates = findAttribute(bound, name);
    Attribute& moved = findAttribute(out, name);
    Attribute* normals = bound.variant.normals == NormalMode::cheap
                             ? &findAttribute(out, "splineNormal" + std::to_string(i))
                             : nullptr;
    for (const std::uint32_t v : morphed.vertices) {
      const vec4 c = readFloat(coordinates, v); // x, offset
      const mat3 frame = frames.at(readUint(entries, v)[static_cast<int>(i)], c.x);
      const vec3 offset = (morphed.positions[v] - rig.positions[v]) * frame;
      write(moved, v, c + vec4(0.0f, offset.x, offset.y, offset.z));
      if (normals != nullptr) write(*normals, v, vec4(morphed.normals[v] * frame, 0.0f));
    }
  }
  if (!rig.tangents.empty() && hasAngles(bound.variant))
    writeAngles(frames, bound, rig.tangents, morphed.vertices, out);
}

} // namespace sinew
