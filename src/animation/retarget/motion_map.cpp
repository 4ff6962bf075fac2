#include "animation/retarget/motion_map.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

glm::vec3 degreesOf(const Json& json, const std::string& path, const std::string& joint) {
  glm::vec3 out(0.0f);
  bool good = json.is_array() && json.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    good = json[i].is_number();
    if (good) out[static_cast<int>(i)] = json[i].get<float>();
    good = good && std::abs(out[static_cast<int>(i)]) <= 360.0f;
  }
  if (!good)
    throw inputError(path, fmt::format("the offset of '{}' is {}", joint, shown(json)),
                     "give three angles in degrees, from -360 to 360");
  return out;
}

} // namespace

MotionMap readMotionMap(const std::filesystem::path& path) {
  const std::string file = path.string();
  const Json json = parseJson(readFile(path), file);
  const auto wrong = [&](const std::string& what) {
    return inputError(file, what, R"(give {"joints": {...}, "offsets": {...}})");
  };
  if (!json.is_object()) throw wrong(fmt::format("is {}, not a map of joints", shown(json)));
  MotionMap out;
  for (const auto& [key, values] : json.items()) {
    if (key != "joints" && key != "offsets") throw wrong(fmt::format("unknown key '{}'", key));
    if (!values.is_object()) throw wrong(fmt::format("'{}' is {}", key, shown(values)));
    for (const auto& [joint, value] : values.items()) {
      if (key == "offsets")
        out.offsets[joint] = degreesOf(value, file, joint);
      else if (value.is_null())
        out.joints[joint] = std::nullopt;
      else if (value.is_string())
        out.joints[joint] = value.get<std::string>();
      else
        throw inputError(file, fmt::format("the joint of '{}' is {}", joint, shown(value)),
                         "give a name, or null where nothing moves it");
    }
  }
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
