// Reads and writes parameters (FieldInfo) as JSON, type by type.
#pragma once

#include "animation/layers/layer_kind.h"
#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace sinew {

using Json = nlohmann::ordered_json;

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

// An invalid value; the message follows its key.
struct Wrong {
  std::string what;
  std::string remedy;
};

inline float number(const Json& json) {
  if (!json.is_number()) throw Wrong{fmt::format("is {}, not a number", shown(json)), {}};
  const float value = json.get<float>();
  if (!std::isfinite(value)) throw Wrong{fmt::format("is {}, which is too large", shown(json)), {}};
  return value;
}

template <std::size_t N>
std::array<float, N> numbers(const Json& json) {
  if (!json.is_array() || json.size() != N)
    throw Wrong{fmt::format("is {}, not {} numbers", shown(json), N), {}};
  std::array<float, N> values;
  for (std::size_t i = 0; i < N; ++i)
    values[i] = number(json[i]);
  return values;
}

inline void read(const Json& json, bool& out) {
  if (!json.is_boolean()) throw Wrong{fmt::format("is {}, not true or false", shown(json)), {}};
  out = json.get<bool>();
}
inline void read(const Json& json, float& out) {
  out = number(json);
}
inline void read(const Json& json, int& out) {
  if (!json.is_number_integer())
    throw Wrong{fmt::format("is {}, not a whole number", shown(json)), {}};
  out = json.get<int>();
}
inline void read(const Json& json, std::string& out) {
  if (!json.is_string()) throw Wrong{fmt::format("is {}, not a text", shown(json)), {}};
  out = json.get<std::string>();
}
inline void read(const Json& json, vec3& out) {
  const auto [x, y, z] = numbers<3>(json);
  out = {x, y, z};
}
inline void read(const Json& json, std::vector<vec2>& out) {
  if (!json.is_array()) throw Wrong{fmt::format("is {}, not a list of points", shown(json)), {}};
  out.clear();
  for (const Json& point : json) {
    const auto [x, y] = numbers<2>(point);
    out.emplace_back(x, y);
  }
}
inline void read(const Json& json, std::vector<std::string>& out) {
  if (!json.is_array()) throw Wrong{fmt::format("is {}, not a list of names", shown(json)), {}};
  out.clear();
  for (const Json& name : json)
    read(name, out.emplace_back());
}

template <class T>
void readField(const FieldInfo& info, const Json& json, T& out) {
  if constexpr (std::is_enum_v<T>) {
    const auto& known = info.choices;
    const auto found = json.is_string()
                           ? std::find(known.begin(), known.end(), json.get<std::string>())
                           : known.end();
    if (found == known.end())
      throw Wrong{fmt::format("is {}", shown(json)),
                  fmt::format("one of {}", fmt::join(known, ", "))};
    out = static_cast<T>(found - known.begin());
  } else {
    read(json, out);
  }
}

} // namespace sinew
