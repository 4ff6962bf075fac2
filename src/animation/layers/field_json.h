// Reads and writes parameters (FieldInfo) as JSON, type by type.
#pragma once

#include "animation/layers/layer_kind.h"
#include "core/json_reader.h"

#include <string>
#include <vector>

namespace sinew {

template <class T>
Json toJson(const FieldInfo& info, const T& value) {
  if constexpr (std::is_enum_v<T>)
    return std::string(info.choices[static_cast<std::size_t>(value)]);
  else if constexpr (std::is_same_v<T, vec3>)
    return {value.x, value.y, value.z};
  else if constexpr (std::is_same_v<T, std::vector<vec2>>) {
    Json points = Json::array();
    for (const vec2& point : value)
      points.push_back({point.x, point.y});
    return points;
  } else
    return value;
}

// Leaves `out` as it is where the key is missing.
template <class T>
void readField(JsonObject& object, const FieldInfo& info, T& out) {
  if constexpr (std::is_enum_v<T>) {
    if (const auto value = object.find(info.name)) out = static_cast<T>(value->word(info.choices));
  } else if constexpr (std::is_same_v<T, std::vector<vec2>>) {
    const auto list = object.find(info.name);
    if (!list) return;
    out.clear();
    for (const JsonValue& point : list->elements("point", list->name())) {
      std::array<float, 2> xy{};
      point.numbers(xy);
      out.emplace_back(xy[0], xy[1]);
    }
  } else {
    object.readIfThere(info.name, out);
  }
}

} // namespace sinew
