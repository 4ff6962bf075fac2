#include "check/check_test_support.h"
#include "core/test_effort.h"
#include "editor/checking.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/pose/editing.h"
#include "editor/running_tasks.h"
#include "editor/session_test_support.h"

namespace sinew {
namespace {

using test::Editor;
using test::InFolder;

// An editor with an open arm; its file is gone afterwards.
struct ArmEditor : InFolder, Editor {
  ArmEditor() { open(file); }
};

void checkAndWait(Session& session) {
  startChecking(session);
  for (int i = 0; i < 20000 && !currentCheck(session); ++i) {
    pollChecking(session, 1e-3 * i);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(currentCheck(session));
}

void waitForRepairs(Session& session) {
  for (int i = 0; i < 20000 && session.check.repairs.empty(); ++i) {
    pollChecking(session, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(!session.check.repairs.empty());
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
      const vec3 joint(document.workbench.modelFromNode[fault.node][3]);
      const vec3 middle =
          document.orbit.framed.center() + document.orbit.pan + cameraAway(document);
      CHECK(glm::distance(joint, middle) < 1e-3f * document.orbit.framed.size());
      CHECK(document.settings.distance < 0.7f);
    }
    if (test::kSanitized) break;
  }
}

TEST_CASE("check in the window: the camera stays with the joint while the clip plays" *
          doctest::skip(test::kSanitized)) {
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
  const auto joint = [&] { return vec3(document.workbench.modelFromNode[shown->node][3]); };
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
  ArmEditor editor;
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
    pollTasks(session, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(session.bake.last);
  CHECK(session.bake.last->target.method->name == "per-joint");
  // The baked result is shown at once beside linear blending and the target.
  REQUIRE(editor.document.settings.methods.size() == 3);
  CHECK(editor.document.settings.methods[2].method->name == "baked");
}

TEST_CASE("check in the window: it is checked again after a repair of weights, and after undo") {
  ArmEditor editor;
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
  ArmEditor editor;
  Session& session = editor.session;
  checkAndWait(session);
  const double before = currentCheck(session)->joints[0].severity;
  showFault(session, 0);
  CHECK(editor.document.settings.methods.size() == 2);
  waitForRepairs(session);
  const auto shape = std::ranges::find(session.check.repairs, "corrective", &JointRepair::kind);
  REQUIRE(shape != session.check.repairs.end());
  const JointRepair corrective = *shape;
  applyRepair(session, corrective);
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

TEST_CASE("check in the window: a repair is previewed, and leaves nothing behind") {
  ArmEditor editor;
  Session& session = editor.session;
  Document& document = editor.document;
  checkAndWait(session);
  showFault(session, 0);
  waitForRepairs(session);
  editor.frame();
  const std::shared_ptr<const Check> check = currentCheck(session);
  const Edit before = document.history.now();
  const std::vector<MethodChoice> methods = document.settings.methods;
  const auto positions = [&] {
    editor.frame();
    return skinOnCpu(document.workbench, document.workbench.bound.back()).positions;
  };
  const std::vector<vec3> best = positions();
  for (std::size_t i = 0; i < session.check.repairs.size(); ++i) {
    const JointRepair repair = session.check.repairs[i];
    CAPTURE(repair.text);
    session.check.pointedAt = i;
    pollChecking(session, 0.0);
    const std::vector<vec3> shown = positions();
    CHECK(currentCheck(session) == check);
    CHECK(document.settings.methods.front().method->name == "lbs");
    CHECK(!isApplied(document, check->joints[0], repair));
    const double severity =
        computeSeverity(shapeIn(document.workbench, check->analysis, check->joints[0].region,
                                document.workbench.pose, repair.zone.empty() ? 0 : 1),
                        0.0);
    CHECK(severity <= repair.severity + 1e-3);
    session.check.pointedAt.reset();
    pollChecking(session, 0.0);
    CHECK(positions() == best);
    CHECK(document.history.now() == before);
    CHECK(!document.history.canUndo());
    CHECK(document.settings.methods == methods);
    CHECK(currentCheck(session) == check);
  }
  session.check.pointedAt = 0;
  pollChecking(session, 0.0);
  editor.frame();
  applyRepair(session, JointRepair(session.check.repairs[0]));
  editor.frame();
  undoEdit(document);
  editor.frame();
  CHECK(document.history.now() == before); // one step took it back
}

TEST_CASE("check in the window: what is done during a preview is kept, and has none of it") {
  ArmEditor editor;
  Session& session = editor.session;
  Document& document = editor.document;
  const auto preview = [&] {
    checkAndWait(session);
    showFault(session, 0);
    waitForRepairs(session);
    session.check.pointedAt = 0;
    pollChecking(session, 0.0);
    editor.frame();
    REQUIRE(document.history.previewing());
  };
  preview();
  document.history.live().zones["LowerArm"].method = "dqs";
  commitEdit(document, "another edit");
  document.settings.methods = {{&findMethod("cor")}};
  session.check.pointedAt.reset();
  pollChecking(session, 0.0);
  editor.frame();
  CHECK(document.history.now().zones.size() == 1);
  CHECK(document.workbench.zones.table == document.history.now().zones);
  CHECK(document.settings.methods.front().method->name == "cor");
  undoEdit(document); // nothing to save
  editor.frame();
  preview();
  const InFolder other("humanoid");
  editor.open(other.file); // while the mouse rests
  pollChecking(session, 0.0);
  editor.frame();
  CHECK(!currentCheck(session));
  CHECK(document.workbench.zones.table.empty());
  CHECK(!document.history.canUndo());
}

TEST_CASE("check in the window: a method that was applied is known as applied") {
  ArmEditor editor;
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
  writeFile(in.file, toGlb(test::armAtRest()));
  Editor editor;
  editor.open(in.file);
  checkAndWait(editor.session);
  CHECK(checkLine(editor.session).starts_with("No joint breaks"));
}

} // namespace sinew
