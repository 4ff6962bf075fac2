#include "core/error.h"
#include "import/formats.h"
#include "web/requests.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <string>

namespace sinew {
namespace {

using Json = nlohmann::json;

std::string ask(WebSession& session, const Json& request) {
  return answerRequest(session, request.dump(), {});
}

std::vector<float> floatsIn(const std::string& bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

TEST_CASE("web: a model is opened, shown by two methods and saved") {
  WebSession session;
  const Json described = Json::parse(ask(session, {{"do", "open"}, {"file", "demo:arm"}}));
  CHECK(described["skinned"] == true);
  CHECK(described["clips"].size() > 0);
  const Json info = Json::parse(ask(session, {{"do", "info"}}));
  CHECK(info["vertices"] == described["vertices"]);

  const auto places = [&](const char* method) {
    return floatsIn(
        ask(session, {{"do", "vertices"}, {"settings", {{"method", method}, {"time", 1.0}}}}));
  };
  const std::vector<float> linear = places("lbs"), arcs = places("arc-spline");
  REQUIRE(linear.size() == 3 * described["vertices"].get<std::size_t>());
  REQUIRE(arcs.size() == linear.size());
  float apart = 0.0f;
  for (std::size_t i = 0; i < linear.size(); ++i)
    apart = std::max(apart, std::abs(linear[i] - arcs[i]));
  CHECK(apart > 0.001f);

  const std::string page = ask(
      session, {{"do", "page"}, {"settings", {{"method", "lbs,arc-spline"}}}, {"clips", {"bind"}}});
  std::uint32_t length = 0;
  std::memcpy(&length, page.data(), sizeof length);
  const Json data = Json::parse(page.substr(sizeof length, length));
  CHECK(data["methods"].size() == 2);
  CHECK(data["clips"][0]["methods"][0].contains("difference") == false); // the browser measures
  REQUIRE(data["textures"].size() > 0);
  CHECK(data["textures"][0]["mime"] == "image/png");
  const std::string raw =
      ask(session, {{"do", "page"}, {"clips", {"bind"}}, {"rawTextures", true}});
  std::memcpy(&length, raw.data(), sizeof length);
  const Json texture = Json::parse(raw.substr(sizeof length, length))["textures"][0];
  CHECK(texture.contains("mime") == false);
  CHECK(texture["count"] == 4 * texture["width"].get<int>() * texture["height"].get<int>());
  CHECK(ask(session, {{"do", "glb"}}).starts_with("glTF"));
}

TEST_CASE("web: a page's data may leave out what a page has already") {
  WebSession session;
  ask(session, {{"do", "open"}, {"file", "demo:arm"}});
  Json request{{"do", "page"}, {"clips", {"bind"}}};
  const std::string whole = ask(session, request);
  request["program"] = false;
  const std::string part = ask(session, request);
  const auto readData = [](const std::string& page) {
    std::uint32_t length = 0;
    std::memcpy(&length, page.data(), sizeof length);
    return Json::parse(page.substr(sizeof length, length));
  };
  CHECK(readData(whole)["posing"].contains("module"));
  CHECK(readData(part)["posing"].contains("rig"));
  CHECK(readData(part)["posing"].contains("module") == false);
  CHECK(part.size() < whole.size());
  CHECK(ask(session, {{"do", "html"}, {"clips", {"bind"}}}).starts_with("<!doctype html>"));
}

TEST_CASE("web: a bare mesh gets weights by a template") {
  WebSession session;
  ask(session, {{"do", "open"}, {"file", "demo:humanoid"}});
  const Json bound = Json::parse(ask(session, {{"do", "bind"}, {"skeleton", "template:humanoid"}}));
  CHECK(bound["skinned"] == true);
  CHECK(bound["joints"].size() > 10);
}

TEST_CASE("web: a page gets the endings of the table of formats") {
  WebSession session;
  const Json choices = Json::parse(ask(session, {{"do", "choices"}}));
  std::size_t row = 0;
  for (const Format& format : formats()) {
    if (!format.inBrowser) continue;
    CAPTURE(format.extension);
    REQUIRE(row < choices["formats"].size());
    CHECK(choices["formats"][row]["ending"] == getEnding(format));
    CHECK(choices["formats"][row]["motion"] == format.motionAlone);
    ++row;
  }
  CHECK(row == choices["formats"].size());
  CHECK(getEnding(*findFormat("xml")) == ".mesh.xml");
}

TEST_CASE("web: what is wrong with a request is said") {
  WebSession session;
  CHECK_THROWS_AS(answerRequest(session, "{", {}), Error);
  CHECK_THROWS_WITH(ask(session, {{"do", "opne"}}), doctest::Contains("did you mean 'open'?"));
  CHECK_THROWS_WITH(ask(session, {{"do", "glb"}}), "no model is open");
  ask(session, {{"do", "open"}, {"file", "demo:arm"}});
  CHECK_THROWS_AS(ask(session, {{"do", "page"}, {"settings", {{"method", "nothing"}}}}), Error);
  CHECK_THROWS_AS(ask(session, {{"do", "page"}, {"fps", "many"}}), Error);
  CHECK_THROWS_AS(ask(session, {{"do", "open"}, {"file", "nothing.glb"}}), Error);
}

} // namespace
} // namespace sinew
