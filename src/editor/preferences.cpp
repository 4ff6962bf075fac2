#include "editor/preferences.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"
#include "editor/recent_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <pwd.h>
#include <system_error>
#include <unistd.h>

namespace sinew {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

const char* const kSettingsFile = "settings.json";
const char* const kWindowFile = "window.json";

std::string windowToJson(const Preferences& memory) {
  const WindowPlace& w = memory.window;
  const Json json = {{"recent", memory.recent},
                     {"hint", memory.hint},
                     {"light", memory.lightTheme},
                     {"scale", memory.panelScale},
                     {"window",
                      {{"x", w.x},
                       {"y", w.y},
                       {"width", w.width},
                       {"height", w.height},
                       {"maximized", w.maximized}}}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A size on a screen: it converts no number that an int cannot hold.
int pixelsOf(const Json& json) {
  constexpr double kFarthest = 1e6;
  return static_cast<int>(std::clamp(json.get<double>(), -kFarthest, kFarthest));
}

void windowFromJson(const std::string& text, const std::string& path, Preferences& memory) try {
  const Json json = parseJson(text, path);
  const auto recent = json.at("recent").get<std::vector<std::string>>();
  const Json& window = json.at("window");
  WindowPlace place;
  place.x = pixelsOf(window.at("x"));
  place.y = pixelsOf(window.at("y"));
  place.width = pixelsOf(window.at("width"));
  place.height = pixelsOf(window.at("height"));
  window.at("maximized").get_to(place.maximized);
  place.width = std::clamp(place.width, 320, 16384);
  place.height = std::clamp(place.height, 240, 16384);
  memory.window = place;
  memory.hint = json.value("hint", true);
  memory.lightTheme = json.value("light", false);
  memory.panelScale = std::clamp(json.value("scale", 1.0f), kMinPanelScale, kMaxPanelScale);
  memory.recent.assign(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min(recent.size(), kRecentFiles)));
} catch (const Json::exception&) {
  throw inputError(path, "does not have \"recent\" files and the \"window\"'s place");
}

void readSettings(const fs::path& file, Preferences& memory) {
  memory.settings = settingsFromJson(readFile(file), file.string());
}

void readWindow(const fs::path& file, Preferences& memory) {
  windowFromJson(readFile(file), file.string(), memory);
}

using Read = void (*)(const fs::path& file, Preferences& memory);

// What is wrong with a file; empty if nothing is, or if it is not there.
std::string readPart(const fs::path& file, Read read, Preferences& memory) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  try {
    read(file, memory);
    return {};
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

void writePart(const fs::path& file, Read read, const std::string& text) {
  Preferences ignored;
  if (!readPart(file, read, ignored).empty()) {
    fs::path aside = file;
    aside += ".bad";
    std::error_code error;
    fs::rename(file, aside, error);
  }
  writeFile(file, text);
}

} // namespace

fs::path userFolder(const char* variable, const char* below) {
  // A relative path there is to be ignored.
  if (const char* xdg = std::getenv(variable); xdg != nullptr && xdg[0] == '/')
    return fs::path(xdg) / "sinew";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') {
    const passwd* user = ::getpwuid(::getuid());
    home = user != nullptr ? user->pw_dir : "/";
  }
  return fs::path(home) / below / "sinew";
}

fs::path configFolder() {
  return userFolder("XDG_CONFIG_HOME", ".config");
}

Preferences readPreferences(const fs::path& folder) {
  Preferences memory;
  const auto part = [&](const char* name, Read read) {
    const fs::path file = folder / name;
    if (const std::string problem = readPart(file, read, memory); !problem.empty())
      memory.warnings.push_back(
          fmt::format("{} is not usable, the defaults are taken ({})", file.string(), problem));
  };
  part(kSettingsFile, readSettings);
  part(kWindowFile, readWindow);
  return memory;
}

void writePreferences(const fs::path& folder, const Preferences& memory) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw usageError(fmt::format("{}: cannot be created ({})", folder.string(), error.message()));
  writePart(folder / kSettingsFile, readSettings, settingsToJson(memory.settings));
  writePart(folder / kWindowFile, readWindow, windowToJson(memory));
}

Settings settingsToRemember(const Settings& before, const Settings& start, const Settings& now) {
  // A picture that lights is a file, which need not be there when the window opens again.
  const auto jsonOf = [](Settings settings) {
    settings.lightFrom = {};
    return Json::parse(settingsToJson(settings));
  };
  Json merged = jsonOf(before);
  const Json from = jsonOf(start);
  const Json to = jsonOf(now);
  for (const auto& [name, value] : to.items())
    if (!from.contains(name) || from[name] != value) merged[name] = value;
  Settings result = settingsFromJson(merged.dump(), kSettingsFile);
  const Settings fresh;
  result.methods.resize(1); // a split is for the models it was made for
  if (result.methods[0].method->perJoint) result.methods = fresh.methods; // of one model's joints
  result.difference = fresh.difference;
  result.speed = fresh.speed;
  result.clip = fresh.clip;
  result.time = fresh.time;
  result.rangeStart = fresh.rangeStart;
  result.rangeEnd = fresh.rangeEnd;
  result.playing = fresh.playing;
  result.weightsOf = fresh.weightsOf;
  result.boneColors = fresh.boneColors;
  result.ghosts = fresh.ghosts;
  result.projection = fresh.projection;
  result.yaw = fresh.yaw;
  result.pitch = fresh.pitch;
  result.distance = fresh.distance;
  return result;
}

} // namespace sinew
