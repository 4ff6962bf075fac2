#include "animation/clip_keys.h"
#include "core/file.h"
#include "demo/demo.h"
#include "editor/document/framing.h"
#include "editor/document/keying.h"
#include "editor/edit_files.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session_test_support.h"
#include "import/import_test_tools.h"
#include "physics/ragdoll_config.h"
#include "ragdoll_run/ragdoll_file.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <thread>

namespace sinew {
namespace {

constexpr float kFrame = 1.0f / 60.0f;

// The demo character as it walks in the window, the left arm on springs; without the window.
struct Walking {
  Session session;

  explicit Walking(bool springs = true) {
    session.document.settings.clip = "walk";
    session.document.settings.playing = true;
    LayerStack layerStack;
    if (springs) {
      SpringLayer spring;
      spring.from = "LeftUpperArm";
      spring.to = "LeftHand";
      layerStack.layers.emplace_back().kind = spring;
    }
    session.document.loaded.model = "demo:humanoid";
    session.document.workbench = makeWorkbench(
        findDemo("humanoid").make(), session.document.settings, {}, std::move(layerStack));
    session.document.applied.settings = session.document.settings;
  }

  void frame(float seconds = kFrame) { advanceSession(session, seconds); }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame();
  }
  const Transform& joint(const char* name) const {
    return session.document.workbench.pose
        .parentFromNode[*findNode(session.document.workbench.model.hierarchy, name)];
  }
  vec3 at(const char* name) const {
    return vec3(session.document.workbench
                    .modelFromNode[*findNode(session.document.workbench.model.hierarchy, name)][3]);
  }
  // Largest difference to the pose of others, metres.
  float off(const Walking& other) const {
    float largest = 0.0f;
    for (std::size_t i = 0; i < session.document.workbench.modelFromNode.size(); ++i)
      largest = std::max(largest,
                         glm::length(vec3(session.document.workbench.modelFromNode[i][3] -
                                          other.session.document.workbench.modelFromNode[i][3])));
    return largest;
  }
};

} // namespace

TEST_CASE("springs swing on beneath a ragdoll that follows the animation, and after it") {
  Walking free, partly, plain(false);
  for (Walking* each : {&free, &partly, &plain})
    each->frames(30);
  CHECK(free.off(plain) > 0.01f); // they swing
  partly.session.play.partial = "RightUpperArm";
  startRagdoll(partly.session.document, partly.session.play);
  float swung = 0.0f;
  for (int i = 0; i < 150; ++i) { // over the ends of loops
    for (Walking* each : {&free, &partly, &plain})
      each->frame();
    swung = std::max(swung, glm::length(free.at("LeftHand") - plain.at("LeftHand")));
    // The step that the ragdoll is ahead or behind by is all that it is off.
    CHECK(glm::length(partly.at("LeftHand") - free.at("LeftHand")) < 0.03f);
    for (const JointState& joint : partly.session.play.fall->state.joints)
      CHECK(joint.errors.position < 0.005);
  }
  CHECK(swung > 0.02f);
  endRagdoll(partly.session.document, partly.session.play);
  for (int i = 0; i < 60; ++i) {
    const vec3 before = partly.at("LeftHand");
    for (Walking* each : {&free, &partly})
      each->frame();
    CHECK(glm::length(partly.at("LeftHand") - before) < 0.12f); // no jump as it arrives
  }
  CHECK_FALSE(ragdollActive(partly.session.play));
  CHECK(partly.off(free) < 0.02f); // springs are stepped more finely beneath a ragdoll
}

TEST_CASE("the switch carries over how springs swing") {
  Walking walking;
  walking.frames(30);
  const vec3 before = walking.at("LeftHand");
  walking.frame();
  const double speed = glm::length(walking.at("LeftHand") - before) / kFrame;
  startRagdoll(walking.session.document, walking.session.play);
  CHECK(walking.session.play.fall->state.fastest < 3.0 * speed + 1.0);
}

TEST_CASE("a driven ragdoll bears a pause, a jump in time, a stop at the end and a pose") {
  for (const JointSolver solver : kJointSolvers) {
    Walking walking;
    Session& session = walking.session;
    session.play.solver = solver;
    session.play.partial = "RightUpperArm";
    session.play.strength = 0.5f;
    walking.frames(10);
    startRagdoll(session.document, session.play);
    const auto held = [&] {
      const RagdollFall& fall = *session.play.fall;
      CHECK(fall.state.finite);
      CHECK(fall.state.fastest < 8.0);
      for (const JointState& joint : fall.state.joints)
        CHECK(joint.errors.position < 0.01 * fall.ragdoll.height());
    };
    const auto follow = [&](int frames) {
      for (int i = 0; i < frames; ++i) {
        walking.frame();
        held();
      }
    };
    follow(60);
    session.document.settings.playing = false;
    follow(60);
    const vec3 foot = walking.at("LeftFoot");
    follow(30);
    CHECK(glm::length(walking.at("LeftFoot") - foot) < 1e-5f); // it stands
    session.document.settings.time += 0.4f;
    follow(2);
    CHECK(glm::length(walking.at("LeftFoot") - foot) > 0.05f); // it is there at once
    follow(30);
    session.document.settings.loop = false;
    session.document.settings.playing = true;
    follow(120);
    CHECK_FALSE(session.document.settings.playing);
    session.document.settings.loop = true;
    session.document.settings.playing = true;
    session.document.settings.speed = -1.0f;
    follow(60);
    session.document.history.live().pose = restPose(session.document.workbench.model.hierarchy);
    session.document.history.commit("pose");
    follow(30);
  }
}

TEST_CASE("what is changed while it falls does not stop the fall, nor its recording") {
  Walking walking(false);
  Session& session = walking.session;
  walking.frames(10);
  startRagdoll(session.document, session.play);
  recordRagdoll(session.document, session.play, true);
  walking.frames(25);
  const double fast = session.play.fall->state.fastest;
  CHECK(fast > 1.0);
  session.play.fall->world.addBall(0.1, 5.0, {3.0, 1.0, 0.0}, {0.0, 0.0, 2.0});
  RagdollConfig config = session.play.file->config;
  config.friction = 0.9f;
  changeRagdoll(session.document, session.play, config);
  CHECK(session.play.fall->ragdoll.config().friction == 0.9f);
  CHECK(session.play.fall->state.fastest > 0.8 * fast);
  REQUIRE(session.play.fall->world.ballCount() == 1);
  CHECK(session.play.fall->world.ball(0).position.x == doctest::Approx(3.0));
  CHECK(session.play.fall->world.ballVelocity(0).z == doctest::Approx(2.0));
  walking.frames(20);
  CHECK(session.play.recorded.size() >= 44);
  recordRagdoll(session.document, session.play, false);
  CHECK(session.document.workbench.model.clips.back().name == "ragdoll");
}

TEST_CASE("a recorded fall is a clip that is undone, stays beside new clips and is unsaved work") {
  test::Editor editor;
  Session& session = editor.session;
  Document& document = editor.document;
  editor.open("demo:humanoid");
  session.play.fitting.reset(); // on this thread
  session.play.frameSeconds = std::numeric_limits<double>::infinity();
  const auto hasClip = [&](const char* name) {
    return std::ranges::count(document.workbench.model.clips, name, &Clip::name) == 1;
  };
  const auto record = [&] {
    recordRagdoll(document, session.play, true);
    for (int i = 0; i < 10; ++i)
      editor.frame();
  };
  const std::string shown = document.settings.clip;
  const auto clip = document.workbench.clip;
  startRagdoll(document, session.play);
  record();
  CHECK(editor.unsaved() == std::vector<std::string>{"the fall that is being recorded"});
  recordRagdoll(document, session.play, false);
  editor.frame();
  CHECK(hasClip("ragdoll"));
  CHECK(editor.unsaved() == std::vector<std::string>{"the changed clips, as .glb"});
  CHECK(ragdollActive(session.play)); // it goes on, over the same clip
  CHECK(document.settings.clip == shown);
  CHECK(document.workbench.clip == clip);
  record();
  recordRagdoll(document, session.play, false);
  CHECK(hasClip("ragdoll 2"));

  newClip(document);
  editor.frame();
  CHECK(hasClip("ragdoll"));
  CHECK(hasClip("ragdoll 2"));
  undoEdit(document);
  undoEdit(document);
  editor.frame();
  CHECK(hasClip("ragdoll"));
  CHECK_FALSE(hasClip("ragdoll 2"));
  redoEdit(document);
  editor.frame();
  CHECK(hasClip("ragdoll 2"));

  // A crowd and back: the file is read twice.
  for (int i = 0; i < 2; ++i) {
    toggleCrowd(session, 1000);
    discardWork(session);
    editor.wait();
    CHECK(document.crowd.has_value() == (i == 0));
  }
  CHECK(hasClip("ragdoll"));
  CHECK(hasClip("ragdoll 2"));
}

TEST_CASE("the camera follows a fall, not a drag, and returns with the clip") {
  Walking walking(false);
  Session& session = walking.session;
  walking.frames(10);
  session.document.joints = jointNodes(session.document.workbench.model);
  session.document.framing.center = jointCenter(session.document);
  session.document.orbit.framed = posedOutline(session.document.workbench);
  startRagdoll(session.document, session.play);
  vec3 away = carriedAway(session.document);
  CHECK(glm::length(away) == 0.0f);
  const auto frame = [&] {
    walking.frame();
    const vec3 now = carriedAway(session.document);
    CHECK(glm::length(now - away) < 0.1f); // smoothly: as fast as the hips fall, at 5 m/s
    away = now;
  };
  for (int i = 0; i < 300; ++i)
    frame();
  CHECK(away.y < -0.2f);
  CHECK(glm::length(away - carriedBy(session.document)) < 0.02f);
  session.play.dragging = true;
  for (int i = 0; i < 30; ++i) {
    session.play.fall->ragdoll.push(0, glm::dvec3(15.0, 0.0, 0.0));
    walking.frame();
    CHECK(carriedAway(session.document) == away);
  }
  CHECK(glm::length(away - carriedBy(session.document)) > 0.1f);
  session.play.dragging = false;
  endRagdoll(session.document, session.play);
  while (ragdollActive(session.play))
    frame();
  CHECK(glm::length(away - carriedBy(session.document)) < 0.04f);
}

TEST_CASE("on the way back it may fall again, from where it is") {
  Walking walking(false);
  Session& session = walking.session;
  walking.frames(10);
  startRagdoll(session.document, session.play);
  walking.frames(90);
  endRagdoll(session.document, session.play);
  walking.frames(20);
  const float height = walking.at("Head").y;
  CHECK(height > 0.6f);
  startRagdoll(session.document, session.play);
  walking.frame();
  CHECK(std::abs(walking.at("Head").y - height) < 0.05f);
  walking.frames(120);
  CHECK(walking.at("Head").y < 0.5f);
}

TEST_CASE("one that lies gets up when it is driven") {
  Walking walking(false);
  Session& session = walking.session;
  startRagdoll(session.document, session.play);
  for (int i = 0; i < 60 * 30 && ragdollMoves(session.play); ++i)
    walking.frame();
  REQUIRE_FALSE(ragdollMoves(session.play));
  setRagdollStrength(session.play, 1.0f);
  CHECK(ragdollMoves(session.play));
  const vec3 hand = walking.at("LeftHand");
  walking.frames(60);
  CHECK(glm::length(walking.at("LeftHand") - hand) > 0.02f);
}

TEST_CASE("the file of the set-up is read again when it changes; nonsense leaves what was") {
  const test::TempFolder folder;
  Walking walking(false);
  Session& session = walking.session;
  session.document.loaded.model = (folder.path / "hero.glb").string();
  REQUIRE(ragdollConfig(session.document, session.play) != nullptr);
  CHECK(session.play.file->path.empty());
  CHECK(std::filesystem::is_empty(folder.path)); // nothing is written unasked
  saveEdits(session, SaveKind::ragdoll);
  const std::string path = session.play.file->path;
  REQUIRE(path == session.document.loaded.model + ".ragdoll.json");
  RagdollConfig other = session.play.file->config;
  other.friction = 1.25f;
  const auto write = [&](const std::string& text, double at) {
    writeFile(path, text);
    for (double now = at; now < at + 5.0; now += 0.25)
      if (pollRagdollFile(session.document, session.play, now)) return true;
    return false;
  };
  startRagdoll(session.document, session.play);
  REQUIRE(write(ragdollToJson(other) + "\n", 10.0));
  CHECK(session.play.file->config == other);
  CHECK(session.play.fall->ragdoll.config() == other);
  std::string nonsense = ragdollToJson(other);
  nonsense.replace(nonsense.find("\"mass\""), 6, "\"mess\"");
  REQUIRE(write(nonsense, 20.0));
  CHECK(session.play.file->config == other);
  const std::string& message = session.document.notices.messages.back();
  CAPTURE(message);
  CHECK(message.find("'mass' of body 'Hips'") != std::string::npos);
  CHECK(message.find("hero.glb.ragdoll.json") != std::string::npos);
  changeRagdoll(session.document, session.play, *ragdollConfig(session.document, session.play));
  saveEdits(session, SaveKind::ragdoll);
  CHECK(ragdollFromJson(session.document.workbench.model, readFile(path), path) == other);
}

TEST_CASE("a ragdoll is fitted in the background, and falls when it is there") {
  Walking walking(false);
  Session& session = walking.session;
  RagdollPlay& play = session.play;
  play.fitting = std::make_unique<Task<RagdollFile>>();
  const auto wait = [&] {
    for (int i = 0; i < 60000 && fittingRagdoll(play); ++i) {
      walking.frame(); // the window goes on
      pollFitting(session.document, play);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    REQUIRE_FALSE(fittingRagdoll(play));
  };
  startRagdoll(session.document, play);
  CHECK_FALSE(ragdollActive(play));
  CHECK(fittingRagdoll(play));
  cancelFitting(session.document, play);
  wait();
  CHECK_FALSE(ragdollActive(play));
  startRagdoll(session.document, play);
  wait();
  CHECK(ragdollActive(play));
  Walking plain(false); // the same bodies as without a thread
  REQUIRE(ragdollConfig(plain.session.document, plain.session.play) != nullptr);
  CHECK(play.file->config == plain.session.play.file->config);
  const float height = walking.at("Head").y;
  walking.frames(90);
  CHECK(walking.at("Head").y < height - 0.3f);
}

TEST_CASE("what cannot be fitted says so once, and again when it is asked to fall") {
  Walking walking(false);
  Session& session = walking.session;
  session.document.workbench.rig.influences = {};
  session.document.workbench.rig.positions.clear();
  session.document.workbench.rig.meshes.clear();
  CHECK(ragdollConfig(session.document, session.play) == nullptr);
  CHECK(session.document.notices.messages.empty());
  startRagdoll(session.document, session.play);
  REQUIRE(session.document.notices.messages.size() == 1);
  CHECK(session.document.notices.messages.front().find("no skin") != std::string::npos);
}

TEST_CASE("a fall that is slow to simulate goes on in slow motion, step by step, and says so") {
  Walking walking(false);
  Session& session = walking.session;
  startRagdoll(session.document, session.play);
  session.play.frameSeconds = 0.0; // as if every step took too long
  walking.frames(60);
  const RagdollFall& fall = *session.play.fall;
  CHECK(fall.seconds == doctest::Approx(60.0 * fall.world.stepSeconds()));
  CHECK(fall.pace < 0.5);
  std::size_t told = 0;
  for (const std::string& message : session.document.notices.messages)
    told += message.find("slow motion") != std::string::npos ? 1 : 0;
  CHECK(told == 1);
  session.play.frameSeconds = 1e9;
  walking.frames(60);
  CHECK(fall.pace > 0.95);
}

TEST_CASE("ragdoll: fitted, fallen and back, it is in no file until it is saved") {
  const test::InFolder at("humanoid");
  test::Editor editor;
  editor.open(at.file);
  RagdollPlay& play = editor.session.play;
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(at.folder.path))
      names.push_back(entry.path().filename().string());
    return names;
  };
  startRagdoll(editor.document, play); // what U does; bodies are fitted on a thread
  for (int i = 0; i < 20000 && !ragdollActive(play); ++i) {
    pollFitting(editor.document, play);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(ragdollActive(play));
  for (int i = 0; i < 30; ++i)
    editor.frame();
  endRagdoll(editor.document, play);
  for (int i = 0; i < 90; ++i)
    editor.frame();
  CHECK_FALSE(ragdollActive(play));
  CHECK(files() == std::vector<std::string>{"arm.glb"});
  CHECK(editor.unsaved().empty()); // nor was it asked for
  saveEdits(editor.session, SaveKind::ragdoll);
  CHECK(files().size() == 2);
  CHECK(std::filesystem::exists(ragdollPath(at.file)));
}

} // namespace sinew
