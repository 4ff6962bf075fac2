// Pose drivers in a session: made, keyed, undone, mirrored, saved and read.
#include "editor/edit_files.h"
#include "editor/pose/driving.h"
#include "editor/pose/editing.h"
#include "editor/session_test_support.h"

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

TEST_CASE(
    "drivers in a session: a key pose drives a morph target in other poses, is saved and read") {
  const InFolder at("flexing-arm");
  Editor editor;
  Document& document = editor.document;
  editor.open(at.file);
  const std::string muscle = morphLabels(document.workbench.model).front();
  addMorphDriver(document, muscle);
  CHECK(editor.hasMessage("select the joint"));
  selectJoint(document, editor.node("LowerArm"));
  addMorphDriver(document, muscle);
  editor.frame();
  REQUIRE(getDrivers(document).drivers.size() == 1);

  // Off while its muscle is posed by hand.
  DriverSet set = getDrivers(document);
  set.drivers[0].on = false;
  changeDrivers(document, set, "Driver off");
  editor.rotate("LowerArm", 1.0f);
  setMorphWeight(document, 0, 0.8f);
  commitEdit(document, "Weight");
  editor.frame();
  addKeyFromHere(document, 0);
  set = getDrivers(document);
  set.drivers[0].on = true;
  changeDrivers(document, set, "Driver on");
  editor.frame();
  CHECK(document.workbench.pose.morphWeights[0] == doctest::Approx(0.8f));
  editor.rotate("LowerArm", -0.5f);
  editor.frame();
  CHECK(document.workbench.pose.morphWeights[0] > 0.1f);
  CHECK(document.workbench.pose.morphWeights[0] < 0.7f);
  editor.rotate("LowerArm", -0.5f);
  editor.frame();
  CHECK(document.workbench.pose.morphWeights[0] == doctest::Approx(0.0f).epsilon(1e-4));

  CHECK(std::ranges::count(editor.unsaved(), "the pose drivers") == 1);
  saveEdits(editor.session, SaveKind::drivers);
  CHECK(editor.hasMessage("drivers.json: read with the model from now on"));
  CHECK(std::ranges::count(editor.unsaved(), "the pose drivers") == 0);
  CHECK(std::filesystem::exists(at.file + ".drivers.json"));
  const DriverSet saved = getDrivers(document);
  undoEdit(document); // the rotation
  addKeyFromHere(document, 0);
  editor.frame();
  CHECK(std::get<RbfDriver>(getDrivers(document).drivers[0].kind).keys.size() == 2);
  undoEdit(document);
  editor.frame();
  CHECK(getDrivers(document) == saved);

  Editor again;
  again.open(at.file);
  CHECK(getDrivers(again.document) == saved);
  const DriverKey& key = std::get<RbfDriver>(saved.drivers[0].kind).keys[0];
  editedPose(again.document).parentFromNode[again.node("LowerArm")].rotation = key.rotations[0];
  commitEdit(again.document, "Rotate");
  again.frame();
  CHECK(again.document.workbench.pose.morphWeights[0] == doctest::Approx(0.8f));
  mirrorDriver(again.document, 0);
  CHECK(again.hasMessage("no other side"));
}

TEST_CASE("drivers in a session: the same rotations twice are refused, curves follow the clip") {
  const InFolder at("flexing-arm");
  Editor editor;
  Document& document = editor.document;
  editor.open(at.file);
  selectJoint(document, editor.node("LowerArm"));
  addMorphDriver(document, morphLabels(document.workbench.model).front());
  editor.rotate("LowerArm", 1.0f);
  editor.frame();
  addKeyFromHere(document, 0);
  editor.frame();
  addKeyFromHere(document, 0);
  CHECK(editor.hasMessage("two keys have the same rotations"));
  CHECK(std::get<RbfDriver>(getDrivers(document).drivers[0].kind).keys.size() == 1);
  CHECK(keyWeightsOverClip(document, 0, 10).empty()); // a pose is held
  releasePose(document);
  editor.frame();
  const auto curves = keyWeightsOverClip(document, 0, 10);
  REQUIRE(curves.size() == 2); // the key, and rest
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(curves[0][i] >= 0.0f);
    CHECK(curves[0][i] + curves[1][i] <= 1.0f + 1e-5f);
  }
}
