#include "editor/preferences.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json_reader.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

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

void windowFromJson(const std::string& text, const std::string& path, Preferences& memory) {
  const Json json = parseJson(text, path);
  JsonObject file(JsonValue(json, path, ""));
  Preferences read = memory;
  read.recent = file.at("recent").texts();
  if (read.recent.size() > kRecentFiles) read.recent.resize(kRecentFiles);
  JsonObject window(file.at("window"));
  const auto pixels = [&](const char* key, int smallest, int largest) {
    return std::clamp(window.at(key).whole(), smallest, largest);
  };
  constexpr int kFarthest = 1'000'000;
  read.window = {pixels("x", -kFarthest, kFarthest), pixels("y", -kFarthest, kFarthest),
                 pixels("width", 320, 16384), pixels("height", 240, 16384),
                 window.at("maximized").boolean()};
  file.readIfThere("hint", read.hint);
  file.readIfThere("light", read.lightTheme);
  file.readIfThere("scale", read.panelScale);
  read.panelScale = std::clamp(read.panelScale, kMinPanelScale, kMaxPanelScale);
  memory = read;
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
  // A picture that lights is a file, which need not be there when the window opens again. A baked
  // skin is a method of one model, which is not in the table.
  const auto lasting = [](Settings settings) {
    settings.lightFrom = {};
    std::erase_if(settings.methods, [](const MethodChoice& choice) {
      return std::ranges::none_of(methods(),
                                  [&](const Method& each) { return &each == choice.method; });
    });
    if (settings.methods.empty()) settings.methods = Settings().methods;
    settings.difference.reset();
    return Json::parse(settingsToJson(settings));
  };
  Json merged = lasting(before);
  const Json from = lasting(start);
  const Json to = lasting(now);
  for (const auto& [name, value] : to.items())
    if (!from.contains(name) || from[name] != value) merged[name] = value;
  Settings result = settingsFromJson(merged.dump(), kSettingsFile);
  const Settings fresh;
  result.methods.resize(1); // a split is for the models it was made for
  if (result.methods[0].method->perJoint) result.methods = fresh.methods; // for one model
  result.difference = fresh.difference;
  result.speed = fresh.speed;
  result.clip = fresh.clip;
  result.time = fresh.time;
  result.rangeStart = fresh.rangeStart;
  result.rangeEnd = fresh.rangeEnd;
  result.playing = fresh.playing;
  result.weightsJoint = fresh.weightsJoint;
  result.boneColors = fresh.boneColors;
  result.ghosts = fresh.ghosts;
  result.projection = fresh.projection;
  result.yaw = fresh.yaw;
  result.pitch = fresh.pitch;
  result.distance = fresh.distance;
  return result;
}

void addRecent(std::vector<std::string>& recent, const std::string& file) {
  std::string name = file;
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    if (!error) name = path.string();
  }
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kRecentFiles) recent.resize(kRecentFiles);
}

} // namespace sinew
