#include "animation/retarget/motion.h"
#include "editor/document/keying.h"
#include "editor/edit_files.h"
#include "editor/motion_mapping.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace sinew {
namespace {

using test::Editor;
using test::InFolder;

} // namespace

TEST_CASE("joint map in a session: changed while the motion is on the model, saved, read again") {
  const InFolder at;
  Editor editor;
  editor.open("demo:arm");
  openMotion(editor.session, at.file);
  editor.wait();
  REQUIRE(editor.document.bench.motion);
  const std::vector<std::string> joints = modelJoints(*editor.document.bench.motion);
  CHECK(std::ranges::find(joints, "LowerArm") != joints.end());
  const std::vector<std::string> there = motionJoints(*editor.document.bench.motion);
  CHECK(std::ranges::find(there, "LowerArm") != there.end()); // of the same model
  CHECK(editor.unsaved().empty());
  MotionMap map;
  map.joints["LowerArm"] = std::nullopt;
  map.offsets["UpperArm"] = {10, 0, 0};
  remapMotion(editor.session, map);
  editor.wait();
  CHECK(editor.document.loaded.motionMap == map);
  const std::vector<std::string>& still = editor.document.bench.motion->still;
  CHECK(std::ranges::find(still, "LowerArm") != still.end());
  CHECK(editor.unsaved() == std::vector<std::string>{"the map of joints"});
  const auto file = at.folder.path / "map.json";
  saveEdits(editor.session, SaveKind::motionMap, file);
  CHECK(readMotionMap(file) == map);
  CHECK(editor.unsaved().empty());
  remapMotion(editor.session, {});
  editor.wait();
  CHECK(editor.document.bench.motion->exact);
  CHECK(editor.unsaved().size() == 1); // the file has another
}

TEST_CASE("a file without a mesh whose clips move the model's joints is its motion") {
  const InFolder at;
  const auto motion = at.folder.path / "wave.glb";
  Model moves = findDemo("arm").make();
  moves.meshes.clear();
  writeFile(motion, glbOf(moves));
  Editor editor;
  editor.open("demo:arm");
  editor.open(motion.string());
  CHECK(editor.document.loaded.model == "demo:arm");
  CHECK(editor.document.loaded.motion == motion.string());
  REQUIRE(editor.document.bench.motion);
  CHECK(editor.hasMessage("motion of wave.glb is on"));
  // Of another's joints it is a model of its own.
  editor.open("demo:tentacle");
  editor.open(motion.string());
  CHECK(editor.document.loaded.model == motion.string());
}

TEST_CASE("a motion waits for what is not in a file yet, and says what that is") {
  const InFolder at;
  Editor editor;
  Document& document = editor.document;
  const auto refused = [&](const std::string& words) {
    CAPTURE(words);
    document.messages.clear();
    openMotion(editor.session, at.file);
    editor.wait();
    CHECK_FALSE(document.bench.motion);
    CHECK(editor.hasMessage(words));
    while (document.history.canUndo())
      undoEdit(document);
    editor.frame();
  };
  editor.open("demo:arm");
  editor.rotate("LowerArm", 0.5f);
  setKeysHere(document);
  editor.frame();
  refused("the edited keys are not saved yet");
  newSpline(document, editor.session.bind, editor.session.splines);
  editor.frame();
  refused("the new free splines are not saved yet");
  document.history.live().model = std::make_shared<const Model>(findDemo("arm").make());
  commitEdit(document, "Bind");
  refused("the new binding is not saved yet");
  document.history.live().weights.bones = PaintedWeights(document.bench.rig.influences);
  commitEdit(document, "Paint");
  refused("the painted weights are not saved yet");
}

} // namespace sinew
