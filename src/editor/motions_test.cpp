#include "animation/retarget/motion.h"
#include "editor/document/keying.h"
#include "editor/edit_files.h"
#include "editor/motions.h"
#include "editor/session_test_support.h"
#include "import/import_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

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
  REQUIRE(editor.document.workbench.motion);
  const std::vector<std::string> joints = modelJoints(*editor.document.workbench.motion);
  CHECK(std::ranges::find(joints, "LowerArm") != joints.end());
  const std::vector<std::string> there = motionJoints(*editor.document.workbench.motion);
  CHECK(std::ranges::find(there, "LowerArm") != there.end()); // the motion is of the same model
  CHECK(editor.unsaved().empty());
  MotionMap map;
  map.joints["LowerArm"] = std::nullopt;
  map.offsets["UpperArm"] = {10, 0, 0};
  remapMotion(editor.session, map);
  editor.wait();
  CHECK(editor.document.loaded.motionMap == map);
  const std::vector<std::string>& still = editor.document.workbench.motion->still;
  CHECK(std::ranges::find(still, "LowerArm") != still.end());
  CHECK(editor.unsaved() == std::vector<std::string>{"the map of joints"});
  const auto file = at.folder.path / "map.json";
  saveEdits(editor.session, SaveKind::motionMap, file);
  CHECK(readMotionMap(file) == map);
  CHECK(editor.unsaved().empty());
  remapMotion(editor.session, {});
  editor.wait();
  CHECK(editor.document.workbench.motion->exact);
  CHECK(editor.unsaved().size() == 1); // the file has another
}

TEST_CASE("a file without a mesh whose clips move the model's joints is its motion") {
  const InFolder at;
  const auto motion = at.folder.path / "wave.glb";
  Model moves = findDemo("arm").make();
  moves.meshes.clear();
  writeFile(motion, toGlb(moves));
  Editor editor;
  editor.open("demo:arm");
  editor.open(motion.string());
  CHECK(editor.document.loaded.model == "demo:arm");
  CHECK(editor.document.loaded.motion == motion.string());
  REQUIRE(editor.document.workbench.motion);
  CHECK(editor.hasMessage("motion of wave.glb is on"));
  // A motion for other joints is opened as a model of its own.
  editor.open("demo:tentacle");
  editor.open(motion.string());
  CHECK(editor.document.loaded.model == motion.string());
}

TEST_CASE(
    "a motion put on a model with unsaved work becomes its clip, plays, and is one undo step") {
  const InFolder at;
  Editor editor;
  Document& document = editor.document;
  const auto becomesClip = [&](const std::string& what) {
    CAPTURE(what);
    const Edit edited = document.history.now();
    const std::size_t clips = document.workbench.model.clips.size();
    const std::uint64_t model = document.revisions.model;
    document.settings.playing = false;
    openMotion(editor.session, at.file);
    CHECK_FALSE(editor.session.imports.importing);
    for (int i = 0; i < 4000 && !pollAddedMotions(editor.session); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    editor.frame();
    CHECK(document.revisions.model == model); // not read again: the work is there
    CHECK(document.history.now().model == edited.model);
    CHECK(document.history.now().weights == edited.weights);
    CHECK(document.history.now().splines == edited.splines);
    REQUIRE(document.workbench.model.clips.size() > clips);
    REQUIRE(document.workbench.clip);
    CHECK(*document.workbench.clip == clips);
    CHECK(document.settings.playing);
    undoEdit(document);
    CHECK(document.history.now() == edited);
    while (document.history.canUndo())
      undoEdit(document);
    editor.frame();
  };
  editor.open("demo:arm");
  editor.rotate("LowerArm", 0.5f);
  setKeysHere(document);
  editor.frame();
  becomesClip("edited keys");
  newSpline(document, editor.session.bind, editor.session.splines);
  editor.frame();
  becomesClip("free splines");
  document.history.live().weights.bones = PaintedWeights(document.workbench.rig.influences);
  commitEdit(document, "Paint");
  editor.frame();
  becomesClip("painted weights");
  startBinding(document, editor.session.bind);
  editor.wait();
  REQUIRE(document.history.now().model);
  becomesClip("a new binding");
}

TEST_CASE("a motion is not mapped again over unsaved work") {
  const InFolder at;
  Editor editor;
  editor.open("demo:arm");
  openMotion(editor.session, at.file);
  editor.wait();
  REQUIRE(editor.document.workbench.motion);
  editor.rotate("LowerArm", 0.5f);
  setKeysHere(editor.document);
  editor.frame();
  MotionMap map;
  map.joints["LowerArm"] = std::nullopt;
  remapMotion(editor.session, map);
  CHECK_FALSE(editor.session.imports.importing);
  CHECK(editor.hasMessage("would discard unsaved work"));
}

TEST_CASE("added motions: clips of two files are one step, undone, and saved in one .glb") {
  const test::InFolder in("humanoid");
  test::Editor editor;
  editor.open(in.file);
  Document& document = editor.document;
  const std::size_t own = document.workbench.model.clips.size();
  const auto wait = [&] {
    while (!pollAddedMotions(editor.session))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    editor.frame();
  };
  addMotionFiles(editor.session, {in.file, in.file});
  wait();
  CHECK(document.workbench.model.clips.size() == 3 * own);
  CHECK(editor.unsaved() == std::vector<std::string>{"the changed clips, as .glb"});
  saveEdits(editor.session, SaveKind::model, in.folder.path / "all.glb");
  CHECK(importModel((in.folder.path / "all.glb").string()).clips.size() == 3 * own);
  undoEdit(document);
  editor.frame();
  CHECK(document.workbench.model.clips.size() == own);
  addMotionFiles(editor.session, {(in.folder.path / "none.bvh").string()});
  wait();
  CHECK(editor.hasMessage("none.bvh"));
  CHECK(document.workbench.model.clips.size() == own);
}

} // namespace sinew
