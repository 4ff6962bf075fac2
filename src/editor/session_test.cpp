// A session as the window drives it, frame by frame, without the window.
#include "core/file.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "editor/rig_edits.h"
#include "editor/session_test_support.h"
#include "import/fbx/fbx_test_file.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <filesystem>

namespace sinew {
namespace {

namespace fs = std::filesystem;

using test::collectWeights;
using test::Editor;
using test::findPixelNear;
using test::InFolder;
using test::viewOfModel;

} // namespace

TEST_CASE("session: a model opens, plays and is marked for the GPU; a bad file changes nothing") {
  Editor editor;
  CHECK_FALSE(hasModel(editor.document));
  openModel(editor.session, {{.model = "demo:humanoid"}});
  CHECK(editor.session.imports.importing);
  editor.wait();
  REQUIRE(hasModel(editor.document));
  CHECK(editor.document.joints.size() > 10);
  CHECK(moving(editor.session));
  setClip(editor.document, "walk");
  const MeshChanges first = editor.frame();
  CHECK(first.pose);
  CHECK_FALSE(first.model);
  const Pose before = editor.document.workbench.pose;
  editor.frame(0.2f);
  CHECK(before != editor.document.workbench.pose);

  const test::TempFolder folder;
  editor.open(folder.write("broken.glb", "this is no model").string());
  CHECK(editor.document.workbench.model.name == "humanoid");
  REQUIRE(editor.session.imports.failure);
  CHECK(editor.session.imports.failure->message.find("broken.glb") != std::string::npos);
  dismiss(editor.session);
  CHECK_FALSE(editor.session.imports.failure);
}

TEST_CASE("session: another file is seen from the front while it plays, by the same methods") {
  Editor editor;
  editor.open("demo:arm");
  Settings& settings = editor.document.settings;
  settings.methods = parseMethods("lbs,dqs");
  settings.yaw = 200.0f;
  settings.pitch = -60.0f;
  settings.speed = 0.25f;
  settings.playing = false;
  settings.rangeEnd = 0.5f;
  editor.frame();
  editor.open("demo:tentacle");
  const Settings fresh;
  CHECK(settings.yaw == fresh.yaw);
  CHECK(settings.pitch == fresh.pitch);
  CHECK(settings.speed == fresh.speed);
  CHECK(settings.playing);
  CHECK(settings.rangeEnd == 0.0f);
  CHECK(editor.document.workbench.clip == 0u);
  CHECK(editor.document.workbench.bound.size() == 2);

  // A mixture of methods is one model's.
  settings.methods = parseMethods("per-joint,dqs");
  editor.frame();
  editor.open("demo:arm");
  CHECK(methodsText(settings.methods) == "lbs,dqs");
}

TEST_CASE("session: a file that states its method is shown by it, unless another was asked for") {
  const InFolder at;
  const std::string file = (at.folder.path / "strip.fbx").string();
  writeFile(file, test::skinnedStrip({}, "SkinningType: \"DualQuaternion\"\n").text());
  Editor editor;
  editor.open(file);
  CHECK(methodsText(editor.document.settings.methods) == "dqs");
  CHECK(editor.document.workbench.bound[0].method == &findMethod("dqs"));
  editor.document.settings.methods = parseMethods("lbs");
  editor.frame();
  reloadModel(editor.session);
  editor.wait();
  CHECK(methodsText(editor.document.settings.methods) == "lbs");
  editor.open("demo:arm");
  CHECK(methodsText(editor.document.settings.methods) == "lbs");
  editor.open(file);
  CHECK(methodsText(editor.document.settings.methods) == "dqs");
  Editor asked;
  asked.session.options.ownMethod = false;
  asked.open(file);
  CHECK(methodsText(asked.document.settings.methods) == "lbs");
}

TEST_CASE("session: what the driver refuses leaves the model on screen") {
  Editor editor;
  editor.open("demo:arm");
  openModel(editor.session, {{.model = "demo:tentacle"}});
  while (!editor.session.imports.pending) {
    REQUIRE_FALSE(editor.session.imports.failure);
    pollImport(editor.session, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  rejectImport(editor.session, Error(ErrorCause::limit, "too large for this driver"));
  CHECK(editor.document.loaded.model == "demo:arm");
  CHECK_FALSE(editor.session.imports.importing);
  CHECK(editor.session.imports.failure->cause == ErrorCause::limit);
}

TEST_CASE("session: a pose is edited, undone and redone; the clip pauses meanwhile") {
  const InFolder at; // where the pose is saved
  Editor editor;
  editor.open("demo:humanoid");
  setClip(editor.document, "walk");
  editor.frame();
  const std::uint32_t node = editor.node("LeftUpperArm");
  selectJoint(editor.document, node);
  editor.rotate("LeftUpperArm", 1.0f);
  CHECK(holdsPose(editor.document));
  CHECK_FALSE(editor.document.settings.playing);
  CHECK(editor.frame().pose);
  const quat turned = editor.document.workbench.pose.parentFromNode[node].rotation;
  CHECK(turned == editor.document.history.now().pose->parentFromNode[node].rotation);
  resetJoint(editor.document);
  editor.frame();
  CHECK(editor.document.workbench.pose.parentFromNode[node].rotation ==
        editor.document.workbench.model.hierarchy.nodes[node].rest.rotation);
  undoEdit(editor.document);
  editor.frame();
  CHECK(editor.document.workbench.pose.parentFromNode[node].rotation == turned);
  undoEdit(editor.document);
  editor.frame();
  CHECK_FALSE(holdsPose(editor.document));
  CHECK(editor.document.workbench.clip);
  redoEdit(editor.document);
  editor.frame();
  CHECK(editor.document.workbench.pose.parentFromNode[node].rotation == turned);
  CHECK(editor.unsaved() == std::vector<std::string>{"the edited pose"});
  saveEdits(editor.session, SaveKind::pose);
  CHECK(editor.unsaved().empty());
}

TEST_CASE("session: morph weights are edited, undone, saved with the pose and read again") {
  const InFolder in("flexing-arm");
  Editor editor;
  editor.open(in.file);
  Document& document = editor.document;
  document.settings.playing = false;
  editor.frame();
  const MorphWeights before = document.workbench.morphed.weights;
  REQUIRE(before.size() == 4);
  setMorphWeight(document, 1, 0.5f);
  commitEdit(document, "Set a weight");
  CHECK(editor.frame().pose);
  CHECK(document.workbench.morphed.weights[1] == 0.5f);
  CHECK(shownMorphWeights(document)[1] == 0.5f);
  CHECK(holdsPose(document));
  undoEdit(document);
  editor.frame();
  CHECK(document.workbench.morphed.weights == before);
  redoEdit(document);
  editor.frame();
  CHECK(document.workbench.morphed.weights[1] == 0.5f);
  saveEdits(editor.session, SaveKind::pose);
  std::string saved;
  for (const auto& entry : fs::directory_iterator(in.folder.path))
    if (entry.path().extension() == ".json") saved = entry.path().string();
  REQUIRE(!saved.empty());
  resetMorphWeights(document);
  editor.frame();
  CHECK(document.workbench.morphed.weights == MorphWeights(4, 0.0f));
  CHECK(!document.workbench.morphed.moved());
  CHECK(openEdits(editor.session, saved));
  editor.frame();
  CHECK(document.workbench.morphed.weights[1] == 0.5f);
}

TEST_CASE("session: an expression is one slider of several morph targets") {
  Editor editor;
  openModel(editor.session, {{.model = "demo:flexing-arm"}});
  editor.wait();
  Document& document = editor.document;
  document.settings.playing = false;
  editor.frame();
  REQUIRE(document.workbench.model.morphTargets.size() == 4);
  const MorphPose happy{"happy", {{1, 0.5f}, {3, 1.0f}}};
  setMorphPose(document, happy, 0.5f);
  commitEdit(document, "Set the expression happy");
  editor.frame();
  CHECK(document.workbench.morphed.weights[1] == 0.25f);
  CHECK(document.workbench.morphed.weights[3] == 0.5f);
  CHECK(shownMorphPose(document, happy) == 0.5f);
  undoEdit(document);
  editor.frame();
  CHECK_FALSE(holdsPose(document));
}

TEST_CASE("session: a drag that is discarded leaves no step, and says so to who drags") {
  Editor editor;
  editor.open("demo:arm");
  editedPose(editor.document).parentFromNode[0].translation.x += 1.0f;
  const std::uint64_t discards = editor.document.discards;
  dismiss(editor.session);
  CHECK(editor.document.discards == discards + 1);
  CHECK_FALSE(editor.document.history.canUndo());
  CHECK_FALSE(holdsPose(editor.document));
  CHECK(editor.hasMessage("discarded"));
}

TEST_CASE("session: a setting that cannot be had is reverted with its reason") {
  Editor editor;
  editor.open("demo:arm");
  const std::vector<MethodChoice> chosen = editor.document.settings.methods;
  editor.document.settings.clip = "no such clip";
  CHECK(editor.frame().storage);
  CHECK(editor.document.settings.clip != "no such clip");
  CHECK(editor.document.settings.methods == chosen);
  CHECK(editor.hasMessage("no such clip"));
}

TEST_CASE("session: zones that a method cannot have are undone with the reason") {
  Editor editor;
  Document& document = editor.document;
  editor.open("demo:humanoid");
  document.settings.methods = parseMethods("arc-spline:parameter-source=zone:storage=transform");
  editor.frame();
  selectJoint(document, editor.node("LeftUpperArm"));
  setSelectedZoneEntry(document, {{}, {}, {}, BlendCurve{BlendCurve::Kind::smooth}, {}});
  commitEdit(document, "Curve of a zone");
  editor.frame();
  CHECK(editor.hasMessage("storage=transform finds x"));
  CHECK(document.history.now().zones.empty());
  CHECK(document.workbench.zones.table.empty());
  document.settings.methods = parseMethods("per-joint");
  editor.frame();
  setSelectedZoneEntry(document, {{}, {}, {}, {}, "dqs"});
  commitEdit(document, "Method of a joint");
  editor.frame();
  CHECK(document.workbench.bound.front().binding.parts.size() == 2);
}

TEST_CASE("session: a subdivided mesh keeps paint and zones, is unsaved work, and is undone") {
  Editor editor;
  Document& document = editor.document;
  editor.open("demo:arm");
  const std::size_t before = vertexCount(document.workbench.model);
  selectJoint(document, editor.node("LowerArm"));
  setSelectedZoneEntry(document, {{}, 0.1f, {}, BlendCurve{BlendCurve::Kind::smooth}});
  commitEdit(document, "Zone");
  editor.rotate("LowerArm", 1.5f);
  editor.frame();
  subdivideSelected(document, Subdivision::midpoints);
  CHECK(editor.frame().model);
  const std::size_t once = vertexCount(document.workbench.model);
  CHECK(once > before);
  CHECK(document.workbench.zones.table.at("LowerArm").max == 0.1f);
  CHECK(holdsPose(document));
  CHECK(document.selected == editor.node("LowerArm"));
  subdivideBent(document, 20.0f);
  editor.frame();
  CHECK(vertexCount(document.workbench.model) > once);
  CHECK(editor.unsaved().front() == "the bound skin, as .glb");
  saveEdits(editor.session, SaveKind::weights); // would be of vertices that the file does not have
  CHECK(editor.hasMessage("save the model"));
  undoEdit(document);
  undoEdit(document);
  editor.frame();
  CHECK(vertexCount(document.workbench.model) == before);
  subdivideBent(document, 170.0f);
  CHECK(editor.hasMessage("bends the skin nowhere"));
}

TEST_CASE("session: a mesh is bound to an edited skeleton, and undo returns to the draft") {
  Editor editor;
  editor.open("demo:arm");
  const std::size_t joints = editor.document.joints.size();
  BindState& bind = editor.session.bind;
  draftOwnJoints(editor.document, bind);
  CHECK(editor.frame().model); // the mesh, unbound
  REQUIRE(drafting(editor.document));
  CHECK(editor.document.notices.topic == Topic::binding);
  selectJoint(editor.document, editor.document.joints.back());
  addDraftJoint(editor.document, bind);
  editor.frame();
  CHECK(editor.document.joints.size() == joints + 1);
  startBinding(editor.document, bind);
  CHECK(binding(bind));
  editor.wait();
  CHECK(bind.problem.empty());
  CHECK_FALSE(drafting(editor.document));
  REQUIRE(editor.document.history.now().model);
  CHECK(editor.document.workbench.rig.joints.size() == joints + 1);
  CHECK(editor.unsaved() == std::vector<std::string>{"the bound skin, as .glb"});
  undoEdit(editor.document);
  editor.frame();
  CHECK(drafting(editor.document));
  undoEdit(editor.document); // the added joint
  undoEdit(editor.document);
  CHECK(editor.frame().model);
  CHECK_FALSE(editor.document.history.now().model);
  CHECK(editor.document.joints.size() == joints);
  CHECK(editor.unsaved().empty());
}

TEST_CASE("session: a mesh gets the joints of a template, within it and not scaled again") {
  Editor editor;
  editor.open("demo:humanoid");
  const vec3 size = computeBounds(editor.document.workbench.rig.positions).extent();
  for (const char* name : {"template:humanoid", "demo:arm"}) {
    openSkeleton(editor.document, editor.session.bind, name);
    editor.wait();
    CHECK(editor.session.bind.problem.empty());
    REQUIRE(drafting(editor.document));
    CHECK((getDraft(editor.document)->source != nullptr) == (std::string(name) == "demo:arm"));
    if (getDraft(editor.document)->source) continue; // which may be placed by hand
    Bounds joints;
    for (const mat4& joint : getDraft(editor.document)->skeleton.modelFromJoint)
      joints.include(vec3(joint[3]));
    CHECK(joints.extent().x > 0.6f * size.x); // from wrist to wrist
    CHECK(joints.extent().y > 0.7f * size.y); // from the toes to the head
  }
  openSkeleton(editor.document, editor.session.bind, "template:robot");
  editor.wait();
  CHECK(editor.session.bind.problem.find("humanoid") != std::string::npos);
}

TEST_CASE("session: binding that is cancelled changes nothing") {
  Editor editor;
  editor.open("demo:humanoid");
  startBinding(editor.document, editor.session.bind);
  REQUIRE(binding(editor.session.bind));
  dismiss(editor.session);
  CHECK_FALSE(binding(editor.session.bind));
  CHECK_FALSE(editor.document.history.canUndo());
  CHECK(editor.hasMessage("cancelled"));
}

TEST_CASE("session: a stroke of the brush changes weights, marks their vertices, and is one step") {
  Editor editor;
  editor.open("demo:arm");
  Document& document = editor.document;
  setClip(document, "bind");
  document.settings.methods = parseMethods("lbs");
  document.tool = Tool::paint;
  selectJoint(document, editor.node("LowerArm"));
  editor.frame();
  PaintState& paint = editor.session.paint;
  const View view = viewOfModel(document);
  const std::vector<float> before = collectWeights(document);
  const vec3 upper(document.workbench.modelFromNode[editor.node("UpperArm")][3]);
  const vec2 pixel = findPixelNear(view, paintSurface(document, paint, 0, view), upper);
  paint.hover = paintSurface(document, paint, 0, view).grid.at(pixel);
  REQUIRE(paint.hover);
  startStroke(document, editor.session.posing, paint, 0, pixel, BrushMode::add);
  const MeshChanges during = editor.frame();
  CHECK(during.vertices.size() + during.methods.size() == 1);
  for (int i = 1; i < 10; ++i)
    continueStroke(document, editor.session.posing, paint, view,
                   pixel + vec2(2.0f * static_cast<float>(i), 0.0f));
  endStroke(document, paint);
  editor.frame();
  CHECK(collectWeights(document) != before);
  CHECK(document.history.undoWord() == "Paint LowerArm");
  CHECK(editor.unsaved() == std::vector<std::string>{"the painted weights"});
  document.heatMap = true;
  CHECK(editor.frame().field);
  undoEdit(document);
  CHECK(editor.frame().field); // the heat map follows
  CHECK(collectWeights(document) == before);
  CHECK(editor.unsaved().empty());
}

TEST_CASE("session: what is saved beside a model is read with it again") {
  const InFolder in;
  Editor editor;
  editor.open(in.file);
  REQUIRE(hasModel(editor.document));
  selectJoint(editor.document, editor.node("LowerArm"));
  JointZone zone = selectedZoneEntry(editor.document);
  zone.max = 0.25f;
  setSelectedZoneEntry(editor.document, zone);
  commitEdit(editor.document, "Zone");
  editor.frame();
  CHECK(editor.document.workbench.zones.table.at("LowerArm").max == 0.25f);
  CHECK(editor.unsaved() == std::vector<std::string>{"the bend ranges"});
  saveEdits(editor.session, SaveKind::bendRanges);
  CHECK(editor.unsaved().empty());
  saveEdits(editor.session, SaveKind::model);
  saveEdits(editor.session, SaveKind::pose);
  Editor again;
  again.open(in.file);
  CHECK(again.document.workbench.zones.table.at("LowerArm").max == 0.25f);
  std::size_t models = 0, poses = 0;
  for (const auto& entry : fs::directory_iterator(in.folder.path)) {
    const std::string name = entry.path().filename().string();
    models += name.starts_with("sinew-") && name.ends_with(".glb") ? 1 : 0;
    poses += name.find("-pose-") != std::string::npos ? 1 : 0;
  }
  CHECK(models == 1);
  CHECK(poses == 1);
}

TEST_CASE("session: deleting all zones of a file is unsaved work") {
  const InFolder in;
  {
    Editor first;
    first.open(in.file);
    selectJoint(first.document, first.node("LowerArm"));
    setSelectedZoneEntry(first.document, {.min = {}, .max = 0.25f, .source = {}});
    commitEdit(first.document, "Zone");
    saveEdits(first.session, SaveKind::bendRanges);
  }
  Editor editor;
  editor.open(in.file);
  CHECK(editor.unsaved().empty());
  selectJoint(editor.document, editor.node("LowerArm"));
  setSelectedZoneEntry(editor.document, {});
  commitEdit(editor.document, "Zone");
  CHECK(editor.document.history.now().zones.empty());
  CHECK(editor.unsaved() == std::vector<std::string>{"the bend ranges"});
  saveAndContinue(editor.session);
  CHECK(editor.unsaved().empty());
  Editor again;
  again.open(in.file);
  CHECK(again.document.workbench.zones.table.empty());
}

TEST_CASE("session: deleting all layers of a file is unsaved work, returning to them is not") {
  const InFolder in;
  LayerStack layers;
  ClipLayer kind;
  kind.clip = "elbow-bend";
  layers.layers.emplace_back().kind = kind;
  Editor editor;
  editor.open(in.file);
  editor.document.history.live().layerStack = layers;
  commitEdit(editor.document, "Add a layer");
  saveEdits(editor.session, SaveKind::layers);
  fs::path file;
  for (const auto& entry : fs::directory_iterator(in.folder.path))
    if (entry.path().filename().string().find("-layers-") != std::string::npos) file = entry.path();
  REQUIRE_FALSE(file.empty());
  Editor again;
  openModel(again.session, {{.model = in.file, .layers = file.string()}});
  again.wait();
  REQUIRE(again.document.workbench.layerStack.layers.size() == 1);
  CHECK(again.unsaved().empty());
  again.document.history.live().layerStack.layers.clear();
  commitEdit(again.document, "Remove a layer");
  CHECK(again.unsaved() == std::vector<std::string>{"the layers"});
  undoEdit(again.document);
  CHECK(again.unsaved().empty());
}

TEST_CASE("session: quitting asks for unsaved work, and saving it ends the session") {
  const InFolder in;
  Editor editor;
  editor.open(in.file);
  selectJoint(editor.document, editor.node("LowerArm"));
  setSelectedZoneEntry(editor.document, {.min = {}, .max = 0.5f, .source = {}});
  commitEdit(editor.document, "Zone");
  askToQuit(editor.session);
  CHECK_FALSE(editor.session.quit);
  REQUIRE(editor.session.discard.asked);
  cancelDiscard(editor.session);
  openFile(editor.session, "demo:tentacle"); // is asked about as well
  CHECK(editor.session.discard.asked);
  CHECK_FALSE(editor.session.imports.importing);
  cancelDiscard(editor.session);
  askToQuit(editor.session);
  saveAndContinue(editor.session);
  CHECK(editor.session.quit);
  CHECK(editor.unsaved().empty());
  Editor again;
  again.open(in.file);
  CHECK(again.document.workbench.zones.table.at("LowerArm").max == 0.5f);
}

} // namespace sinew
