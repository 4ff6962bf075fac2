// Keys and clips as the window edits them, without the window.
#include "animation/sample.h"
#include "core/random.h"
#include "editor/document/clip_time.h"
#include "editor/document/keying.h"
#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "editor/rig_edits.h"
#include "editor/session_test_support.h"
#include "editor/time/joint_curves.h"
#include "import/import_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

using test::Editor;
using test::InFolder;

// Compares the nodes of `model`: a file has further nodes for meshes.
float largestDifference(const Model& model, const Pose& a, const Model& read, const Pose& b) {
  float largest = 0.0f;
  for (std::size_t n = 0; n < a.parentFromNode.size(); ++n) {
    const Transform& x = a.parentFromNode[n];
    const Transform& y = b.parentFromNode[*findNode(read.hierarchy, model.hierarchy.nodes[n].name)];
    largest = std::max({largest, glm::distance(x.translation, y.translation),
                        1.0f - std::abs(glm::dot(x.rotation, y.rotation)),
                        glm::distance(x.scale, y.scale)});
  }
  return largest;
}

// A wave of the right arm: eight actions of a user. The clip is shown afterwards.
void keyWave(Editor& editor) {
  Document& document = editor.document;
  selectJoint(document, editor.node("RightUpperArm"));
  newClip(document);
  editor.frame();
  editor.rotate("RightUpperArm", 1.2f);
  editor.frame();
  document.settings.time = 0.5f;
  editor.frame();
  // A drag: some frames before it is a step.
  Transform& arm = editedPose(document).parentFromNode[editor.node("RightUpperArm")];
  editor.frame();
  arm.rotation = arm.rotation * glm::angleAxis(0.5f, vec3(0, 0, 1));
  editor.frame();
  commitEdit(document, "Rotate");
  editor.frame();
  document.settings.time = 1.0f;
  editor.frame();
  editor.rotate("RightUpperArm", -0.8f);
  editor.frame();
}

} // namespace

TEST_CASE("keying: a wave is keyed as it is posed, undone, redone, and read back from its file") {
  const InFolder in("humanoid");
  Editor editor;
  editor.open(in.file);
  Document& document = editor.document;
  const std::size_t clips = document.workbench.model.clips.size();
  const Model before = document.workbench.model;
  keyWave(editor);
  REQUIRE(document.workbench.model.clips.size() == clips + 1);
  CHECK_FALSE(holdsPose(document));
  REQUIRE(document.workbench.clip == clips);
  const std::uint32_t arm = editor.node("RightUpperArm");
  const Clip wave = document.workbench.model.clips.back();
  REQUIRE(wave.channels.size() == 1);
  CHECK(wave.channels[0].node == arm);
  CHECK(wave.channels[0].rotation.times == std::vector<float>{0.0f, 0.5f, 1.0f});
  CHECK(wave.channels[0].translation.times.empty());
  CHECK(editor.unsaved() == std::vector<std::string>{"the changed clips, as .glb"});
  togglePlaying(document.settings, timelineRange(document));
  document.settings.time = 0.3f;
  editor.frame(0.0f);
  CHECK(largestDifference(before, document.workbench.pose, before, sample(before, wave, 0.3f)) <
        1e-6f);

  for (int i = 0; i < 4; ++i) {
    undoEdit(document);
    editor.frame();
  }
  CHECK(document.workbench.model.clips.size() == clips);
  CHECK(document.workbench.model.clips.front().channels.size() ==
        before.clips.front().channels.size());
  CHECK(editor.unsaved().empty());
  for (int i = 0; i < 4; ++i) {
    redoEdit(document);
    editor.frame();
  }
  REQUIRE(document.workbench.model.clips.size() == clips + 1);
  CHECK(document.workbench.model.clips.back().channels[0].rotation.values ==
        wave.channels[0].rotation.values);
  CHECK(document.workbench.clip == clips); // a clip that comes back is shown

  saveEdits(editor.session, SaveKind::model, in.folder.path / "wave.glb");
  CHECK(editor.unsaved().empty());
  const Model read = importModel((in.folder.path / "wave.glb").string());
  REQUIRE(read.clips.size() == clips + 1);
  const Clip& again = read.clips.back();
  CHECK(again.name == "clip");
  CHECK(again.seconds == doctest::Approx(wave.seconds));
  REQUIRE(again.channels.size() == 1);
  CHECK(again.channels[0].rotation.interpolation == Interpolation::cubic);
  for (int i = 0; i <= 40; ++i) {
    const float time = 0.05f * static_cast<float>(i);
    CHECK(largestDifference(before, sample(before, wave, time), read, sample(read, again, time)) <
          1e-5f);
  }
}

TEST_CASE("keying: every interpolation of random keys is read back equal") {
  const InFolder in("humanoid");
  Editor editor;
  editor.open(in.file);
  Document& document = editor.document;
  Random random(21);
  newClip(document);
  document.autoKey = false;
  editor.frame();
  const auto joints = document.joints;
  for (int i = 0; i < 24; ++i) {
    document.settings.time = random.uniform(0.0f, 2.0f);
    editor.frame();
    const std::uint32_t node = joints[random.below(static_cast<std::uint32_t>(joints.size()))];
    Transform t = document.workbench.pose.parentFromNode[node];
    t.rotation = glm::normalize(quat(random.uniform(-1, 1), random.uniform(-1, 1),
                                     random.uniform(-1, 1), random.uniform(-1, 1)));
    t.translation += vec3(random.uniform(-0.1f, 0.1f), 0.0f, 0.1f);
    editedPose(document).parentFromNode[node] = t;
    commitEdit(document, "Pose");
    CHECK(holdsPose(document));
    setKeysHere(document);
    CHECK_FALSE(holdsPose(document));
    editor.frame();
    const Transform& keyed = document.workbench.pose.parentFromNode[node];
    CHECK(glm::distance(keyed.translation, t.translation) < 1e-5f);
    CHECK(std::abs(glm::dot(keyed.rotation, t.rotation)) > 1.0f - 1e-5f);
    selectJoint(document, node);
    setInterpolation(document, std::nullopt, static_cast<Interpolation>(random.below(3)));
    editor.frame();
  }
  const Model made = document.workbench.model;
  const Clip& clip = made.clips.back();
  saveEdits(editor.session, SaveKind::model, in.folder.path / "keys.glb");
  const Model read = importModel((in.folder.path / "keys.glb").string());
  const Clip& again = read.clips.back();
  CHECK(again.seconds == doctest::Approx(clip.seconds));
  for (int i = 0; i <= 60; ++i) {
    const float time = clip.seconds * static_cast<float>(i) / 60.0f;
    CHECK(largestDifference(made, sample(made, clip, time), read, sample(read, again, time)) <
          1e-4f);
  }
}

TEST_CASE("keying: keys are moved and removed, and what cannot be keyed says why") {
  Editor editor;
  editor.open("demo:humanoid");
  Document& document = editor.document;
  setClip(document, "none");
  editor.frame();
  CHECK(keyingProblem(document).find("no clip") != std::string::npos);
  setKeysHere(document);
  CHECK(editor.hasMessage("no clip"));
  keyWave(editor);
  const std::uint32_t arm = editor.node("RightUpperArm");
  const auto times = [&] {
    return findChannel(document.workbench.model.clips.back(), arm)->rotation.times;
  };
  KeyGrip grip = gripKey(document, 0.5f, vec3(0.0f), std::nullopt);
  CHECK(dragKey(document, grip, ChannelPart::rotation, 1.0f, 0.0f)); // over its neighbour
  editor.frame();
  CHECK(times() == std::vector<float>{0.0f, 1.0f});
  CHECK(dragKey(document, grip, ChannelPart::rotation, 0.75f, 0.0f)); // and back
  editor.frame();
  CHECK(times() == std::vector<float>{0.0f, 0.75f, 1.0f});
  commitEdit(document, "Move a key");
  undoEdit(document);
  editor.frame();
  CHECK(times() == std::vector<float>{0.0f, 0.5f, 1.0f});

  KeyGrip dropped = gripKey(document, 0.5f, vec3(0.0f), std::nullopt);
  CHECK(dragKey(document, dropped, ChannelPart::rotation, 0.6f, 0.0f));
  dismiss(editor.session);
  CHECK_FALSE(dragKey(document, dropped, ChannelPart::rotation, 0.7f, 0.0f));
  editor.frame();
  CHECK(times() == std::vector<float>{0.0f, 0.5f, 1.0f});

  // A value: 40 degrees about x, the other angles stay.
  const Model& model = document.workbench.model;
  const JointCurves before =
      jointCurves(model, model.clips.back(), arm, ChannelPart::rotation, 100);
  REQUIRE(before.keys.size() == 3);
  KeyGrip valued = gripKey(document, 0.5f, before.keys[1].value, 0);
  CHECK(dragKey(document, valued, ChannelPart::rotation, 0.5f, 40.0f));
  commitEdit(document, "Move a key");
  editor.frame();
  const JointCurves after = jointCurves(model, model.clips.back(), arm, ChannelPart::rotation, 100);
  const vec3 wanted{40.0f, before.keys[1].value.y, before.keys[1].value.z};
  CHECK(glm::distance(nearestAngles(after.keys[1].value, wanted), wanted) < 0.01f);

  document.settings.time = 0.5f;
  editor.frame();
  removeKeysHere(document);
  editor.frame();
  CHECK(times() == std::vector<float>{0.0f, 1.0f});
  removeKeysHere(document);
  CHECK(editor.hasMessage("no key at this time"));
  renameClip(document, "greeting");
  editor.frame();
  CHECK(document.workbench.model.clips.back().name == "greeting");
  CHECK(document.settings.clip == "greeting");
  duplicateClip(document);
  editor.frame();
  CHECK(document.settings.clip == "greeting 2");
  setClipLength(document, 0.2f); // not below its keys
  commitEdit(document, "Length");
  editor.frame();
  CHECK(document.workbench.model.clips.back().seconds == 1.0f);
  removeClip(document);
  editor.frame();
  CHECK(document.workbench.model.clips.back().name == "greeting");
}

TEST_CASE("keying: keyed clips go with binding, subdividing, splines and undo of them") {
  Editor editor;
  editor.open("demo:humanoid");
  Document& document = editor.document;
  const std::size_t clips = document.workbench.model.clips.size();
  keyWave(editor);
  const Clip wave = document.workbench.model.clips.back();
  selectJoint(document, editor.node("RightUpperArm"));
  subdivideSelected(document, Subdivision::midpoints);
  editor.frame();
  CHECK(document.workbench.model.clips.size() == clips + 1);
  newSpline(document, editor.session.bind, editor.session.splines);
  editor.frame();
  REQUIRE(document.workbench.model.clips.size() == clips + 1);
  CHECK(document.workbench.model.clips.back().channels[0].rotation.values ==
        wave.channels[0].rotation.values);
  draftOwnJoints(document, editor.session.bind);
  editor.frame();
  CHECK(drafting(document));
  CHECK_FALSE(keyingProblem(document).empty());
  leaveDraft(document, editor.session.bind);
  editor.frame();
  CHECK(document.workbench.model.clips.size() == clips + 1);
  while (document.history.canUndo()) {
    undoEdit(document);
    editor.frame();
  }
  CHECK(document.workbench.model.clips.size() == clips);
  while (document.history.canRedo()) {
    redoEdit(document);
    editor.frame();
  }
  REQUIRE(document.workbench.model.clips.size() == clips + 1);
  CHECK(document.workbench.model.clips.back().channels[0].rotation.values ==
        wave.channels[0].rotation.values);
}

TEST_CASE("joint curves: angles go on without jumps, and give the rotation again") {
  const Model model = findDemo("humanoid").make();
  Random random(22);
  Clip clip{"c", 2.0f, {}};
  for (int i = 0; i < 8; ++i) {
    Pose pose = restPose(model);
    pose.parentFromNode[4].rotation = glm::normalize(
        quat(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.1f));
    keyNode(clip, model, pose, 4, random.uniform(0, 2));
  }
  const JointCurves curves = jointCurves(model, clip, 4, ChannelPart::rotation, 4000);
  CHECK(curves.keys.size() == clip.channels[0].rotation.times.size());
  for (const TimedValue& key : curves.keys) {
    Clip changed = clip;
    setKeyValue(changed, model, 4, ChannelPart::rotation, key.time, key.value);
    const auto at = *keyAt(clip.channels[0].rotation, key.time);
    CHECK(std::abs(glm::dot(changed.channels[0].rotation.values[at],
                            clip.channels[0].rotation.values[at])) > 1.0f - 1e-5f);
  }
  for (int round = 0; round < 200; ++round) {
    const vec3 angles{random.uniform(-400, 400), random.uniform(-400, 400),
                      random.uniform(-400, 400)};
    const vec3 to{random.uniform(-400, 400), random.uniform(-400, 400), random.uniform(-400, 400)};
    const vec3 near = nearestAngles(angles, to);
    CHECK(glm::distance(near, to) <= glm::distance(angles, to) + 1e-3f);
    CHECK(std::abs(glm::dot(rotationOfEuler(glm::radians(near)),
                            rotationOfEuler(glm::radians(angles)))) > 1.0f - 1e-4f);
  }
}

} // namespace sinew
