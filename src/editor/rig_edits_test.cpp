#include "app/vertex_colors.h"
#include "editor/rig_edits.h"
#include "editor/running_tasks.h"
#include "editor/save_as.h"
#include "editor/session_test_support.h"
#include "weights/bind_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Waits until the edit is part of the shown model.
void finishRigEdit(test::Editor& editor) {
  for (int i = 0; i < 20000 && !pollRigEdit(editor.session); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  editor.frame();
}

// Done, undone, done again; leaves the result.
void tryRigEdit(test::Editor& editor, RigEditKind kind) {
  const Document& document = editor.document;
  const std::vector<float> weights = test::collectWeights(document);
  const std::vector<vec3> positions = document.workbench.rig.positions;
  const std::size_t joints = document.joints.size();
  startRigEdit(editor.session, kind);
  finishRigEdit(editor);
  CHECK(editor.session.rigEdits.problem == "");
  REQUIRE(editor.session.rigEdits.made);
  CHECK(document.history.now().model == editor.session.rigEdits.made);
  CHECK_FALSE(editor.session.rigEdits.lines.empty());
  CHECK_FALSE(editor.unsaved().empty());
  undoEdit(editor.document);
  editor.frame();
  CHECK(test::collectWeights(document) == weights);
  CHECK(document.workbench.rig.positions == positions);
  CHECK(document.joints.size() == joints);
  redoEdit(editor.document);
  editor.frame();
  CHECK(document.history.now().model == editor.session.rigEdits.made);
}

} // namespace

TEST_CASE("rig edits: the pose on screen, a T-pose and an A-pose become the bind pose") {
  test::Editor editor;
  editor.open("demo:humanoid");
  const std::vector<vec3> before = editor.document.workbench.rig.positions;
  editor.session.rigEdits.choices.exact = true;
  for (const ArmPose arms : {ArmPose::a, ArmPose::t}) {
    editor.session.rigEdits.choices.arms = arms;
    tryRigEdit(editor, RigEditKind::repose);
    CHECK(editor.document.workbench.rig.positions.size() == before.size());
    CHECK(editor.document.workbench.rig.positions != before);
  }
  test::Editor arm;
  arm.open("demo:arm");
  const vec3 hand = arm.document.workbench.rig.positions.back();
  arm.rotate("LowerArm", 0.5f);
  arm.frame();
  arm.session.rigEdits.choices.exact = true;
  tryRigEdit(arm, RigEditKind::repose);
  CHECK_FALSE(arm.document.history.now().pose); // it is the rest pose now
  CHECK(arm.document.workbench.rig.positions.back() != hand);
}

TEST_CASE("rig edits: one side becomes the mirror image of the other") {
  // A file whose left hand follows the forearm.
  const test::TempFolder folder;
  Model model = findDemo("humanoid").make();
  const std::uint32_t hand = *findNode(model.hierarchy, "LeftHand");
  const std::uint32_t forearm = *findNode(model.hierarchy, "LeftLowerArm");
  const auto findIndex = [&](const Skin& skin, std::uint32_t node) {
    const auto found = std::ranges::find(skin.joints, node, &SkinJoint::node);
    return static_cast<std::uint32_t>(found - skin.joints.begin());
  };
  for (Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    const Skin& skin = model.skins[*mesh.skin];
    Influences moved;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      std::vector<Influence> vertex(mesh.influences.of(v).begin(), mesh.influences.of(v).end());
      const bool both = std::ranges::count(vertex, findIndex(skin, forearm), &Influence::joint) > 0;
      for (Influence& influence : vertex)
        if (!both && influence.joint == findIndex(skin, hand))
          influence.joint = findIndex(skin, forearm);
      moved.append(vertex);
    }
    mesh.influences = moved;
  }
  const fs::path path = folder.path / "uneven.glb";
  writeFile(path, toGlb(model));

  test::Editor editor;
  editor.open(path.string());
  const auto listVertices = [&](const char* name) {
    const Rig& rig = editor.document.workbench.rig;
    const std::uint32_t node = editor.node(name);
    return std::ranges::count_if(rig.influences.values, [&](const Influence& each) {
      return rig.joints[each.joint].node == node && each.weight > 0.001f;
    });
  };
  const auto left = listVertices("LeftHand");
  REQUIRE(listVertices("RightHand") > 2 * left);
  editor.session.rigEdits.choices.mirror.from = Side::left;
  tryRigEdit(editor, RigEditKind::mirror);
  CHECK(listVertices("LeftHand") == left);
  CHECK(listVertices("RightHand") <= left + left / 10);
}

TEST_CASE("rig edits: an edited pose stays where its joints do") {
  const test::InFolder at("humanoid");
  test::Editor editor;
  Document& document = editor.document;
  editor.open(at.file);
  editor.rotate("LeftLowerArm", 0.5f);
  editor.frame();
  const Pose posed = *document.history.now().pose;
  tryRigEdit(editor, RigEditKind::mirror);
  REQUIRE(document.history.now().pose);
  CHECK(document.history.now().pose->parentFromNode == posed.parentFromNode);
  CHECK(document.workbench.pose.parentFromNode == posed.parentFromNode);
  undoEdit(document);
  editor.frame();

  const fs::path bare = at.folder.path / "bare.glb"; // clothes
  writeFile(bare, toGlb(meshesAlone(findDemo("humanoid").make())));
  editor.session.rigEdits.choices.other = bare.string();
  tryRigEdit(editor, RigEditKind::dress);
  REQUIRE(document.history.now().pose);
  CHECK(document.history.now().pose->parentFromNode[editor.node("LeftLowerArm")] ==
        posed.parentFromNode[editor.node("LeftLowerArm")]);
  CHECK(document.history.now().pose->parentFromNode.size() ==
        document.workbench.model.hierarchy.nodes.size());
  undoEdit(document);
  editor.frame();

  editor.session.rigEdits.choices.joints = static_cast<std::uint32_t>(document.joints.size() - 4);
  tryRigEdit(editor, RigEditKind::reduce);
  CHECK_FALSE(document.history.now().pose);
  CHECK(editor.hasMessage("the edited pose is left out"));
}

TEST_CASE("rig edits: joints are merged until so many are left, and the clip is as before") {
  test::Editor editor;
  editor.open("demo:humanoid");
  const std::size_t joints = editor.document.joints.size();
  editor.session.rigEdits.choices.joints = static_cast<std::uint32_t>(joints - 4);
  tryRigEdit(editor, RigEditKind::reduce);
  CHECK(editor.document.joints.size() == joints - 4);
}

TEST_CASE("rig edits: a bare mesh takes weights, and a body is dressed and saved") {
  const test::InFolder at("humanoid");
  const Model body = findDemo("humanoid").make();
  const fs::path bare = at.folder.path / "bare.glb";
  writeFile(bare, toGlb(meshesAlone(body)));

  test::Editor editor;
  editor.open(bare.string());
  editor.session.rigEdits.choices.other = at.file;
  tryRigEdit(editor, RigEditKind::take);
  CHECK(editor.document.workbench.model.skins.size() == 1);
  CHECK(editor.document.workbench.model.clips.size() == body.clips.size());
  CHECK(std::ranges::none_of(test::collectWeights(editor.document),
                             [](float w) { return w < 0.0f; }));

  editor.open(at.file);
  const std::size_t vertices = vertexCount(editor.document.workbench.model);
  startTransfer(editor.session, true, bare.string());
  finishRigEdit(editor);
  CHECK(editor.session.rigEdits.problem == "");
  const Model& dressed = editor.document.workbench.model;
  CHECK(vertexCount(dressed) == 2 * vertices);
  CHECK(dressed.clips.size() == body.clips.size());

  // What was matched: the body has got no weights, the same mesh has a match everywhere.
  Session& session = editor.session;
  CHECK(shownMatches(session).empty());
  showMatches(session, true);
  editor.frame();
  const std::vector<vec3> colors = shownMatches(session);
  REQUIRE(colors.size() == 2 * vertices);
  CHECK(editor.document.settings.boneColors);
  CHECK(colors.front() == vec3(0.6f));
  CHECK(colors.back() == matchColors(std::vector{TransferOrigin::matched})[0]);
  CHECK(std::ranges::count(colors, vec3(0.6f)) == static_cast<std::ptrdiff_t>(vertices));
  undoEdit(editor.document);
  editor.frame();
  CHECK(shownMatches(session).empty());
  CHECK_FALSE(editor.document.settings.boneColors);
  redoEdit(editor.document);
  editor.frame();
  showMatches(session, true);
  editor.document.heatMap = true; // another way of colouring
  editor.frame();
  CHECK(shownMatches(session).empty());
  editor.document.heatMap = false;
  const fs::path path = at.folder.path / "dressed.glb";
  saveAs(editor.session, SaveKind::model, path);
  editor.open(path.string());
  CHECK(vertexCount(editor.document.workbench.model) == 2 * vertices);
}

TEST_CASE("rig edits: a part of the weights is taken, and the rest of the rig stays") {
  const test::InFolder at("humanoid");
  test::Editor editor;
  editor.open(at.file);
  const std::vector<float> before = test::collectWeights(editor.document);
  const std::size_t joints = editor.document.joints.size();
  RigEditChoices& choices = editor.session.rigEdits.choices;
  choices.other = at.file;
  choices.transfer.joints = {"LeftUpperArm"};
  choices.transfer.below = true;
  choices.transfer.mix = 0.5f;
  choices.transfer.addJoints = true;
  choices.transfer.weights.by = TransferBy::order;
  tryRigEdit(editor, RigEditKind::take);
  CHECK(editor.document.joints.size() == joints);
  const std::vector<float> after = test::collectWeights(editor.document);
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < after.size(); ++i) // its own weights, mixed with themselves
    CHECK(std::abs(after[i] - before[i]) < 1e-4f);
  // Clothes have no weights that could stay: these choices do not apply to them.
  const fs::path bare = at.folder.path / "bare.glb";
  writeFile(bare, toGlb(meshesAlone(findDemo("humanoid").make())));
  startTransfer(editor.session, true, bare.string());
  finishRigEdit(editor);
  CHECK(editor.session.rigEdits.problem == "");
}

TEST_CASE("rig edits: they are cancelled by Escape and by another model, and say why they fail") {
  test::Editor editor;
  Session& session = editor.session;
  CHECK_FALSE(rigEditProblem(session, RigEditKind::mirror).empty()); // no model yet
  editor.open("demo:humanoid");
  startRigEdit(session, RigEditKind::reduce);
  CHECK(session.rigEdits.job->running());
  CHECK(describeRunningTasks(session).find("Reducing") != std::string::npos);
  dismiss(session);
  CHECK_FALSE(session.rigEdits.job->running());
  CHECK_FALSE(editor.document.history.canUndo());

  startRigEdit(session, RigEditKind::reduce);
  editor.open("demo:tentacle");
  CHECK_FALSE(session.rigEdits.job->running());
  session.rigEdits.choices.arms = ArmPose::t;
  startRigEdit(session, RigEditKind::repose);
  finishRigEdit(editor);
  CHECK(session.rigEdits.problem.find("upper arm") != std::string::npos);
  CHECK(editor.hasMessage("upper arm")); // also where the panel is scrolled away
  CHECK_FALSE(editor.document.history.canUndo());

  // What is edited meanwhile is not lost.
  session.rigEdits.choices.arms.reset();
  startRigEdit(session, RigEditKind::repose);
  Model changed = editor.document.workbench.model;
  editor.document.history.live().model = std::make_shared<const Model>(std::move(changed));
  commitEdit(editor.document, "Bind");
  editor.frame();
  finishRigEdit(editor);
  CHECK(session.rigEdits.problem.find("changed") != std::string::npos);
}

} // namespace sinew
