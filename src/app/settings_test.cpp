#include "app/settings.h"
#include "core/error.h"

#include <doctest/doctest.h>

#include <set>

using namespace sinew;

namespace {

std::string problemReading(const char* json) {
  try {
    settingsFromJson(json, "settings.json");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::input);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("settings go through JSON unchanged") {
  Settings settings;
  settings.method = "rigid";
  settings.speed = -0.25f;
  settings.wireframe = true;
  settings.background = {0.1f, 0.2f, 0.3f};
  settings.weightsOf = "Hips";
  const std::string json = settingsToJson(settings);
  CHECK(settingsToJson(settingsFromJson(json, "memory")) == json);
}

TEST_CASE("settings that are wrong are named, with their file") {
  CHECK(problemReading(R"({"method": "lbs"})").empty());
  CHECK(problemReading("{").find("settings.json: not valid JSON") == 0);
  CHECK(problemReading(R"({"colour": 1})").find("'colour'") != std::string::npos);
  CHECK(problemReading(R"({"speed": "fast"})").find("'speed' has the wrong type") !=
        std::string::npos);
  CHECK(problemReading(R"({"speed": 900})").find("speed is 900") != std::string::npos);
  CHECK(problemReading(R"({"method": "magic"})").find("magic") != std::string::npos);
  CHECK(problemReading(R"({"set": "attachments=9"})").find("attachments") != std::string::npos);
  CHECK(problemReading(R"({"background": [0, 2, 0]})").find("background") != std::string::npos);
  CHECK(problemReading(R"({"background": [0, 0]})").find("background") != std::string::npos);
}

TEST_CASE("defaults pass their own checks, and every option has a name of its own and help") {
  Settings settings;
  CHECK_NOTHROW(checkSettings(settings));
  std::set<std::string_view> names;
  visitSettings(settings, [&](const OptionInfo& info, const auto& /*value*/) {
    CHECK(names.insert(info.name).second);
    CHECK(!info.help.empty());
    CHECK(!info.group.empty());
  });
}
