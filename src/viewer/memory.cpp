#include "viewer/memory.h"

#include "core/error.h"
#include "core/file.h"
#include "viewer/recent_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace sinew {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

const char* const kSettingsFile = "settings.json";
const char* const kWindowFile = "window.json";

std::string windowToJson(const Memory& memory) {
  const WindowPlace& w = memory.window;
  const Json json = {{"recent", memory.recent},
                     {"window",
                      {{"x", w.x},
                       {"y", w.y},
                       {"width", w.width},
                       {"height", w.height},
                       {"maximized", w.maximized}}}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void windowFromJson(const std::string& text, Memory& memory) {
  const Json json = Json::parse(text);
  const auto recent = json.at("recent").get<std::vector<std::string>>();
  const Json& window = json.at("window");
  WindowPlace place;
  window.at("x").get_to(place.x);
  window.at("y").get_to(place.y);
  window.at("width").get_to(place.width);
  window.at("height").get_to(place.height);
  window.at("maximized").get_to(place.maximized);
  place.width = std::clamp(place.width, 320, 16384);
  place.height = std::clamp(place.height, 240, 16384);
  memory.window = place;
  memory.recent.assign(recent.begin(),
                       recent.begin() + static_cast<std::ptrdiff_t>(
                                            std::min(recent.size(), kRecentFiles)));
}

// Calls read(text); a failure becomes one warning, and the file is set aside for the user.
template <class Read>
void readPart(const fs::path& file, Memory& memory, Read&& read) {
  std::error_code error;
  if (!fs::exists(file, error)) return;
  try {
    read(readFile(file));
  } catch (const std::exception& problem) {
    fs::path aside = file;
    aside += ".bad";
    fs::rename(file, aside, error);
    memory.warnings.push_back(
        fmt::format("{} is not usable and the defaults are taken ({}){}", file.string(),
                    problem.what(),
                    error ? std::string() : fmt::format("; kept as {}", aside.string())));
  }
}

} // namespace

fs::path configFolder() {
  // The XDG base directory specification: a relative path there is to be ignored.
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME"); xdg != nullptr && xdg[0] == '/')
    return fs::path(xdg) / "sinew";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : "/") / ".config" / "sinew";
}

Memory readMemory(const fs::path& folder) {
  Memory memory;
  const fs::path settings = folder / kSettingsFile;
  readPart(settings, memory, [&](const std::string& text) {
    memory.settings = settingsFromJson(text, settings.string());
  });
  readPart(folder / kWindowFile, memory,
           [&](const std::string& text) { windowFromJson(text, memory); });
  return memory;
}

void writeMemory(const fs::path& folder, const Memory& memory) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw usageError(
        fmt::format("{}: cannot be created ({})", folder.string(), error.message()));
  writeFile(folder / kSettingsFile, settingsToJson(memory.settings));
  writeFile(folder / kWindowFile, windowToJson(memory));
}

Settings settingsToRemember(const Settings& before, const Settings& start, const Settings& now) {
  Json merged = Json::parse(settingsToJson(before));
  const Json from = Json::parse(settingsToJson(start));
  const Json to = Json::parse(settingsToJson(now));
  for (const auto& [name, value] : to.items())
    if (!from.contains(name) || from[name] != value) merged[name] = value;
  Settings result = settingsFromJson(merged.dump(), kSettingsFile);
  const Settings fresh;
  result.clip = fresh.clip;
  result.time = fresh.time;
  result.playing = fresh.playing;
  result.weightsOf = fresh.weightsOf;
  result.yaw = fresh.yaw;
  result.pitch = fresh.pitch;
  result.distance = fresh.distance;
  return result;
}

} // namespace sinew
