#include "editor/save_as.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sinew {
namespace {

namespace fs = std::filesystem;

using test::Editor;
using test::InFolder;

void endZoneAt(Editor& editor, const char* joint, float end) {
  editor.document.selected = editor.node(joint);
  JointZone entry = selectedZoneEntry(editor.document);
  entry.max = end;
  setSelectedZoneEntry(editor.document, entry);
  commitEdit(editor.document, "Zone");
}

} // namespace

TEST_CASE("save as: each kind goes where it is told to and is read from there") {
  const InFolder at;
  Editor editor;
  Session& session = editor.session;
  CHECK_FALSE(saveProblem(session, SaveKind::pose).empty()); // no model yet
  editor.open(at.file);
  editor.rotate("LowerArm", 0.7f);
  endZoneAt(editor, "LowerArm", 0.05f);
  const auto rotation = [&] {
    return editor.document.bench.pose.parentFromNode[editor.node("LowerArm")].rotation;
  };
  editor.frame();
  const quat rotated = rotation();
  for (const SaveKindInfo& info : saveKinds()) {
    if (info.extension == std::string(".html")) continue;
    CAPTURE(info.name);
    const fs::path path = at.folder.path / info.name;
    const fs::path file = path.string() + info.extension;
    const bool possible = saveProblem(session, info.kind).empty();
    saveAs(session, info.kind, path);
    CHECK(fs::exists(file) == possible);
    CHECK(possible == (info.kind != SaveKind::splines && info.kind != SaveKind::layers &&
                       info.kind != SaveKind::drivers && info.kind != SaveKind::baked));
    CHECK_FALSE(fs::exists(proposedPath(session, info.kind))); // nothing beside the model
  }
  CHECK(editor.unsaved().empty());
  editor.open((at.folder.path / "Model.glb").string());
  editor.open((at.folder.path / "Pose.json").string());
  editor.open((at.folder.path / "Bend ranges.json").string());
  CHECK(editor.document.history.now().zones.at("LowerArm").max == 0.05f);
  REQUIRE(editor.document.history.now().pose);
  editor.frame();
  CHECK(std::abs(glm::dot(rotation(), rotated)) > 0.9999f);
  editor.document.messages.clear();
  saveAs(session, SaveKind::pose, at.folder.path / "none" / "pose.json");
  CHECK(editor.hasMessage("none"));
}

TEST_CASE("save: all that is in no file yet, beside the model, and then nothing") {
  const InFolder at;
  Editor editor;
  editor.open(at.file);
  editor.rotate("LowerArm", 0.7f);
  endZoneAt(editor, "LowerArm", 0.05f);
  CHECK(editor.unsaved().size() == 2);
  saveWork(editor.session);
  CHECK(editor.unsaved().empty());
  CHECK(fs::exists(proposedPath(editor.session, SaveKind::bendRanges)));
  editor.document.messages.clear();
  saveWork(editor.session);
  CHECK(editor.hasMessage("nothing"));
}

TEST_CASE("report: it is about the model as it is here") {
  const InFolder at;
  Editor editor;
  editor.open(at.file);
  SaveKind kind = SaveKind::report;
  const auto words = [&] {
    return programWords(editor.session, kind, at.folder.path, at.folder.path / "out.html");
  };
  const auto holds = [](const std::vector<std::string>& list, const std::string& word) {
    return std::ranges::find(list, word) != list.end();
  };
  CHECK(words()[1] == "compare");
  CHECK(words()[2] == at.file);
  CHECK(holds(words(), "--clip"));
  CHECK_FALSE(holds(words(), "--pose"));
  editor.rotate("LowerArm", 0.7f);
  CHECK(holds(words(), "--pose"));
  CHECK_FALSE(holds(words(), "--clip"));
  CHECK(fs::exists(at.folder.path / "pose.json"));
  kind = SaveKind::page;
  CHECK(words()[1] == "page");
  CHECK(holds(words(), "--pose"));
  undoEdit(editor.document);
  editor.document.loaded.subdivide.joints = {"LowerArm=1:4"}; // as the command line has done
  CHECK(words()[2] == (at.folder.path / "arm.glb").string());
}

} // namespace sinew
