#include "import/collada/steps.h"

#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kMaxLightIntensity = 1e9;

double positiveOr(const pugi::xml_node& element, double otherwise) {
  const double value = colladaNumber(element, otherwise);
  return value > 0.0 && value < 1e12 ? value : otherwise;
}

SceneCamera readCamera(const pugi::xml_node& element) {
  SceneCamera out;
  out.name = colladaName(element);
  const pugi::xml_node common = element.child("optics").child("technique_common");
  const pugi::xml_node orthographic = common.child("orthographic");
  const pugi::xml_node optics = orthographic ? orthographic : common.child("perspective");
  const double aspect = positiveOr(optics.child("aspect_ratio"), 0.0);
  if (aspect > 0.0) out.aspect = static_cast<float>(aspect);
  const double width = aspect > 0.0 ? aspect : 1.0;
  out.isOrthographic = static_cast<bool>(orthographic);
  if (orthographic) {
    const double half =
        positiveOr(orthographic.child("ymag"), positiveOr(orthographic.child("xmag"), 1.0) / width);
    out.height = static_cast<float>(2.0 * half);
  } else {
    const auto angle = [&](const char* name) {
      return glm::radians(std::clamp(positiveOr(optics.child(name), 0.0), 0.05, 178.0));
    };
    if (optics.child("yfov"))
      out.fieldOfView = static_cast<float>(angle("yfov"));
    else if (optics.child("xfov"))
      out.fieldOfView = static_cast<float>(2.0 * std::atan(std::tan(0.5 * angle("xfov")) / width));
  }
  out.nearPlane = static_cast<float>(positiveOr(optics.child("znear"), 0.1));
  if (const double far = positiveOr(optics.child("zfar"), 0.0); far > out.nearPlane)
    out.farPlane = static_cast<float>(far);
  return out;
}

// Writers give the whole angle of a spot's cone.
std::optional<SceneLight> readLight(const pugi::xml_node& element) {
  const pugi::xml_node common = element.child("technique_common");
  SceneLight out;
  out.name = colladaName(element);
  pugi::xml_node light = common.child("point");
  if (const pugi::xml_node spot = common.child("spot")) {
    light = spot;
    out.kind = LightKind::spot;
    out.outerAngle = static_cast<float>(
        std::clamp(glm::radians(0.5 * positiveOr(spot.child("falloff_angle"), 180.0)), 1e-3,
                   glm::half_pi<double>()));
    out.innerAngle = out.outerAngle;
  } else if (const pugi::xml_node sun = common.child("directional")) {
    light = sun;
    out.kind = LightKind::directional;
  }
  if (!light) return std::nullopt; // ambient
  std::vector<double> numbers = colladaNumbers(light.child("color"));
  numbers.resize(3, 1.0);
  vec3 color;
  for (int i = 0; i < 3; ++i) {
    const double value = numbers[static_cast<std::size_t>(i)];
    color[i] =
        static_cast<float>(std::isfinite(value) ? std::clamp(value, 0.0, kMaxLightIntensity) : 1.0);
  }
  out.intensity = std::max({color.x, color.y, color.z, 1.0f}); // brighter than white
  out.color = color / out.intensity;
  return out;
}

} // namespace

void readColladaSceneParts(const ColladaDocument& document, ColladaNodes& nodes,
                           UnusedCounts& unused) {
  std::size_t cameras = 0;
  std::size_t lights = 0;
  for (const ColladaPlace& place : nodes.places) {
    Node& node = nodes.hierarchy.nodes[place.node];
    for (const pugi::xml_node& child : place.element.children()) {
      const std::string_view name = child.name();
      if (name == "instance_camera") {
        const pugi::xml_node camera = document.find(child.attribute("url").value(), "camera");
        if (camera && !node.camera)
          node.camera = readCamera(camera);
        else
          ++cameras;
      }
      if (name == "instance_light") {
        const pugi::xml_node light = document.find(child.attribute("url").value(), "light");
        const bool free = !node.light;
        if (free && light) node.light = readLight(light);
        if (!free || !node.light) ++lights;
      }
    }
  }
  unused.add("camera", "cameras", cameras);
  unused.add("light", "lights", lights);
}

} // namespace sinew
