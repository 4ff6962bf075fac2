#include "editor/baking.h"
#include "editor/document/keying.h"
#include "editor/document/views.h"
#include "editor/save_as.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

void waitForBake(BakeState& bake) {
  for (int i = 0; i < 20000 && !pollBaking(bake); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

} // namespace

TEST_CASE("baking: the model as it is here becomes a file, which is opened again") {
  const test::InFolder at;
  test::Editor editor;
  Session& session = editor.session;
  CHECK_FALSE(bakingProblem(session).empty()); // no model yet
  editor.open(at.file);
  session.document.settings.methods = parseMethods("lbs,dqs");
  session.document.views.active = 1;
  session.bake.options.bake.poses.limit = 24;
  session.bake.automatic = false;
  session.bake.helpers = 1;
  session.bake.options.bake.morphs = 1;
  CHECK(saveProblem(session, SaveKind::baked) == "bake it first: Weights, Bake");
  startBaking(session);
  waitForBake(session.bake);
  CHECK(session.bake.problem == "");
  REQUIRE(session.bake.last);
  const BakeRun& run = session.bake.last->run;
  CHECK(session.bake.last->method == "dqs");
  CHECK(run.helpers <= 1);
  CHECK(run.heldOut.mean < run.linear.mean);

  // Three views; what changes the model takes the result out of them.
  showBaked(session);
  session.document.settings.time = 2.0f; // where the elbow is rotated
  editor.frame();
  const Workbench& workbench = session.document.workbench;
  REQUIRE(workbench.bound.size() == 3);
  CHECK(activeChoice(session.document).method->name == "dqs");
  REQUIRE(workbench.differences.size() == 3);
  CHECK(workbench.differences[1].reference);
  CHECK(workbench.differences[2].mean <= workbench.differences[0].mean);
  REQUIRE(workbench.bound[2].standIn);
  CHECK(workbench.bound[2].standIn->morphed.weights.size() == run.morphs);
  CHECK(workbench.bound[2].standIn->morphed.moved() == (run.morphs > 0));
  Model changed = workbench.model;
  session.document.history.live().model = std::make_shared<const Model>(std::move(changed));
  commitEdit(session.document, "Bind");
  editor.frame();
  editor.frame();
  CHECK(workbench.bound.size() == 2);
  undoEdit(session.document);
  editor.frame();

  const fs::path path = at.folder.path / "baked.glb";
  saveAs(session, SaveKind::baked, path);
  CHECK(fs::exists(sidecarPath(path.string(), kDriversSidecar)));
  const std::size_t joints = session.document.joints.size();
  editor.open(path.string());
  CHECK_FALSE(session.bake.last);
  CHECK(session.document.joints.size() == joints + run.helpers);
}

TEST_CASE("baking: skin follows velocities as in the view, by the painted map") {
  const test::InFolder at;
  test::Editor editor;
  Session& session = editor.session;
  editor.open(at.file);
  session.document.settings.drag = 0.3f;
  VelocityMap map;
  map.strength.assign(session.document.workbench.rig.positions.size(), 0.5f);
  setVelocityMap(session.document.workbench, map);
  session.bake.options.bake.poses.limit = 24;
  session.bake.automatic = false;
  session.bake.helpers = 1;
  startBaking(session);
  waitForBake(session.bake);
  REQUIRE(session.bake.last);
  const MovingSkin& moving = session.bake.last->run.outcome->workbench.moving;
  CHECK(moving.strength == VelocityStrength{0.3f, 0.0f});
  CHECK(moving.map.strength == map.strength);
  CHECK(!session.bake.last->run.helperDrivers); // no pose tells a velocity
}

TEST_CASE("baking: a result of a character before an edit is neither shown nor saved unsaid") {
  const test::InFolder at;
  test::Editor editor;
  Session& session = editor.session;
  Document& document = editor.document;
  editor.open(at.file);
  session.bake.options.bake.poses.limit = 24;
  session.bake.automatic = false;
  session.bake.helpers = 1;
  document.settings.methods = parseMethods("dqs");
  editor.frame();
  startBaking(session);
  waitForBake(session.bake);
  REQUIRE(session.bake.last);
  const auto views = [&] {
    showBaked(session);
    editor.frame();
    return document.settings.methods.size();
  };
  // Each is undone afterwards: then the result fits again.
  const auto tryChange = [&](const char* what, const auto& change, const auto& undo) {
    CAPTURE(what);
    CHECK(views() == 3);
    CHECK(bakedChange(session).empty());
    change();
    editor.frame();
    CHECK(document.settings.methods.size() == 2);
    CHECK_FALSE(bakedChange(session).empty());
    CHECK(views() == 2);
    undo();
    editor.frame();
    CHECK(views() == 3);
  };
  const auto tryEdit = [&](const char* what, const auto& edit) {
    tryChange(
        what,
        [&] {
          edit(document.history.live());
          commitEdit(document, what);
        },
        [&] { undoEdit(document); });
  };
  tryEdit("zones", [](Edit& edit) { edit.zones["LowerArm"].max = 0.05f; });
  tryEdit("layers", [](Edit& edit) { edit.layerStack.layers.emplace_back(); });
  tryEdit("drivers", [](Edit& edit) { edit.drivers = std::make_shared<const DriverSet>(); });
  Settings& settings = document.settings;
  tryChange(
      "drag", [&] { settings.drag = 0.2f; }, [&] { settings.drag = 0.0f; });
  tryChange(
      "squash", [&] { settings.squash = 0.2f; }, [&] { settings.squash = 0.0f; });
  tryChange(
      "parameters", [&] { settings.parameters = parseParameters("attachments=1"); },
      [&] { settings.parameters.clear(); });

  newClip(document); // the skin is the same
  editor.frame();
  CHECK(settings.methods.size() == 3);
  CHECK(bakedChange(session).find("clips") != std::string::npos);
  saveAs(session, SaveKind::baked, at.folder.path / "baked.glb");
  CHECK(editor.hasMessage("the clips have changed since"));
}

TEST_CASE("baking: it is cancelled by Escape, and by another model") {
  const test::InFolder at;
  test::Editor editor;
  Session& session = editor.session;
  editor.open(at.file);
  startBaking(session);
  CHECK(session.bake.job->running());
  dismiss(session);
  CHECK_FALSE(session.bake.job->running());
  startBaking(session);
  editor.open("demo:arm");
  CHECK_FALSE(session.bake.job->running());
  CHECK_FALSE(session.bake.last);
}

} // namespace sinew
