#include "app/settings_view.h"
#include "core/test_effort.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/model_files.h"
#include "editor/session_test_support.h"
#include "editor/side_imports.h"
#include "view/view.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <chrono>
#include <thread>

namespace sinew {
namespace {

// A session whose side-by-side models are read too.
struct Beside : test::Editor {
  double now = 0.0;

  void read() {
    for (int i = 0; i < 20000; ++i) {
      pollImport(session, now);
      if (session.imports.pending) acceptImport(session);
      pollSideModels(session, now += 1e-3);
      if (!session.imports.importing && !isReadingSideModels(session)) {
        frame();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL("the thread does not end");
  }
  void beside(const std::vector<std::string>& models) {
    openSideModels(session, models);
    read();
  }
  SideModel& sideModel(std::size_t i = 0) { return document.sideModels.at(i); }
};

// The largest distance between the two positions of a node.
float largestDistance(const std::vector<mat4>& a, const std::vector<mat4>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, glm::distance(vec3(a[i][3]), vec3(b[i][3])));
  return largest;
}

// The built-in character in other units, and so far away from where it is.
Model makeScaledHumanoid(float scale, const vec3& away = vec3(0.0f)) {
  Model model = findDemo("humanoid").make();
  for (Mesh& mesh : model.meshes)
    for (vec3& position : mesh.positions)
      position *= scale;
  for (Skin& skin : model.skins)
    for (SkinJoint& joint : skin.joints)
      joint.jointFromBind[3] = vec4(scale * vec3(joint.jointFromBind[3]), 1.0f);
  for (Node& node : model.hierarchy.nodes)
    node.rest.translation *= scale;
  model.hierarchy.nodes[0].rest.translation += away;
  for (Clip& clip : model.clips)
    for (Channel& channel : clip.channels)
      for (vec3& value : channel.translation.values)
        value = scale * value + (channel.node == 0 ? away : vec3(0.0f));
  return model;
}

// A file as another program might write it: in centimetres, other names, another order of clips.
std::string inCentimetres(const test::TempFolder& folder) {
  Model model = makeScaledHumanoid(100.0f);
  for (Clip& clip : model.clips)
    clip.name = "Armature|" + clip.name;
  std::swap(model.clips.front(), model.clips.back());
  return folder.write("cm.glb", toGlb(model)).string();
}

} // namespace

TEST_CASE("beside: models are read behind the document, up to six, each in a view of its own") {
  Beside editor;
  const test::TempFolder folder;
  readSetting("arc-spline", editor.document.settings.methods);
  openModel(editor.session, {{.model = "demo:humanoid"}});
  openSideModels(editor.session,
                 {"demo:arm", folder.write("broken.glb", "no model").string(), "demo:tentacle"});
  CHECK(isReadingSideModels(editor.session));
  editor.read();
  const Document& document = editor.document;
  REQUIRE(document.sideModels.size() == 2); // the broken one is named, the next one is read
  CHECK(editor.hasMessage("broken.glb"));
  CHECK_FALSE(editor.session.imports.failure.has_value());
  CHECK(viewCount(document) == 3);
  CHECK(sideModelIn(document, 0) == nullptr);
  CHECK(sideModelIn(document, 1) == &document.sideModels[0]);
  CHECK(sideModelIn(document, 2) == &document.sideModels[1]);
  CHECK(sideModelIn(document, 3) == nullptr);
  CHECK(modelNames(document) ==
        std::vector<std::string>{"demo:humanoid", "demo:arm", "demo:tentacle"});
  CHECK(document.sideModels[0].workbench.bound.front().method == &findMethod("arc-spline"));

  editor.beside({"demo:arm", "demo:arm", "demo:arm", "demo:arm", "demo:arm"});
  CHECK(1 + document.sideModels.size() == kMaxModels);
  CHECK(editor.hasMessage("2 left out"));
  removeSideModel(editor.document, document.sideModels[2].id);
  CHECK(1 + document.sideModels.size() == kMaxModels - 1);
}

TEST_CASE("beside: keys choose the method of a side-by-side model's view and remove it, not the "
          "document's") {
  Beside editor;
  editor.open("demo:humanoid");
  editor.beside({"demo:arm"});
  Document& document = editor.document;
  document.views.active = 1;
  setActiveChoice(document, {&findMethod("dqs")});
  editor.frame();
  CHECK(methodsText(document.settings.methods) == "lbs");
  CHECK(activeChoice(document).method == &findMethod("dqs"));
  REQUIRE(editor.sideModel().workbench.bound.size() == 1);
  CHECK(editor.sideModel().workbench.bound[0].method == &findMethod("dqs"));
  CHECK(editor.sideModel().changes.bindings);
  removeView(document);
  CHECK(document.sideModels.empty());
  CHECK(activeView(document) == 0);
  removeView(document);
  CHECK(editor.hasMessage("last view"));
}

TEST_CASE("beside: a side-by-side model plays the same seconds, looping its own clip") {
  Beside editor;
  editor.open("demo:humanoid");
  editor.beside({"demo:tentacle"});
  Document& document = editor.document;
  SideModel& sideModel = editor.sideModel();
  REQUIRE(clipSeconds(document) == doctest::Approx(5.0));
  REQUIRE(sideModel.workbench.clip == 0u);
  for (int i = 0; i < 100; ++i)
    editor.frame(0.083f); // over the ends of both clips
  Workbench alone = makeWorkbench(findDemo("tentacle").make(), sideModel.applied);
  evaluate(alone, document.clock.played, Wrap::loop);
  CHECK(document.clock.played > 8.0);
  CHECK(largestDistance(sideModel.workbench.modelFromNode, alone.modelFromNode) == 0.0f);

  document.settings.playing = false;
  editor.frame();
  sideModel.changes = {};
  const std::size_t calls = test::newCalls();
  for (int i = 0; i < 3; ++i)
    editor.frame();
  CHECK(test::newCalls() == calls);
  CHECK_FALSE(sideModel.changes.pose); // nothing has changed
  document.settings.time = 1.25f;
  editor.frame();
  evaluate(alone, 1.25, Wrap::loop);
  CHECK(sideModel.changes.pose);
  CHECK(largestDistance(sideModel.workbench.modelFromNode, alone.modelFromNode) == 0.0f);
}

TEST_CASE("beside: a side-by-side model moves where the document has no clip") {
  Beside editor;
  const test::TempFolder folder;
  Model still = findDemo("arm").make();
  still.clips.clear();
  editor.open(folder.write("still.glb", toGlb(still)).string());
  CHECK_FALSE(moving(editor.session));
  editor.beside({"demo:tentacle"});
  CHECK(moving(editor.session));
  const std::vector<mat4> before = editor.sideModel().workbench.modelFromNode;
  CHECK_FALSE(editor.frame(0.5f).pose); // the document's stays
  CHECK(largestDistance(editor.sideModel().workbench.modelFromNode, before) > 0.01f);
}

TEST_CASE("beside: clips are found by name, whatever the format puts before it") {
  Beside editor;
  const test::TempFolder folder;
  editor.open("demo:humanoid");
  editor.beside({inCentimetres(folder), "demo:arm"});
  Document& document = editor.document;
  const auto playing = [&](std::size_t i) {
    const Workbench& workbench = editor.sideModel(i).workbench;
    return workbench.clip ? workbench.model.clips[*workbench.clip].name : "";
  };
  CHECK(playing(0) == "Armature|idle");
  setClip(document, "walk");
  editor.frame();
  CHECK(playing(0) == "Armature|walk");
  CHECK(playing(1) == "elbow-bend"); // has no such clip
  setClip(document, "bind");
  editor.frame();
  CHECK(playing(0).empty());
  setClip(document, "stretch");
  document.settings.rangeStart = 4.5f; // the arm's clips are shorter
  document.settings.rangeEnd = 5.0f;
  editor.frame();
  CHECK(editor.sideModel(0).workbench.range.begin == 4.5f);
  CHECK(editor.sideModel(1).workbench.range.begin == 0.0f);
}

TEST_CASE("beside: equal models look equal, also in other units; others keep their size") {
  Beside editor;
  const test::TempFolder folder;
  editor.open("demo:humanoid");
  editor.beside({"demo:humanoid", inCentimetres(folder)});
  Document& document = editor.document;
  document.settings.playing = false;
  document.settings.time = 0.4f;
  document.orbit.pan = vec3(0.1f, 0.3f, -0.2f);
  document.settings.distance = 0.6f;
  editor.frame();
  CHECK_FALSE(editor.sideModel(0).fitted);
  CHECK(editor.sideModel(1).fitted);
  View own;
  own.viewport = {0, 0, 300, 400};
  own.camera = makeCamera(document.settings, document.orbit, own.viewport.aspect());
  own.scene = document.framing.bounds;
  for (const SideModel& sideModel : document.sideModels) {
    View view = own;
    view.camera = makeCamera(document, sideModel, own.viewport.aspect());
    view.scene = computeSceneBounds(document, sideModel);
    REQUIRE(sideModel.joints.size() == document.joints.size());
    for (const std::uint32_t node : document.joints) {
      const std::string& name = document.workbench.model.hierarchy.nodes[node].name;
      const auto other = findNode(sideModel.workbench.model.hierarchy, name);
      REQUIRE(other.has_value());
      const vec2 a(screenFromWorld(own, vec3(document.workbench.modelFromNode[node][3])));
      const vec2 b(screenFromWorld(view, vec3(sideModel.workbench.modelFromNode[*other][3])));
      CHECK(glm::distance(a, b) < 1.0f);
    }
  }
  document.oneScale = false;
  arrangeSideModels(document);
  CHECK(editor.sideModel(0).fitted);
  CHECK(document.settings.distance == 0.6f); // a camera that somebody has placed stays
}

TEST_CASE("beside: a camera that shows the whole document shows the whole of all at its scale") {
  Beside editor;
  const test::TempFolder folder;
  const Model large = makeScaledHumanoid(1.8f, {50.0f, 0.0f, 0.0f}); // far away
  editor.open("demo:humanoid");
  const Bounds alone = editor.document.orbit.framed;
  editor.beside({folder.write("large.glb", toGlb(large)).string()});
  const Document& document = editor.document;
  const SideModel& sideModel = editor.sideModel();
  REQUIRE_FALSE(sideModel.fitted);
  const Bounds& framed = document.orbit.framed;
  for (const vec3& corner : {sideModel.bounds.min, sideModel.bounds.max}) {
    const vec3 at = corner - sideModel.offset;
    CHECK(glm::all(glm::greaterThanEqual(at, framed.min - 1e-4f)));
    CHECK(glm::all(glm::lessThanEqual(at, framed.max + 1e-4f)));
  }
  CHECK(framed.min.y == doctest::Approx(alone.min.y).epsilon(1e-4)); // they stand side by side
  removeSideModel(editor.document, sideModel.id);
  CHECK(glm::distance(document.orbit.framed.max, alone.max) < 1e-5f);
}

TEST_CASE("beside: document and side-by-side model change places, after the question about unsaved "
          "work") {
  Beside editor;
  const test::InFolder here("arm");
  editor.open(here.file);
  editor.beside({"demo:humanoid"});
  Document& document = editor.document;
  const std::uint64_t id = editor.sideModel().id;
  document.settings.yaw = 77.0f;
  document.settings.time = 1.5f;
  document.settings.playing = false;
  editor.frame();
  editor.rotate(document.workbench.model.hierarchy.nodes[document.joints.back()].name.c_str(),
                0.4f);
  makeDocument(editor.session, id);
  REQUIRE(editor.session.discard.asked);
  CHECK(document.loaded.model == here.file);
  discardWork(editor.session);
  editor.read();
  CHECK(document.loaded.model == "demo:humanoid");
  CHECK(document.workbench.model.name == "humanoid");
  REQUIRE(document.sideModels.size() == 1);
  CHECK(editor.sideModel().id == id);
  CHECK(editor.sideModel().request.model == here.file);
  CHECK(findNode(editor.sideModel().workbench.model.hierarchy, "LeftLowerArm") == std::nullopt);
  CHECK_FALSE(editor.sideModel().workbench.posed); // as it is in its file
  CHECK(document.settings.yaw == 77.0f);           // seen as before, at the same moment
  CHECK(document.settings.time == 1.5f);
  CHECK(editor.unsaved().empty());
  makeDocument(editor.session, id);
  editor.read();
  CHECK(document.loaded.model == here.file);
  CHECK(editor.sideModel().request.model == "demo:humanoid");
}

TEST_CASE("beside: those that were opened together, and a file that has changed") {
  Beside editor;
  const test::InFolder here("arm");
  openFiles(editor.session, {"demo:humanoid", here.file});
  editor.read();
  CHECK(editor.hasMessage("Shift+PageDown"));
  openRemainingFiles(editor.session);
  editor.read();
  REQUIRE(editor.document.sideModels.size() == 1);
  CHECK(editor.sideModel().request.model == here.file);
  openRemainingFiles(editor.session); // is there already
  CHECK_FALSE(isReadingSideModels(editor.session));
  CHECK(editor.hasMessage("no other models"));
  editor.sideModel().watch.loaded->bytes = 1; // as if it had been another
  for (int i = 0; i < 3; ++i)
    pollSideModels(editor.session, editor.now += 1.0);
  CHECK(isReadingSideModels(editor.session));
  editor.read();
  CHECK(editor.document.sideModels.size() == 1);
  CHECK(editor.hasMessage("arm.glb has changed"));
}

TEST_CASE("beside: names are those of files, with folders where files have the same") {
  const std::vector<std::string> paths{"/a/maya/fox.glb", "/a/blender/fox.glb",
                                       "/b/blender/fox.glb", "wolf.fbx"};
  CHECK(distinctNames(paths) == std::vector<std::string>{"maya/fox.glb", "a/blender/fox.glb",
                                                         "b/blender/fox.glb", "wolf.fbx"});
  CHECK(distinctNames(std::vector<std::string>{"/a/x.glb", "/a/x.glb"}) ==
        std::vector<std::string>{"a/x.glb", "a/x.glb"}); // the same file twice
}

} // namespace sinew
