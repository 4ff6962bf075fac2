#include "app/method_list.h"
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
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("settings go through JSON unchanged") {
  Settings settings;
  settings.methods = parseMethods("rigid,arc-spline:attachments=1");
  settings.parameters = parseParameters("parameter-source=zone");
  settings.difference = parseMethods("dqs").front();
  settings.palette = PaletteStorage::block;
  settings.skinOn = SkinOn::cpu;
  settings.root = RootMotion::accumulate;
  settings.colormap = FieldColors::colorBlindSafe;
  settings.speed = -0.25f;
  settings.wireframe = true;
  settings.background = {BackdropKind::color, {0.1f, 0.2f, 0.3f}};
  settings.weightsJoint = "Hips";
  const std::string json = settingsToJson(settings);
  const Settings read = settingsFromJson(json, "memory");
  CHECK(settingsToJson(read) == json);
  CHECK(read.methods == settings.methods);
  CHECK(read.parameters == settings.parameters);
  CHECK(read.difference == settings.difference);
  CHECK(read.palette == settings.palette);
  CHECK(read.skinOn == settings.skinOn);
  CHECK(read.root == settings.root);
  CHECK(read.colormap == settings.colormap);
}

TEST_CASE("settings that are wrong are named, with their file") {
  CHECK(problemReading(R"({"method": "lbs"})").empty());
  CHECK(problemReading("{").find("settings.json: not valid JSON") == 0);
  CHECK(problemReading(R"({"colour": 1})").find("'colour'") != std::string::npos);
  CHECK(problemReading(R"({"speed": "fast"})").find("'speed' has the wrong type") !=
        std::string::npos);
  CHECK(problemReading(R"({"speed": 900})").find("speed is 900") != std::string::npos);
  CHECK(problemReading(R"({"influences": 13})").find("from 1 to 12") != std::string::npos);
  CHECK(problemReading(R"({"influences": 5})").empty());
  CHECK(problemReading(R"({"method": "magic"})").find("magic") != std::string::npos);
  CHECK(problemReading(R"({"method": 3})").find("'method' has the wrong type") !=
        std::string::npos);
  CHECK(problemReading(R"({"palette": "vram"})").find("uniform-array") != std::string::npos);
  CHECK(problemReading(R"({"skin-on": "moon"})").find("vertex-shader") != std::string::npos);
  CHECK(problemReading(R"({"root": "away"})").find("accumulate") != std::string::npos);
  CHECK(problemReading(R"({"colormap": "grey"})").find("safe") != std::string::npos);
  CHECK(problemReading(R"({"difference": "lbs,dqs"})").find("one method") != std::string::npos);
  CHECK(problemReading(R"({"set": "attachments=9"})").find("attachments") != std::string::npos);
  CHECK(problemReading(R"({"background": "0,2,0"})").find("background") != std::string::npos);
  CHECK(problemReading(R"({"background": "0,0"})").find("background") != std::string::npos);
}

TEST_CASE("a parameter that no chosen method has is a usage error") {
  Settings settings;
  settings.parameters = parseParameters("attachments=1");
  CHECK_NOTHROW(checkParametersUsed(settings, parseMethods("lbs,arc-spline")));
  CHECK_THROWS_WITH_AS(checkParametersUsed(settings, parseMethods("lbs,dqs")),
                       doctest::Contains("attachments"), Error);
  settings.difference = parseMethods("arc-spline").front();
  CHECK_NOTHROW(checkParametersUsed(settings, parseMethods("lbs")));
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
