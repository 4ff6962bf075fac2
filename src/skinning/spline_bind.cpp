#include "skinning/spline_bind.h"

#include "skinning/spline_palette.h"

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

} // namespace sinew
