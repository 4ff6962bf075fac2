#include "editor/background_work.h"
#include "editor/checking.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/session_test_support.h"

namespace sinew {
namespace {

using test::Editor;
using test::InFolder;

void checkAndWait(Session& session) {
  startChecking(session);
  for (int i = 0; i < 20000 && !currentCheck(session); ++i) {
    pollChecking(session, 1e-3 * i);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(currentCheck(session));
}

} // namespace

TEST_CASE("check in the window: a fault is shown from near, in the middle of the picture") {
  for (const char* demo : {"arm", "humanoid"}) {
    const InFolder in(demo);
    Editor editor;
    editor.open(in.file);
    checkAndWait(editor.session);
    const std::shared_ptr<const Check> check = currentCheck(editor.session);
    REQUIRE(faultCount(*check) > 0);
    const Document& document = editor.document;
    for (std::size_t i = 0; i < faultCount(*check); ++i) {
      const JointFault& fault = check->joints[i];
      CAPTURE(fault.name);
      showFault(editor.session, i);
      editor.frame();
      const CheckMoment& moment = fault.moments.front();
      if (moment.clip)
        CHECK(static_cast<double>(document.settings.time) == doctest::Approx(moment.at));
      const vec3 joint(document.bench.modelFromNode[fault.node][3]);
      const vec3 middle =
          document.orbit.framed.center() + document.orbit.pan + carriedAway(document);
      CHECK(glm::distance(joint, middle) < 1e-3f * document.orbit.framed.size());
      CHECK(document.settings.distance < 0.7f);
    }
  }
}

TEST_CASE("check in the window: what repairs a joint is shown, and is what a bake takes") {
  const InFolder in("arm");
  Editor editor;
  editor.open(in.file);
  Session& session = editor.session;
  const auto shown = [&] { return activeChoice(editor.document).method->name; };
  checkAndWait(session);
  const std::shared_ptr<const Check> check = currentCheck(session);
  const JointFault& fault = check->joints[0];
  REQUIRE(fault.best);
  showFault(session, 0);
  CHECK(shown() == fault.methods[*fault.best].method->name);
  for (int i = 0; i < 20000 && session.check.repairJob->running(); ++i) {
    pollChecking(session, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  pollChecking(session, 0.0);
  const auto repair = std::ranges::find(session.check.repairs, "method", &JointRepair::kind);
  REQUIRE(repair != session.check.repairs.end());
  CHECK(repair->severity < fault.severity);
  const JointRepair chosen = *repair;
  applyRepair(session, chosen);
  CHECK(shown() == "per-joint");
  editor.frame();
  session.bake.options.bake.poses.limit = 12;
  session.bake.automatic = false;
  session.bake.helpers = 1;
  startBaking(session);
  for (int i = 0; i < 20000 && !session.bake.last; ++i) {
    pollWork(session, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(session.bake.last);
  CHECK(session.bake.last->target.method->name == "per-joint");
  // Beside linear blending and the target at once.
  REQUIRE(editor.document.settings.methods.size() == 3);
  CHECK(editor.document.settings.methods[2].method->name == "baked");
}

} // namespace sinew
