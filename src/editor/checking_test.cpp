#include "check/check_test_support.h"
#include "editor/background_work.h"
#include "editor/checking.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/pose/editing.h"
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
          document.orbit.framed.center() + document.orbit.pan + cameraAway(document);
      CHECK(glm::distance(joint, middle) < 1e-3f * document.orbit.framed.size());
      CHECK(document.settings.distance < 0.7f);
    }
  }
}

TEST_CASE("check in the window: the camera stays with the joint while the clip plays") {
  const InFolder in("humanoid");
  Editor editor;
  editor.open(in.file);
  checkAndWait(editor.session);
  Document& document = editor.document;
  const std::shared_ptr<const Check> check = currentCheck(editor.session);
  const auto shown = std::ranges::find_if(
      check->joints, [](const JointFault& fault) { return fault.name == "LeftLowerArm"; });
  REQUIRE(shown != check->joints.end());
  showFault(editor.session, static_cast<std::size_t>(shown - check->joints.begin()));
  editor.frame();
  const auto joint = [&] { return vec3(document.bench.modelFromNode[shown->node][3]); };
  const auto target = [&] {
    return document.orbit.framed.center() + document.orbit.pan + cameraAway(document);
  };
  const vec3 before = joint();
  float farthest = 0.0f;
  for (int i = 0; i < 8; ++i) {
    document.settings.time = 0.5f * static_cast<float>(i);
    document.clock = {static_cast<double>(document.settings.time), document.settings.time};
    document.stale = true;
    editor.frame();
    farthest = std::max(farthest, glm::distance(joint(), before));
    CHECK(glm::distance(joint(), target()) < 1e-3f * document.orbit.framed.size());
  }
  CHECK(farthest > 0.1f * document.orbit.framed.size()); // it would have left the close-up
  const vec3 held = target();
  editedPose(document).parentFromNode[shown->node].rotation = quat(0.0f, 1.0f, 0.0f, 0.0f);
  CHECK(glm::distance(target(), held) < 1e-3f * document.orbit.framed.size());
  frameModel(document);
  CHECK(!document.orbit.joint);
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

TEST_CASE("check in the window: it is checked again after a repair of weights, and after undo") {
  const InFolder in("arm");
  Editor editor;
  editor.open(in.file);
  Session& session = editor.session;
  checkAndWait(session);
  showFault(session, 0);
  const std::string joint = currentCheck(session)->joints[0].name;
  double now = 0.0;
  const auto waitFor = [&](const auto& done) {
    for (int i = 0; i < 20000 && !done(); ++i) {
      pollChecking(session, now += 0.1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(done());
  };
  const auto listed = [&] {
    return currentCheck(session) && session.check.chosen && !session.check.repairs.empty();
  };
  waitFor(listed);
  const std::shared_ptr<const Check> first = currentCheck(session);
  const auto repair = std::ranges::find(session.check.repairs, "weights", &JointRepair::kind);
  REQUIRE(repair != session.check.repairs.end());
  const JointRepair chosen = *repair;
  applyRepair(session, chosen);
  editor.frame();
  CHECK(!currentCheck(session));
  waitFor(listed);
  const std::shared_ptr<const Check> second = currentCheck(session);
  CHECK(second != first);
  CHECK(second->joints[*session.check.chosen].name == joint);
  undoEdit(editor.document);
  editor.frame();
  CHECK(!currentCheck(session));
  waitFor(listed);
  CHECK(currentCheck(session)->joints[0].severity == doctest::Approx(first->joints[0].severity));
}

TEST_CASE("check in the window: a corrective shape leaves linear blending alone, and is checked") {
  const InFolder in("arm");
  Editor editor;
  editor.open(in.file);
  Session& session = editor.session;
  checkAndWait(session);
  const double before = currentCheck(session)->joints[0].severity;
  showFault(session, 0);
  CHECK(editor.document.settings.methods.size() == 2);
  JointRepair repair;
  repair.kind = "corrective";
  applyRepair(session, repair);
  editor.frame();
  CHECK(!currentCheck(session));
  REQUIRE(editor.document.settings.methods.size() == 1);
  CHECK(editor.document.settings.methods[0].method->name == "lbs");
  double now = 0.0;
  const auto recheck = [&] {
    for (int i = 0; i < 20000 && !currentCheck(session); ++i) {
      pollChecking(session, now += 0.1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(currentCheck(session));
    return currentCheck(session)->joints[0].severity;
  };
  CHECK(recheck() < before);
  undoEdit(editor.document);
  editor.frame();
  CHECK(!currentCheck(session));
  CHECK(recheck() == doctest::Approx(before));
}

TEST_CASE("check in the window: a method that was applied is known as applied") {
  const InFolder in("arm");
  Editor editor;
  editor.open(in.file);
  checkAndWait(editor.session);
  const JointFault fault = currentCheck(editor.session)->joints[0];
  startRepairs(editor.session, 0);
  JointRepair repair;
  repair.kind = "method";
  repair.zone.method = "dqs";
  CHECK(!isApplied(editor.document, fault, repair));
  applyRepair(editor.session, repair);
  CHECK(isApplied(editor.document, fault, repair));
  undoEdit(editor.document);
  CHECK(!isApplied(editor.document, fault, repair));
}

TEST_CASE("check in the window: a character that holds is told so in the picture") {
  const InFolder in("arm");
  writeFile(in.file, glbOf(test::armAtRest()));
  Editor editor;
  editor.open(in.file);
  checkAndWait(editor.session);
  CHECK(checkLine(editor.session).starts_with("No joint breaks"));
}

} // namespace sinew
