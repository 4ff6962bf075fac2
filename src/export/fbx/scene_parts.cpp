#include "core/json_text.h"
#include "export/fbx/objects.h"

#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kFilm = 35.0 / 25.4; // inches, the longer side: three.js takes no other film
constexpr double kOrthoUnits = 30.0;  // what an orthographic camera sees at a zoom of 1
constexpr double kFar = 4000.0;       // far plane over near plane, where a camera has no far plane
constexpr double kMillimetresPerInch = 25.4;

void addDouble(FbxRecord& properties, const char* name, double value) {
  properties.addProperty(name, "double", "Number", "", value);
}
void addEnum(FbxRecord& properties, const char* name, std::int32_t value) {
  properties.addProperty(name, "enum", "", "", value);
}
void addAngle(FbxRecord& properties, const char* name, double radians) {
  properties.addProperty(name, "Number", "", "A", glm::degrees(radians));
}

bool isWhole(const Json& value) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>() <=
           static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  return value.get<std::int64_t>() >= std::numeric_limits<std::int32_t>::min();
}

bool isVector(const Json& value) {
  return value.is_array() && value.size() == 3 &&
         std::ranges::all_of(value, [](const Json& each) { return each.is_number(); });
}

} // namespace

quat fbxModelFromCamera() {
  return glm::angleAxis(-glm::half_pi<float>(), vec3(0, 1, 0));
}

quat fbxModelFromLight() {
  return glm::angleAxis(-glm::half_pi<float>(), vec3(1, 0, 0));
}

void addFbxCamera(const SceneCamera& camera, std::int64_t model, FbxScene& scene) {
  const FbxNewObject attribute = scene.add("NodeAttribute", "NodeAttribute", camera.name, "Camera");
  scene.connect(attribute.id, model);
  attribute.record->add("TypeFlags", "Camera");
  attribute.record->add("GeometryVersion", 124);
  FbxRecord& properties = attribute.record->add("Properties70");
  const double aspect = static_cast<double>(camera.aspect.value_or(1.5f));
  const double vertical = static_cast<double>(camera.fieldOfView);
  const double tangent = std::tan(0.5 * vertical);
  const double filmHeight = kFilm / std::max(aspect, 1.0);
  addEnum(properties, "AspectRatioMode", 2); // fixed resolution
  addDouble(properties, "AspectWidth", 1000.0 * aspect);
  addDouble(properties, "AspectHeight", 1000.0);
  addDouble(properties, "FilmWidth", filmHeight * aspect);
  addDouble(properties, "FilmHeight", filmHeight);
  addDouble(properties, "FilmAspectRatio", aspect);
  addEnum(properties, "GateFit", 1);      // the height of the film
  addEnum(properties, "ApertureMode", 2); // FieldOfView is vertical
  properties.addProperty("FieldOfView", "FieldOfView", "", "A", glm::degrees(vertical));
  properties.addProperty("FieldOfViewX", "FieldOfViewX", "", "A",
                         glm::degrees(2.0 * std::atan(aspect * tangent)));
  properties.addProperty("FieldOfViewY", "FieldOfViewY", "", "A", glm::degrees(vertical));
  properties.addProperty("FocalLength", "Number", "", "A",
                         0.5 * filmHeight * kMillimetresPerInch / tangent);
  const double near = static_cast<double>(camera.nearPlane);
  addDouble(properties, "NearPlane", near);
  addDouble(properties, "FarPlane",
            camera.farPlane ? static_cast<double>(*camera.farPlane) : kFar * std::max(near, 1e-3));
  addEnum(properties, "CameraProjectionType", camera.isOrthographic ? 1 : 0);
  if (camera.isOrthographic)
    addDouble(properties, "OrthoZoom", static_cast<double>(camera.height) / kOrthoUnits);
}

void addFbxLight(const SceneLight& light, std::int64_t model, FbxScene& scene) {
  const FbxNewObject attribute = scene.add("NodeAttribute", "NodeAttribute", light.name, "Light");
  scene.connect(attribute.id, model);
  attribute.record->add("TypeFlags", "Light");
  attribute.record->add("GeometryVersion", 124);
  FbxRecord& properties = attribute.record->add("Properties70");
  addEnum(properties, "LightType",
          light.kind == LightKind::directional ? 1
          : light.kind == LightKind::spot      ? 2
                                               : 0);
  const glm::dvec3 color(light.color);
  properties.addProperty("Color", "Color", "", "A", color.x, color.y, color.z);
  properties.addProperty("Intensity", "Number", "", "A",
                         100.0 * static_cast<double>(light.intensity));
  addEnum(properties, "DecayType", light.kind == LightKind::directional ? 0 : 2); // quadratic
  if (light.range) {
    properties.addProperty("EnableFarAttenuation", "bool", "", "", 1);
    addDouble(properties, "FarAttenuationEnd", static_cast<double>(*light.range));
  }
  if (light.kind != LightKind::spot) return;
  addAngle(properties, "InnerAngle", 2.0 * static_cast<double>(light.innerAngle));
  addAngle(properties, "OuterAngle", 2.0 * static_cast<double>(light.outerAngle));
}

void addFbxUserProperties(const std::string& extras, FbxRecord& properties) {
  if (extras.empty()) return;
  const Json values = parseJson(extras, "custom properties");
  for (const auto& [name, value] : values.items())
    if (value.is_boolean())
      properties.addProperty(name, "Bool", "", "A+U", std::int32_t{value.get<bool>()});
    else if (isWhole(value))
      properties.addProperty(name, "Integer", "", "A+U", value.get<std::int32_t>());
    else if (value.is_number())
      properties.addProperty(name, "Number", "", "A+U", value.get<double>());
    else if (isVector(value))
      properties.addProperty(name, "Vector", "", "A+U", value[0].get<double>(),
                             value[1].get<double>(), value[2].get<double>());
    else
      properties.addProperty(name, "KString", "", "U",
                             value.is_string() ? value.get<std::string>() : value.dump());
}

} // namespace sinew
