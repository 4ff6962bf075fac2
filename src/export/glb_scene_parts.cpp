#include "export/glb_scene_parts.h"

#include "core/json_text.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr const char* kLights = "KHR_lights_punctual";

GltfJson cameraJson(const SceneCamera& camera) {
  GltfJson lens = GltfJson::object();
  const float near = std::max(camera.nearPlane, camera.isOrthographic ? 0.0f : 1e-6f);
  if (camera.isOrthographic) {
    const float half = std::max(0.5f * camera.height, 1e-6f);
    lens["xmag"] = shortNumber(half * camera.aspect.value_or(1.0f));
    lens["ymag"] = shortNumber(half);
    lens["zfar"] = shortNumber(std::max(camera.farPlane.value_or(0.0f), 1.001f * near + 1e-6f));
  } else {
    if (camera.aspect) lens["aspectRatio"] = shortNumber(*camera.aspect);
    lens["yfov"] = shortNumber(camera.fieldOfView);
    if (camera.farPlane && *camera.farPlane > near) lens["zfar"] = shortNumber(*camera.farPlane);
  }
  lens["znear"] = shortNumber(near);
  GltfJson out = GltfJson::object();
  if (!camera.name.empty()) out["name"] = camera.name;
  const char* type = camera.isOrthographic ? "orthographic" : "perspective";
  out["type"] = type;
  out[type] = std::move(lens);
  return out;
}

GltfJson lightJson(const SceneLight& light) {
  GltfJson out = GltfJson::object();
  if (!light.name.empty()) out["name"] = light.name;
  out["type"] = light.kind == LightKind::directional ? "directional"
                : light.kind == LightKind::spot      ? "spot"
                                                     : "point";
  out["color"] = numbersJson(light.color);
  out["intensity"] = shortNumber(light.intensity);
  if (light.range && light.kind != LightKind::directional) out["range"] = shortNumber(*light.range);
  if (light.kind == LightKind::spot) {
    const float outer = std::clamp(light.outerAngle, 1e-4f, 1.5707963f);
    out["spot"] = {{"innerConeAngle", shortNumber(std::min(light.innerAngle, 0.999f * outer))},
                   {"outerConeAngle", shortNumber(outer)}};
  }
  return out;
}

// The node itself, or one below it.
GltfJson& nodeFor(std::size_t node, const quat& turned, const std::string& name, GltfJson& file) {
  if (std::abs(turned.w) > 1.0f - 1e-7f) return file["nodes"][node];
  const std::size_t made = appendTo(
      file, "nodes",
      {{"name", name}, {"rotation", numbersJson(vec4(turned.x, turned.y, turned.z, turned.w))}});
  appendTo(file["nodes"][node], "children", made);
  return file["nodes"][made];
}

} // namespace

void addSceneParts(const Hierarchy& hierarchy, GltfJson& file) {
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const Node& node = hierarchy.nodes[n];
    if (!node.extras.empty()) {
      const GltfJson extras = parseJson(node.extras, node.name);
      file["nodes"][n]["extras"].update(extras);
    }
    if (const auto& camera = node.camera) {
      const std::size_t index = appendTo(file, "cameras", cameraJson(*camera));
      nodeFor(n, camera->nodeFromCamera, freeNodeName(hierarchy, node.name + " camera"),
              file)["camera"] = index;
    }
    if (const auto& light = node.light) {
      useExtension(file, kLights);
      const std::size_t index = appendTo(file["extensions"][kLights], "lights", lightJson(*light));
      nodeFor(n, light->nodeFromLight, freeNodeName(hierarchy, node.name + " light"),
              file)["extensions"][kLights]["light"] = index;
    }
  }
}

} // namespace sinew
