#include "animation/retarget/motion.h"
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
  saveMotionMap(editor.document, file);
  CHECK(readMotionMap(file) == map);
  CHECK(editor.unsaved().empty());
  remapMotion(editor.session, {});
  editor.wait();
  CHECK(editor.document.bench.motion->exact);
  CHECK(editor.unsaved().size() == 1); // the file has another
}

} // namespace sinew
