#include "core/file.h"
#include "editor/preferences.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

namespace sinew {

namespace fs = std::filesystem;
namespace {

fs::path freshFolder() {
  fs::path folder = fs::temp_directory_path() / "sinew_memory_test";
  fs::remove_all(folder);
  return folder;
}

} // namespace

TEST_CASE("memory: what is written is read again") {
  const fs::path folder = freshFolder();
  Preferences memory;
  memory.settings.wireframe = true;
  memory.settings.background = {BackdropKind::color, {0.5f, 0.25f, 1.0f}};
  memory.recent = {"/a/b.x", "demo:humanoid"};
  memory.window = {10, 20, 900, 700, true};
  writePreferences(folder / "deeper", memory);
  const Preferences again = readPreferences(folder / "deeper");
  CHECK(again.warnings.empty());
  CHECK(again.settings.wireframe);
  CHECK(again.settings.background == memory.settings.background);
  CHECK(again.recent == memory.recent);
  CHECK(again.window == memory.window);
  fs::remove_all(folder);
}

TEST_CASE("memory: the scale of panels is read within its bounds") {
  const fs::path folder = freshFolder();
  Preferences memory;
  for (const auto& [written, read] : {std::pair(1.5f, 1.5f), std::pair(1e9f, kMaxPanelScale)}) {
    memory.panelScale = written;
    writePreferences(folder, memory);
    CHECK(readPreferences(folder).panelScale == read);
  }
  fs::remove_all(folder);
}

TEST_CASE("memory: nothing there gives defaults without a word") {
  const Preferences memory = readPreferences(freshFolder());
  CHECK(memory.warnings.empty());
  CHECK(memory.recent.empty());
}

TEST_CASE("memory: a broken file gives one warning, the defaults, and is kept aside") {
  const char* const broken[] = {"",
                                "{",
                                "[1, 2]",
                                "{\"speed\": \"fast\"}",
                                "{\"speed\": 99}",
                                "{\"no such thing\": 1}",
                                "\xff\xfe\x00"};
  for (const char* text : broken) {
    CAPTURE(text);
    const fs::path folder = freshFolder();
    fs::create_directories(folder);
    std::ofstream(folder / "settings.json") << text;
    std::ofstream(folder / "window.json") << "{\"recent\": 3}";
    const Preferences memory = readPreferences(folder);
    CHECK(memory.warnings.size() == 2);
    CHECK(memory.settings.speed == 1.0f);
    CHECK(memory.window == WindowPlace());
    writePreferences(folder, memory);
    CHECK(readFile(folder / "settings.json.bad") == text);
    CHECK(readPreferences(folder).warnings.empty());
    fs::remove_all(folder);
  }
}

TEST_CASE("memory: a window of no size or of absurd size comes back usable") {
  const fs::path folder = freshFolder();
  Preferences memory;
  memory.window = {0, 0, 0, 2000000, false};
  writePreferences(folder, memory);
  const WindowPlace place = readPreferences(folder).window;
  CHECK(place.width == 320);
  CHECK(place.height == 16384);
  fs::remove_all(folder);
}

TEST_CASE("memory: only what changed in the viewer is remembered, and nothing of one model") {
  Settings before;
  before.speed = 0.5f;
  Settings start = before;
  start.methods = parseMethods("rigid"); // given on the command line for this run
  Settings now = start;
  now.wireframe = true;
  now.clip = "Walk";
  now.time = 1.0f;
  now.weightsJoint = "Hips";
  now.yaw = 2.0f;
  const Settings remembered = settingsToRemember(before, start, now);
  CHECK(remembered.methods == before.methods);
  CHECK(remembered.speed == 1.0f);
  CHECK(remembered.wireframe);
  CHECK(remembered.clip.empty());
  CHECK(remembered.time == 0.0f);
  CHECK(remembered.weightsJoint.empty());
  CHECK(remembered.yaw == Settings().yaw);
  now.methods = parseMethods("dqs,arc-spline,lbs");
  CHECK(methodsText(settingsToRemember(before, start, now).methods) == "dqs");
  Method baked = findMethod("lbs");
  baked.name = "baked"; // the table lacks it
  now.methods.push_back({&baked});
  now.difference = MethodChoice{&baked};
  CHECK(methodsText(settingsToRemember(before, start, now).methods) == "dqs");
  now.methods = {{&baked}};
  CHECK(methodsText(settingsToRemember(before, start, now).methods) == "lbs");
  now.difference.reset();
  now.methods = parseMethods("per-joint");
  CHECK(methodsText(settingsToRemember(before, start, now).methods) == "lbs");
}

TEST_CASE("memory: the folder follows the XDG specification") {
  ::setenv("HOME", "/home/someone", 1);
  ::setenv("XDG_CONFIG_HOME", "/etc/xdg-test", 1);
  CHECK(configFolder() == "/etc/xdg-test/sinew");
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  CHECK(configFolder() == "/home/someone/.config/sinew");
  ::unsetenv("XDG_CONFIG_HOME");
  CHECK(configFolder() == "/home/someone/.config/sinew");
  ::setenv("HOME", "", 1); // not the working folder
  CHECK(configFolder().is_absolute());
}

TEST_CASE("recent files: newest first, once each, and not without end") {
  std::vector<std::string> recent;
  addRecent(recent, "demo:a");
  addRecent(recent, "demo:b");
  addRecent(recent, "demo:a");
  CHECK(recent == std::vector<std::string>{"demo:a", "demo:b"});
  for (int i = 0; i < 40; ++i)
    addRecent(recent, "demo:" + std::to_string(i));
  CHECK(recent.size() == kRecentFiles);
  CHECK(recent.front() == "demo:39");
}

TEST_CASE("recent files: two ways to name a file are one entry") {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_recent_test";
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "model.x") << "x";
  std::vector<std::string> recent;
  addRecent(recent, (folder / "model.x").string());
  addRecent(recent, (folder / "sub" / ".." / "model.x").string());
  CHECK(recent.size() == 1);
  CHECK(std::filesystem::path(recent.front()).is_absolute());
  std::filesystem::remove_all(folder);
}

} // namespace sinew
