#include "import/gltf/scene_parts.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The member that a number names in a list; nullptr where either is missing.
const GltfJson* namedItem(const GltfJson& holder, const char* key, const GltfJson& list) {
  const GltfJson* index = memberIn(holder, key);
  if (index == nullptr || !index->is_number_unsigned() || !list.is_array()) return nullptr;
  const auto at = index->get<std::size_t>();
  return at < list.size() && list[at].is_object() ? &list[at] : nullptr;
}

const GltfJson& usableObject(const GltfJson& holder, const char* key) {
  static const GltfJson kNothing = GltfJson::object();
  const GltfJson* found = memberIn(holder, key);
  return found != nullptr && found->is_object() ? *found : kNothing;
}

std::optional<float> usableNumber(const GltfJson& holder, const char* key) {
  const GltfJson* found = memberIn(holder, key);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  const auto value = found->get<float>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<float> positiveNumber(const GltfJson& holder, const char* key) {
  const auto value = usableNumber(holder, key);
  return value && *value > 0.0f ? value : std::nullopt;
}

std::string usableText(const GltfJson& holder, const char* key) {
  const GltfJson* found = memberIn(holder, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

SceneCamera cameraOf(const GltfJson& source) {
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

SceneLight lightOf(const GltfJson& source) {
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
std::string extrasOf(const GltfJson& source) {
  GltfJson extras = usableObject(source, "extras");
  extras.erase("sinew");
  return extras.empty() ? std::string() : extras.dump();
}

} // namespace

void readGltfSceneParts(const GltfDocument& document, GltfNodes& nodes) {
  constexpr const char* kLights = "KHR_lights_punctual";
  const GltfJson& root = document.root();
  const GltfJson& cameras =
      root.contains("cameras") ? root["cameras"] : usableObject(root, "cameras");
  const GltfJson& allLights = usableObject(usableObject(root, "extensions"), kLights);
  const GltfJson& lights =
      allLights.contains("lights") ? allLights["lights"] : usableObject(allLights, "lights");
  for (std::size_t i = 0; i < nodes.nodeOf.size(); ++i) {
    if (nodes.nodeOf[i] == kNoNode) continue;
    const GltfJson& source = document.item("nodes", i);
    Node& node = nodes.hierarchy.nodes[nodes.nodeOf[i]];
    if (const GltfJson* camera = namedItem(source, "camera", cameras))
      node.camera = cameraOf(*camera);
    if (const GltfJson* light =
            namedItem(usableObject(usableObject(source, "extensions"), kLights), "light", lights))
      node.light = lightOf(*light);
    node.extras = extrasOf(source);
  }
}

} // namespace sinew
