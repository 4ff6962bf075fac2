#include "import/gltf/steps.h"

#include <algorithm>

namespace sinew {
namespace {

std::optional<float> positiveNumber(const GltfJson& holder, const char* key) {
  const auto value = usableNumber(holder, key);
  return value && *value > 0.0f ? value : std::nullopt;
}

SceneCamera readCamera(const GltfJson& source) {
  SceneCamera out;
  out.name = usableText(source, "name");
  out.isOrthographic = usableText(source, "type") == "orthographic";
  const GltfJson& lens = usableObject(source, out.isOrthographic ? "orthographic" : "perspective");
  if (out.isOrthographic) {
    const float width = positiveNumber(lens, "xmag").value_or(1.0f);
    const float height = positiveNumber(lens, "ymag").value_or(1.0f);
    out.height = 2.0f * height;
    out.aspect = width / height;
  } else {
    out.fieldOfView = std::min(positiveNumber(lens, "yfov").value_or(out.fieldOfView), 3.14f);
    out.aspect = positiveNumber(lens, "aspectRatio");
  }
  out.nearPlane = positiveNumber(lens, "znear").value_or(out.isOrthographic ? 0.0f : out.nearPlane);
  out.farPlane = positiveNumber(lens, "zfar");
  return out;
}

SceneLight readLight(const GltfJson& source) {
  SceneLight out;
  out.name = usableText(source, "name");
  const std::string type = usableText(source, "type");
  out.kind = type == "directional" ? LightKind::directional
             : type == "spot"      ? LightKind::spot
                                   : LightKind::point;
  if (const GltfJson* color = memberIn(source, "color");
      color != nullptr && color->is_array() && color->size() == 3)
    for (int i = 0; i < 3; ++i)
      if (const GltfJson& value = (*color)[static_cast<std::size_t>(i)]; value.is_number())
        out.color[i] = std::clamp(value.get<float>(), 0.0f, 1.0f);
  out.intensity = std::max(usableNumber(source, "intensity").value_or(1.0f), 0.0f);
  out.range = positiveNumber(source, "range");
  const GltfJson& spot = usableObject(source, "spot");
  out.outerAngle = positiveNumber(spot, "outerConeAngle").value_or(out.outerAngle);
  out.innerAngle = std::min(positiveNumber(spot, "innerConeAngle").value_or(0.0f), out.outerAngle);
  return out;
}

// Without what sinew itself puts there, which is read elsewhere.
std::string readExtras(const GltfJson& source) {
  GltfJson extras = usableObject(source, "extras");
  extras.erase("sinew");
  return extras.empty() ? std::string() : extras.dump();
}

} // namespace

void readGltfSceneParts(const GltfDocument& document, GltfNodes& nodes) {
  constexpr const char* kLights = "KHR_lights_punctual";
  const GltfJson& root = document.root();
  const GltfJson& cameras = usableArray(root, "cameras");
  const GltfJson& lights =
      usableArray(usableObject(usableObject(root, "extensions"), kLights), "lights");
  for (std::size_t i = 0; i < nodes.nodeByFileNode.size(); ++i) {
    if (nodes.nodeByFileNode[i] == kNoNode) continue;
    const GltfJson& source = document.item("nodes", i);
    Node& node = nodes.hierarchy.nodes[nodes.nodeByFileNode[i]];
    if (const GltfJson* camera = usableItem(source, "camera", cameras))
      node.camera = readCamera(*camera);
    if (const GltfJson* light =
            usableItem(usableObject(usableObject(source, "extensions"), kLights), "light", lights))
      node.light = readLight(*light);
    node.extras = readExtras(source);
  }
}

} // namespace sinew
