#include "editor/edit_files.h"
#include "editor/pose/driving.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/save_as.h"
#include "editor/session_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

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
    return editor.document.workbench.pose.parentFromNode[editor.node("LowerArm")].rotation;
  };
  editor.frame();
  const quat rotated = rotation();
  for (const WorkKind& info : workKinds()) {
    if (info.extension == std::string(".html")) continue;
    CAPTURE(info.title);
    const fs::path path = at.folder.path / info.title;
    const fs::path file = path.string() + info.extension;
    const bool possible = saveProblem(session, info.kind).empty();
    saveAs(session, info.kind, path);
    CHECK(fs::exists(file) == possible);
    CHECK(possible == (info.kind != SaveKind::splines && info.kind != SaveKind::layers &&
                       info.kind != SaveKind::drivers && info.kind != SaveKind::motionMap &&
                       info.kind != SaveKind::ragdoll && info.kind != SaveKind::velocity &&
                       info.kind != SaveKind::baked));
    CHECK_FALSE(fs::exists(defaultSavePath(session, info.kind))); // nothing beside the model
  }
  CHECK(editor.unsaved().empty());
  editor.open((at.folder.path / "Model.glb").string());
  editor.open((at.folder.path / "Pose.json").string());
  editor.open((at.folder.path / "Bend ranges.json").string());
  CHECK(editor.document.history.now().zones.at("LowerArm").max == 0.05f);
  REQUIRE(editor.document.history.now().pose);
  editor.frame();
  CHECK(std::abs(glm::dot(rotation(), rotated)) > 0.9999f);
  editor.document.notices.messages.clear();
  saveAs(session, SaveKind::pose, at.folder.path / "none" / "pose.json");
  CHECK(editor.hasMessage("none"));
}

TEST_CASE("work kinds: one row each, in their order") {
  std::set<std::string> names;
  std::size_t index = 0;
  for (const WorkKind& kind : workKinds()) {
    CAPTURE(kind.name);
    CHECK(static_cast<std::size_t>(kind.kind) == index++);
    CHECK(names.insert(kind.name).second);
    CHECK((kind.write != nullptr) != (kind.save != nullptr));
    CHECK((kind.write != nullptr) == (kind.markSaved != nullptr));
    CHECK((kind.unsaved == nullptr || kind.write != nullptr));
    CHECK((kind.read == nullptr || kind.unsaved != nullptr));
  }
  CHECK(index == static_cast<std::size_t>(SaveKind::baked) + 1);
}

TEST_CASE("save as: painted weights and a ragdoll's set-up are opened from there too") {
  const InFolder at;
  Editor editor;
  editor.open(at.file);
  Document& document = editor.document;
  Influences influences = document.workbench.rig.influences;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v)
    if (influences.of(v).size() == 2) {
      influences.values[influences.offsets[v]].weight = 0.75f;
      influences.values[influences.offsets[v] + 1].weight = 0.25f;
    }
  document.history.live().weights.bones = PaintedWeights(influences);
  commitEdit(document, "Paint");
  editor.frame();
  const std::vector<float> painted = test::collectWeights(document);
  const std::string weights = (at.folder.path / "w.json").string();
  saveAs(editor.session, SaveKind::weights, weights);
  CHECK(editor.hasMessage("w.json, for --weights"));
  undoEdit(document);
  editor.frame();
  CHECK(test::collectWeights(document) != painted);
  editor.open(weights);
  CHECK(editor.unsaved().empty());
  CHECK(test::collectWeights(document) == painted);

  RagdollPlay& play = editor.session.play;
  play.fitting.reset(); // on this thread
  REQUIRE(ragdollConfig(document, play) != nullptr);
  RagdollConfig config = play.file->config;
  config.friction = 1.25f;
  changeRagdoll(document, play, config);
  CHECK(editor.unsaved() == std::vector<std::string>{"the ragdoll's set-up"});
  const std::string ragdoll = (at.folder.path / "r.json").string();
  saveAs(editor.session, SaveKind::ragdoll, ragdoll);
  CHECK(editor.unsaved().empty());
  config.friction = 0.5f;
  changeRagdoll(document, play, config);
  editor.open(ragdoll);
  CHECK(play.file->config.friction == 1.25f);
  CHECK(editor.unsaved().empty());
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
  CHECK(fs::exists(defaultSavePath(editor.session, SaveKind::bendRanges)));
  editor.document.notices.messages.clear();
  saveWork(editor.session);
  CHECK(editor.hasMessage("nothing"));
}

TEST_CASE("save: files about a bound model are beside its own .glb, not beside the opened file") {
  const InFolder at;
  Editor editor;
  Document& document = editor.document;
  editor.open(at.file);
  BindState& bind = editor.session.bind;
  draftOwnJoints(document, bind);
  editor.frame();
  selectJoint(document, document.joints.back());
  addDraftJoint(document, bind);
  startBinding(document, bind);
  editor.wait();
  REQUIRE(document.history.now().model);
  endZoneAt(editor, "LowerArm", 0.05f);
  selectJoint(document, editor.node("LowerArm"));
  addJointDriver(document, "Hand");
  editor.frame();
  CHECK(editor.unsaved().size() == 3);

  saveEdits(editor.session, SaveKind::bendRanges);
  CHECK(editor.hasMessage("save the model first"));
  CHECK(editor.unsaved().size() == 3);

  saveWork(editor.session);
  CHECK(editor.unsaved().empty());
  const auto exists = [](const std::string& model, const Sidecar& kind) {
    return fs::exists(sidecarPath(model, kind));
  };
  CHECK_FALSE(exists(at.file, kZonesSidecar));
  CHECK_FALSE(exists(at.file, kDriversSidecar));
  const std::string first = document.notices.savedFile.string();
  CHECK(exists(first, kZonesSidecar));
  CHECK(exists(first, kDriversSidecar));

  // Bend ranges alone go beside the same .glb, and the next .glb has all of them too.
  endZoneAt(editor, "LowerArm", 0.07f);
  editor.frame();
  CHECK(editor.unsaved() == std::vector<std::string>{"the bend ranges"});
  saveWork(editor.session);
  CHECK(document.notices.savedFile == sidecarPath(first, kZonesSidecar));
  const std::string second = (at.folder.path / "second.glb").string();
  saveEdits(editor.session, SaveKind::model, second);
  CHECK(exists(second, kDriversSidecar));
  CHECK(editor.unsaved().empty());

  // The file that was opened has none of it.
  while (document.history.canUndo())
    undoEdit(document);
  editor.frame();
  CHECK(editor.unsaved().empty());
  for (const std::string& file : {first, second}) {
    editor.open(file);
    CHECK(document.history.now().zones.at("LowerArm").max == 0.07f);
    CHECK(document.history.now().drivers);
  }
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

TEST_CASE("show folder: of the file saved last; without xdg-open a message says where it is") {
  const test::InFolder in;
  test::Editor editor;
  editor.open(in.file);
  std::filesystem::create_directory("other");
  saveEdits(editor.session, SaveKind::model, in.folder.path / "other" / "a.glb");
  CHECK(editor.document.notices.savedFile == in.folder.path / "other" / "a.glb");
  const std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  ::setenv("PATH", "/nonexistent", 1);
  showFolder(editor.session);
  while (!pollShowFolder(editor.session))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::setenv("PATH", before.c_str(), 1);
  CHECK(editor.hasMessage((in.folder.path / "other").string() + ": xdg-open did not open it"));
}

} // namespace sinew
