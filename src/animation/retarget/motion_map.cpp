#include "animation/retarget/motion_map.h"

#include "core/file.h"
#include "core/json_reader.h"

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

namespace sinew {

MotionMap readMotionMap(const std::filesystem::path& path) {
  const std::string file = path.string();
  const Json json = parseJson(readFile(path), file);
  JsonObject object(JsonValue(json, file, "the map of joints"));
  MotionMap out;
  if (const auto joints = object.find("joints"))
    for (const auto& [joint, value] : JsonObject(*joints).members("the joint of")) {
      if (!value.json().is_null() && !value.json().is_string())
        throw value.mustBe("a name, or null where nothing moves it");
      out.joints[joint] = value.json().is_null() ? std::nullopt : std::optional(value.text());
    }
  if (const auto offsets = object.find("offsets"))
    for (const auto& [joint, value] : JsonObject(*offsets).members("the offset of")) {
      const vec3 degrees = value.vector();
      if (glm::any(glm::greaterThan(glm::abs(degrees), vec3(360.0f))))
        throw value.mustBe("three angles in degrees, from -360 to 360");
      out.offsets[joint] = degrees;
    }
  object.rejectUnknown();
  return out;
}

std::string motionMapText(const MotionMap& map) {
  Json json{{"joints", Json::object()}, {"offsets", Json::object()}};
  for (const auto& [joint, motion] : map.joints)
    json["joints"][joint] = motion ? Json(*motion) : Json();
  for (const auto& [joint, angles] : map.offsets)
    json["offsets"][joint] = {angles.x, angles.y, angles.z};
  return json.dump(2) + "\n";
}

} // namespace sinew
