#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "editor/session_test_support.h"
#include "editor/unsaved.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

namespace sinew {
namespace {

using test::Editor;
using test::InFolder;

void bindAgain(Editor& editor) {
  draftOwnJoints(editor.document, editor.session.bind);
  editor.frame();
  startBinding(editor.document, editor.session.bind);
  editor.wait();
  REQUIRE(editor.document.history.now().model);
}

} // namespace

TEST_CASE("opening: a file that cannot be read leaves a crowd as it is") {
  const InFolder at;
  Editor editor;
  Session& session = editor.session;
  session.options.program = "/nonexistent/sinew";
  editor.open(at.file);
  editor.document.settings.methods = parseMethods("lbs,dqs");
  editor.frame();
  toggleCrowd(session, 3 * editor.document.workbench.rig.positions.size());
  editor.wait();
  REQUIRE(editor.document.crowd);
  editor.open(at.folder.write("broken.glb", "no model").string());
  REQUIRE(session.imports.failure);
  CHECK(editor.document.crowd);
  CHECK(editor.document.settings.palette == PaletteStorage::texture);
  CHECK(editor.document.settings.methods.size() == 1);
  editor.open("demo:humanoid"); // another model leaves it
  CHECK_FALSE(editor.document.crowd);
  CHECK(editor.document.settings.palette == PaletteStorage::automatic);
  CHECK(methodsText(editor.document.settings.methods) == "lbs,dqs");
}

TEST_CASE("opening: a file that has changed is not read over a skin that was bound here") {
  const InFolder at;
  Editor editor;
  Session& session = editor.session;
  editor.open(at.file);
  bindAgain(editor);
  std::filesystem::last_write_time(at.file, std::filesystem::file_time_type::clock::now() +
                                                std::chrono::seconds(5));
  for (const double now : {100.0, 200.0, 300.0})
    pollImport(session, now);
  CHECK_FALSE(session.imports.importing);
  CHECK(editor.hasMessage("arm.glb has changed: F5"));
  reloadModel(session);
  CHECK(session.discard.asked);
  CHECK_FALSE(session.imports.importing);
  cancelDiscard(session);
  CHECK(editor.document.history.now().model);
  reloadModel(session);
  discardWork(session);
  editor.wait();
  CHECK_FALSE(editor.document.history.now().model);
}

TEST_CASE("opening: bend ranges go beside a model that is saved for its clips alone") {
  const InFolder at;
  Editor editor;
  editor.open(at.file);
  Document& document = editor.document;
  document.selected = editor.node("LowerArm");
  JointZone entry = selectedZoneEntry(document);
  entry.max = 0.05f;
  setSelectedZoneEntry(document, entry);
  commitEdit(document, "Zone");
  editor.frame();
  ClipList clips;
  for (const Clip& clip : document.workbench.model.clips)
    clips.push_back(std::make_shared<const Clip>(clip));
  Clip again = *clips.front();
  again.name = "again";
  clips.push_back(std::make_shared<const Clip>(std::move(again)));
  document.history.live().clips = std::make_shared<const ClipList>(std::move(clips));
  commitEdit(document, "Record a clip");
  editor.frame();
  const std::filesystem::path saved = at.folder.path / "saved.glb";
  saveEdits(editor.session, SaveKind::model, saved);
  CHECK(std::filesystem::exists(saved.string() + ".zones.json"));
  // Those of the file that was opened are saved by themselves.
  CHECK(editor.unsaved() == std::vector<std::string>{"the bend ranges"});
}

} // namespace sinew
