#include "app/settings.h"

#include "core/error.h"
#include "core/json_text.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>

namespace sinew {

using Json = nlohmann::ordered_json;

namespace {

// Caught where the option's name is known.
nlohmann::json::type_error typeError() {
  return nlohmann::json::type_error::create(302, "another type is expected", nullptr);
}

template <class T>
Json toJson(const T& value) {
  if constexpr (TextSetting<T>)
    return settingText(value);
  else
    return value;
}

template <TextSetting T>
void fromJson(const Json& json, T& out) {
  readSetting(json.get<std::string>(), out);
}

void fromJson(const Json& json, std::string& out) {
  out = json.get<std::string>();
}
void fromJson(const Json& json, bool& out) {
  out = json.get<bool>();
}
void fromJson(const Json& json, float& out) {
  if (!json.is_number()) throw typeError();
  out = json.get<float>();
}
void fromJson(const Json& json, int& out) {
  const double value = json.is_number() ? json.get<double>() : 0.5;
  if (value != std::trunc(value) || std::abs(value) > 1e9) throw typeError();
  out = static_cast<int>(value);
}

template <class T>
std::string problemWith(const OptionInfo& /*info*/, const T& /*value*/) {
  return {};
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

// The words of an enumeration, in its order.
template <class Enum>
void readWord(std::string_view what, std::string_view text, const std::vector<std::string>& names,
              Enum& out) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) throw unknownName(what, text, names);
  out = static_cast<Enum>(found - names.begin());
}

constexpr std::string_view kNone = "none";

// R,G,B from 0 to 1.
vec3 colorFrom(std::string_view text) {
  const auto problem = [&] {
    return usageError(fmt::format("background '{}': a colour is three numbers from 0 to 1", text));
  };
  vec3 color;
  const char* at = text.data();
  const char* end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && (at == end || *at++ != ',')) throw problem();
    const auto [rest, error] = std::from_chars(at, end, color[i]);
    if (error != std::errc() || !(color[i] >= 0.0f && color[i] <= 1.0f)) throw problem();
    at = rest;
  }
  if (at != end) throw problem();
  return color;
}

} // namespace

std::vector<MethodChoice> defaultMethods() {
  return {{&findMethod("lbs")}};
}

std::string settingText(const std::vector<MethodChoice>& methods) {
  return methodsText(methods);
}
void readSetting(std::string_view text, std::vector<MethodChoice>& methods) {
  methods = parseMethods(text);
}

std::string settingText(const std::optional<MethodChoice>& method) {
  return method ? methodText(*method) : std::string(kNone);
}
void readSetting(std::string_view text, std::optional<MethodChoice>& method) {
  if (text == kNone) return method.reset();
  const std::vector<MethodChoice> choices = parseMethods(text);
  if (choices.size() > 1)
    throw usageError(fmt::format("--difference {}: one method is expected", text));
  method = choices.front();
}

std::string settingText(const ParameterSettings& parameters) {
  return parametersText(parameters);
}
void readSetting(std::string_view text, ParameterSettings& parameters) {
  parameters = parseParameters(text);
}

std::string settingText(PaletteStorage storage) {
  return std::string(toString(storage));
}
void readSetting(std::string_view text, PaletteStorage& storage) {
  readWord("palette", text, paletteNames(), storage);
}

std::string settingText(SkinOn skinOn) {
  return std::string(toString(skinOn));
}
void readSetting(std::string_view text, SkinOn& skinOn) {
  readWord("skin-on", text, skinOnWords(), skinOn);
}

std::string settingText(RootMotion root) {
  return rootNames()[static_cast<std::size_t>(root)];
}
void readSetting(std::string_view text, RootMotion& root) {
  readWord("root", text, rootNames(), root);
}

std::string settingText(const LightPicture& picture) {
  return picture.file.empty() ? std::string(kNone) : picture.file;
}
void readSetting(std::string_view text, LightPicture& picture) {
  picture = text == kNone || text.empty() ? LightPicture() : readLightPicture(text);
}

std::string settingText(Look look) {
  return lookNames()[static_cast<std::size_t>(look)];
}
void readSetting(std::string_view text, Look& look) {
  readWord("look", text, lookNames(), look);
}

std::string settingText(FieldColors colors) {
  return colormapNames()[static_cast<std::size_t>(colors)];
}
void readSetting(std::string_view text, FieldColors& colors) {
  readWord("colormap", text, colormapNames(), colors);
}

std::string settingText(const Backdrop& background) {
  const vec3& color = background.color;
  if (background.kind == BackdropKind::color)
    return fmt::format("{},{},{}", color.x, color.y, color.z);
  return backgroundWords()[static_cast<std::size_t>(background.kind)];
}
void readSetting(std::string_view text, Backdrop& background) {
  if (text.find(',') == std::string_view::npos)
    return readWord("background", text, backgroundWords(), background.kind);
  background = {BackdropKind::color, colorFrom(text)};
}

std::string settingText(Projection projection) {
  return projectionNames()[static_cast<std::size_t>(projection)];
}
void readSetting(std::string_view text, Projection& projection) {
  readWord("projection", text, projectionNames(), projection);
}

Wrap getWrap(const Settings& settings) {
  if (settings.pingPong) return Wrap::pingPong;
  return settings.loop ? Wrap::loop : Wrap::clamp;
}

std::vector<std::string> methodNames() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    names.emplace_back(method.name);
  return names;
}

std::vector<std::string> rootNames() {
  return {"keep", "off", "accumulate"};
}

std::vector<std::string> lookNames() {
  return {"physical", "plain"};
}

std::vector<std::string> colormapNames() {
  return {"heat", "safe"};
}

std::vector<std::string> paletteNames() {
  const auto names = paletteStorageNames();
  return {names.begin(), names.end()};
}

std::vector<std::string> skinOnWords() {
  const auto names = skinOnNames();
  return {names.begin(), names.end()};
}

std::vector<std::string> backgroundWords() {
  return {"dark", "light", "studio"};
}

std::vector<std::string> projectionNames() {
  return {"perspective", "orthographic"};
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
  if (settings.difference && !settings.weightsJoint.empty())
    throw usageError("--difference and the weights of a joint cannot both be the colours",
                     "leave one of them out");
  if (settings.boneColors && (settings.difference || !settings.weightsJoint.empty()))
    throw usageError("--bone-colors cannot be shown with --difference or the weights of a joint",
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
    } catch (const nlohmann::json::exception&) {
      throw inputError(path, fmt::format("'{}' has the wrong type", name), "remove that line");
    } catch (const Error& error) {
      throw inputError(path, error.what());
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
