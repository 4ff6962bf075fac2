#include "app/settings.h"

#include "app/method_list.h"
#include "app/method_parameters.h"
#include "core/error.h"
#include "core/json_text.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {

using Json = nlohmann::ordered_json;

namespace {

Json toJson(const vec3& v) {
  return {v.x, v.y, v.z};
}
template <class T>
Json toJson(const T& value) {
  return value;
}

void fromJson(const Json& json, std::string& out) {
  out = json.get<std::string>();
}
void fromJson(const Json& json, bool& out) {
  out = json.get<bool>();
}
void fromJson(const Json& json, float& out) {
  if (!json.is_number()) throw usageError("a number expected");
  out = json.get<float>();
}
void fromJson(const Json& json, int& out) {
  const double value = json.is_number() ? json.get<double>() : 0.5;
  if (value != std::trunc(value) || std::abs(value) > 1e9)
    throw usageError("a whole number expected");
  out = static_cast<int>(value);
}
void fromJson(const Json& json, vec3& out) {
  if (!json.is_array() || json.size() != 3) throw usageError("three numbers expected");
  for (int i = 0; i < 3; ++i)
    fromJson(json[static_cast<std::size_t>(i)], out[i]);
}

std::string problemWith(const OptionInfo& info, const std::string& value) {
  try {
    if (info.name == "set") checkParameters(value);
    if (info.name == "method") methodChoices(value);
    if (info.name == "difference" && value != "none" && methodChoices(value).size() > 1)
      return fmt::format("--difference {}: one method is expected", value);
  } catch (const Error& error) {
    return error.what();
  }
  if (info.name == "method" || info.name == "difference") return {};
  const auto& known = info.choices;
  if (known.empty() || std::find(known.begin(), known.end(), value) != known.end()) return {};
  return unknownName(info.name, value, known).what();
}

std::string problemWith(const OptionInfo& info, float value) {
  if (!std::isfinite(value)) return fmt::format("{} must be finite", info.name);
  if (info.minimum < info.maximum && (value < info.minimum || value > info.maximum))
    return fmt::format("{} is {}; it goes from {} to {}", info.name, value, info.minimum,
                       info.maximum);
  return {};
}

std::string problemWith(const OptionInfo& info, int value) {
  return problemWith(info, static_cast<float>(value));
}

std::string problemWith(const OptionInfo& info, const vec3& value) {
  for (int i = 0; i < 3; ++i)
    if (!(value[i] >= 0.0f && value[i] <= 1.0f))
      return fmt::format("{} takes three numbers from 0 to 1", info.name);
  return {};
}

std::string problemWith(const OptionInfo& /*info*/, bool /*value*/) {
  return {};
}

} // namespace

Wrap wrapOf(const Settings& settings) {
  if (settings.pingPong) return Wrap::pingPong;
  return settings.loop ? Wrap::loop : Wrap::clamp;
}

RootMotion rootMotionOf(const Settings& settings) {
  if (settings.root == "off") return RootMotion::off;
  return settings.root == "accumulate" ? RootMotion::accumulate : RootMotion::keep;
}

std::vector<std::string> methodNames() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    names.emplace_back(method.name);
  return names;
}

std::vector<std::string> namesWithNone(std::vector<std::string> names) {
  names.insert(names.begin(), "none");
  return names;
}

void checkSettings(const Settings& settings) {
  visitSettings(settings, [](const OptionInfo& info, const auto& value) {
    if (const std::string problem = problemWith(info, value); !problem.empty())
      throw usageError(problem);
  });
  if (settings.rangeEnd > 0.0f && settings.rangeEnd <= settings.rangeStart)
    throw usageError("the clip's range ends before it starts",
                     "give a --range-end above --range-start, or 0 for the clip's end");
  if (settings.difference != "none" && !settings.weightsOf.empty())
    throw usageError("--difference and the weights of a joint cannot both be the colours",
                     "leave one of them out");
}

std::string settingsToJson(const Settings& settings) {
  Json json = Json::object();
  visitSettings(settings, [&](const OptionInfo& info, const auto& value) {
    json[std::string(info.name)] = toJson(value);
  });
  return json.dump(1) + "\n";
}

Settings settingsFromJson(std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  if (!json.is_object()) throw inputError(path, "settings are not a JSON object");
  Settings settings;
  std::set<std::string> known;
  visitSettings(settings, [&](const OptionInfo& info, auto& value) {
    const std::string name(info.name);
    known.insert(name);
    if (!json.contains(name)) return;
    try {
      fromJson(json[name], value);
    } catch (const std::exception&) {
      throw inputError(path, fmt::format("'{}' has the wrong type", name), "remove that line");
    }
    if (const std::string problem = problemWith(info, value); !problem.empty())
      throw inputError(path, problem);
  });
  for (const auto& [name, value] : json.items())
    if (!known.contains(name))
      throw inputError(path, fmt::format("unknown setting '{}'", name), "remove that line");
  return settings;
}

} // namespace sinew
