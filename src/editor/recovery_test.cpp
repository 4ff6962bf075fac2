#include "app/open_sources.h"
#include "app/sidecar.h"
#include "editor/document/keying.h"
#include "editor/pose/driving.h"
#include "editor/recovery.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace sinew;

namespace {

namespace fs = std::filesystem;

// What a session writes when it is told to end, offered and restored by another.
struct NextStart {
  test::Editor editor;
  std::vector<Recovery> found;

  explicit NextStart(const fs::path& folder) : found(findRecoveries(folder)) {
    REQUIRE(found.size() == 1);
    editor.open("demo:humanoid"); // whatever it starts with
    restoreRecovery(editor.session, found.front());
    editor.wait();
  }
};

mode_t readMode(const fs::path& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

// Bends a joint of the model that a test has opened, as a bind range and a layer too.
void edit(test::Editor& editor) {
  Document& document = editor.document;
  document.history.live().zones["LowerArm"].max = 0.1f;
  commitEdit(document, "Bend range");
  SpringLayer spring;
  spring.from = "UpperArm";
  spring.to = "Hand";
  document.history.live().layerStack.layers.emplace_back().kind = spring;
  commitEdit(document, "Layer");
  editor.rotate("LowerArm", 0.7f);
  editor.frame();
}

} // namespace

TEST_CASE(
    "recovery: what is in no file goes into one and is back at the next start, still unsaved") {
  const test::InFolder folder;
  const fs::path state = folder.folder.path / "state" / "sinew";
  test::Editor editor;
  editor.open("arm.glb"); // as a relative path
  CHECK(writeRecovery(editor.session, state).empty());
  CHECK_FALSE(fs::exists(state));
  edit(editor);
  const std::vector<std::string> unsaved = editor.unsaved();
  REQUIRE(unsaved.size() == 3);

  const fs::path file = writeRecovery(editor.session, state);
  CHECK(readMode(file) == 0600);
  CHECK(editor.unsaved() == unsaved); // written, and not saved

  NextStart next(state);
  CHECK(next.found.front().file == file);
  CHECK(fs::path(next.found.front().model) == fs::absolute(folder.file));
  CHECK(next.editor.unsaved() == unsaved);
  const Edit &before = editor.document.history.now(), &now = next.editor.document.history.now();
  CHECK(now.pose == before.pose);
  CHECK(now.zones == before.zones);
  CHECK(now.layerStack == before.layerStack);
  CHECK_FALSE(fs::exists(file)); // offered once
  CHECK(findRecoveries(state).empty());
  undoEdit(next.editor.document); // restoring is a step like every other
  CHECK(next.editor.unsaved().empty());
}

TEST_CASE("recovery: painted weights and pose drivers") {
  const test::InFolder folder;
  test::Editor editor;
  editor.open(folder.file);
  Document& document = editor.document;
  Influences influences = document.workbench.rig.influences;
  for (std::size_t i = 0; i + 1 < influences.offsets.size(); ++i)
    if (influences.of(i).size() == 2) {
      influences.values[influences.offsets[i]].weight = 0.75f;
      influences.values[influences.offsets[i] + 1].weight = 0.25f;
    }
  document.history.live().weights.bones = PaintedWeights(influences);
  commitEdit(document, "Paint");
  editor.frame();
  selectJoint(document, editor.node("LowerArm"));
  addJointDriver(document, "UpperArm");
  editor.frame();
  const std::vector<std::string> unsaved = editor.unsaved();
  REQUIRE(unsaved.size() == 2);
  writeRecovery(editor.session, folder.folder.path);
  NextStart next(folder.folder.path);
  CHECK(next.editor.unsaved() == unsaved);
  const std::vector<float> before = test::collectWeights(document);
  const std::vector<float> after = test::collectWeights(next.editor.document);
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    CHECK(after[i] == doctest::Approx(before[i]).epsilon(1e-4));
  CHECK(getDrivers(next.editor.document) == getDrivers(document));
}

TEST_CASE("recovery: keyed clips come back with the whole model") {
  const test::InFolder folder;
  test::Editor editor;
  editor.open(folder.file);
  duplicateClip(editor.document);
  editor.frame();
  renameClip(editor.document, "mine");
  editor.frame();
  REQUIRE(editor.unsaved() == std::vector<std::string>{"the changed clips, as .glb"});
  writeRecovery(editor.session, folder.folder.path);
  NextStart next(folder.folder.path);
  const Model& model = next.editor.document.workbench.model;
  CHECK(model.clips.size() == editor.document.workbench.model.clips.size());
  CHECK(model.clips.back().name == "mine");
  CHECK_FALSE(next.editor.unsaved().empty());
}

TEST_CASE("recovery: every file about the model is opened with it again") {
  const test::InFolder folder;
  test::Editor editor;
  editor.open(folder.file);
  edit(editor);
  for (const Sidecar* kind : sidecars())
    editor.document.loaded.*kind->file = "none";
  writeRecovery(editor.session, folder.folder.path);
  NextStart next(folder.folder.path);
  for (const Sidecar* kind : sidecars())
    CHECK(next.editor.document.loaded.*kind->file == "none");
}

TEST_CASE("recovery: what is damaged or of a file that is gone harms nothing and stays") {
  const test::InFolder folder;
  const fs::path& state = folder.folder.path;
  test::Editor editor;
  editor.open(folder.file);
  edit(editor);
  const fs::path file = writeRecovery(editor.session, state);
  const std::string text = readFile(file);

  writeFile(state / "unsaved-1.json", "{");
  writeFile(state / "unsaved-2.json", R"({"sinew": "recovery", "request": 3, "edits": {}})");
  CHECK(findRecoveries(state).size() == 1);

  std::string damaged = text; // its pose is none
  damaged.replace(damaged.find("\"pose\": \""), 9, "\"pose\": \"?");
  writeFile(file, damaged);
  fs::remove(state / "unsaved-1.json");
  fs::remove(state / "unsaved-2.json");
  {
    NextStart next(state);
    CHECK(next.editor.hasMessage("pose is not restored"));
    CHECK(next.editor.document.history.now().zones == editor.document.history.now().zones);
    CHECK(fs::exists(file));
  }
  writeFile(file, text);
  fs::remove(folder.file);
  NextStart next(state);
  CHECK(next.editor.session.imports.failure.has_value());
  CHECK(fs::exists(file));
  discardRecovery(next.editor.session, next.found.front());
  CHECK_FALSE(fs::exists(file));
}
