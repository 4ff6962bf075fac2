#include "core/error.h"
#include "editor/crowd_costs.h"
#include "editor/session_test_support.h"
#include "skinning/method.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace sinew {
namespace {

using test::Editor;

TEST_CASE("costs of a crowd: from what bench has measured, the cheapest first") {
  const auto costs = methodCosts(R"({"results": [{"method": "static", "ms_median": 1.0},
      {"method": "dqs", "ms_median": 3.5}, {"method": "lbs", "ms_median": 2.5}]})");
  REQUIRE(costs.size() == 2); // the unskinned mesh is none
  CHECK(costs[0].method->name == "lbs");
  CHECK(costs[0].milliseconds == 2.5);
  CHECK(costs[1].method->name == "dqs");
  CHECK_THROWS_AS(methodCosts("{}"), Error);
  CHECK_THROWS_AS(methodCosts("no JSON"), Error);
}

TEST_CASE(
    "costs of a crowd: measured when it is shown, while it stands still, forgotten after it") {
  Editor editor;
  Session& session = editor.session;
  Document& document = editor.document;
  editor.open("demo:humanoid");
  document.settings.playing = true;
  session.options.program = "/nonexistent/sinew";
  toggleCrowd(session, 3 * document.workbench.rig.positions.size());
  editor.wait();
  REQUIRE(document.crowd);
  CHECK_FALSE(document.settings.playing);
  for (int i = 0; i < 2000 && !pollCrowdCosts(session); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(session.crowdCosts.problem.find("/nonexistent/sinew") != std::string::npos);
  CHECK(document.settings.playing); // as before
  toggleCrowd(session, 0);
  editor.wait();
  CHECK_FALSE(document.crowd);
  CHECK(session.crowdCosts.problem.empty());
}

} // namespace
} // namespace sinew
