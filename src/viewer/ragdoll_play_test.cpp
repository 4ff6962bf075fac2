#include "animation/clip_of_poses.h"
#include "core/file.h"
#include "demo/demo.h"
#include "import/import_test_tools.h"
#include "viewer/session.h"
#include "viewer/state.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

constexpr float kFrame = 1.0f / 60.0f;

// The demo character as it walks in the window, the left arm on springs; without the window.
struct Walking {
  Viewer viewer;

  explicit Walking(bool springs = true) {
    viewer.settings.clip = "walk";
    viewer.settings.playing = true;
    Movement movement;
    if (springs) {
      SpringLayer spring;
      spring.from = "LeftUpperArm";
      spring.to = "LeftHand";
      movement.layers.emplace_back().kind = spring;
    }
    viewer.loaded.model = "demo:humanoid";
    viewer.bench =
        makeWorkbench(findDemo("humanoid").make(), viewer.settings, {}, std::move(movement));
  }

  // As advanceScene() has it, less the drawing.
  void frame(float seconds = kFrame) {
    Settings& settings = viewer.settings;
    const Wrap wrap = wrapOf(settings);
    advance(settings, viewer.clock, playedRange(viewer.bench, wrap), seconds);
    advanceRagdoll(viewer, seconds);
    if (!poseByRagdoll(viewer))
      evaluate(viewer.bench, playedTime(viewer.clock, settings.time), wrap);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame();
  }
  const Transform& joint(const char* name) const {
    return viewer.bench.pose.parentFromNode[*findNode(viewer.bench.model.hierarchy, name)];
  }
  vec3 at(const char* name) const {
    return vec3(viewer.bench.modelFromNode[*findNode(viewer.bench.model.hierarchy, name)][3]);
  }
  // Largest difference to the pose of others, metres.
  float off(const Walking& other) const {
    float most = 0.0f;
    for (std::size_t i = 0; i < viewer.bench.modelFromNode.size(); ++i)
      most = std::max(most, glm::length(vec3(viewer.bench.modelFromNode[i][3] -
                                             other.viewer.bench.modelFromNode[i][3])));
    return most;
  }
};

} // namespace

TEST_CASE("springs swing on beneath a ragdoll that follows the animation, and after it") {
  Walking free, partly, plain(false);
  for (Walking* each : {&free, &partly, &plain})
    each->frames(30);
  CHECK(free.off(plain) > 0.01f); // they swing
  partly.viewer.ragdoll.partial = "RightUpperArm";
  startRagdoll(partly.viewer);
  float swung = 0.0f;
  for (int i = 0; i < 150; ++i) { // over the ends of loops
    for (Walking* each : {&free, &partly, &plain})
      each->frame();
    swung = std::max(swung, glm::length(free.at("LeftHand") - plain.at("LeftHand")));
    // The step that the ragdoll is ahead or behind by is all that it is off.
    CHECK(glm::length(partly.at("LeftHand") - free.at("LeftHand")) < 0.03f);
    for (const JointState& joint : partly.viewer.ragdoll.fall->state.joints)
      CHECK(joint.errors.position < 0.005);
  }
  CHECK(swung > 0.02f);
  endRagdoll(partly.viewer);
  for (int i = 0; i < 60; ++i) {
    const vec3 before = partly.at("LeftHand");
    for (Walking* each : {&free, &partly})
      each->frame();
    CHECK(glm::length(partly.at("LeftHand") - before) < 0.12f); // no jump as it arrives
  }
  CHECK_FALSE(ragdollActive(partly.viewer));
  CHECK(partly.off(free) < 0.02f); // springs are stepped more finely beneath a ragdoll
}

TEST_CASE("the switch carries over how springs swing") {
  Walking walking;
  walking.frames(30);
  const vec3 before = walking.at("LeftHand");
  walking.frame();
  const double speed = glm::length(walking.at("LeftHand") - before) / kFrame;
  startRagdoll(walking.viewer);
  CHECK(walking.viewer.ragdoll.fall->state.fastest < 3.0 * speed + 1.0);
}

TEST_CASE("a driven ragdoll bears a pause, a jump in time, a stop at the end and a pose") {
  for (const JointSolver solver : {JointSolver::bullet, JointSolver::severity}) {
    Walking walking;
    Viewer& viewer = walking.viewer;
    viewer.ragdoll.solver = solver;
    viewer.ragdoll.partial = "RightUpperArm";
    viewer.ragdoll.strength = 0.5f;
    walking.frames(10);
    startRagdoll(viewer);
    const auto held = [&] {
      const RagdollFall& fall = *viewer.ragdoll.fall;
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
    viewer.settings.playing = false;
    follow(60);
    const vec3 foot = walking.at("LeftFoot");
    follow(30);
    CHECK(glm::length(walking.at("LeftFoot") - foot) < 1e-5f); // it stands
    viewer.settings.time += 0.4f;
    follow(2);
    CHECK(glm::length(walking.at("LeftFoot") - foot) > 0.05f); // it is there at once
    follow(30);
    viewer.settings.loop = false;
    viewer.settings.playing = true;
    follow(120);
    CHECK_FALSE(viewer.settings.playing);
    viewer.settings.loop = true;
    viewer.settings.playing = true;
    viewer.settings.speed = -1.0f;
    follow(60);
    viewer.edit.history.live().pose = restPose(viewer.bench.model.hierarchy);
    viewer.edit.history.commit("pose");
    follow(30);
  }
}

TEST_CASE("what is changed while it falls does not stop the fall, nor its recording") {
  Walking walking(false);
  Viewer& viewer = walking.viewer;
  walking.frames(10);
  startRagdoll(viewer);
  recordRagdoll(viewer, true);
  walking.frames(25);
  const double fast = viewer.ragdoll.fall->state.fastest;
  CHECK(fast > 1.0);
  viewer.ragdoll.fall->world.addBall(0.1, 5.0, {3.0, 1.0, 0.0}, {0.0, 0.0, 2.0});
  RagdollConfig config = viewer.ragdoll.file->config;
  config.friction = 0.9f;
  changeRagdoll(viewer, config);
  CHECK(viewer.ragdoll.fall->ragdoll.config().friction == 0.9f);
  CHECK(viewer.ragdoll.fall->state.fastest > 0.8 * fast);
  REQUIRE(viewer.ragdoll.fall->world.ballCount() == 1);
  CHECK(viewer.ragdoll.fall->world.ball(0).position.x == doctest::Approx(3.0));
  CHECK(viewer.ragdoll.fall->world.ballVelocity(0).z == doctest::Approx(2.0));
  walking.frames(20);
  CHECK(viewer.ragdoll.recorded.size() >= 44);
  recordRagdoll(viewer, false);
  CHECK(viewer.bench.model.clips.back().name == "ragdoll");
}

TEST_CASE("the camera goes along with a fall, not with a drag, and is back where the clip has it") {
  Walking walking(false);
  Viewer& viewer = walking.viewer;
  walking.frames(10);
  viewer.joints = jointNodes(viewer.bench.model);
  viewer.framedAt = jointCenter(viewer);
  viewer.orbit.framed = posedBounds(viewer.bench);
  startRagdoll(viewer);
  vec3 away = carriedAway(viewer);
  CHECK(glm::length(away) == 0.0f);
  const auto frame = [&] {
    walking.frame();
    const vec3 now = carriedAway(viewer);
    CHECK(glm::length(now - away) < 0.07f); // smoothly
    away = now;
  };
  for (int i = 0; i < 300; ++i)
    frame();
  CHECK(away.y < -0.2f);
  CHECK(glm::length(away - carriedBy(viewer)) < 0.02f);
  viewer.ragdoll.dragging = true;
  for (int i = 0; i < 30; ++i) {
    viewer.ragdoll.fall->ragdoll.push(0, glm::dvec3(15.0, 0.0, 0.0));
    walking.frame();
    CHECK(carriedAway(viewer) == away);
  }
  CHECK(glm::length(away - carriedBy(viewer)) > 0.1f);
  viewer.ragdoll.dragging = false;
  endRagdoll(viewer);
  while (ragdollActive(viewer))
    frame();
  CHECK(glm::length(away - carriedBy(viewer)) < 0.04f);
}

TEST_CASE("on the way back it may fall again, from where it is") {
  Walking walking(false);
  Viewer& viewer = walking.viewer;
  walking.frames(10);
  startRagdoll(viewer);
  walking.frames(90);
  endRagdoll(viewer);
  walking.frames(20);
  const float height = walking.at("Head").y;
  CHECK(height > 0.6f);
  startRagdoll(viewer);
  walking.frame();
  CHECK(std::abs(walking.at("Head").y - height) < 0.05f);
  walking.frames(120);
  CHECK(walking.at("Head").y < 0.5f);
}

TEST_CASE("one that lies gets up when it is driven") {
  Walking walking(false);
  Viewer& viewer = walking.viewer;
  startRagdoll(viewer);
  for (int i = 0; i < 60 * 30 && ragdollMoves(viewer); ++i)
    walking.frame();
  REQUIRE_FALSE(ragdollMoves(viewer));
  setRagdollStrength(viewer, 1.0f);
  CHECK(ragdollMoves(viewer));
  const vec3 hand = walking.at("LeftHand");
  walking.frames(60);
  CHECK(glm::length(walking.at("LeftHand") - hand) > 0.02f);
}

TEST_CASE("the file of the set-up is read again when it changes; nonsense leaves what was") {
  const test::TempFolder folder;
  Walking walking(false);
  Viewer& viewer = walking.viewer;
  viewer.loaded.model = (folder.path / "hero.glb").string();
  REQUIRE(ragdollConfig(viewer) != nullptr);
  const std::string path = viewer.ragdoll.file->path;
  RagdollConfig other = viewer.ragdoll.file->config;
  other.friction = 1.25f;
  const auto write = [&](const std::string& text, double at) {
    writeFile(path, text);
    for (double now = at; now < at + 5.0; now += 0.25)
      if (pollRagdollFile(viewer, now)) return true;
    return false;
  };
  startRagdoll(viewer);
  REQUIRE(write(ragdollToJson(other) + "\n", 10.0));
  CHECK(viewer.ragdoll.file->config == other);
  CHECK(viewer.ragdoll.fall->ragdoll.config() == other);
  std::string nonsense = ragdollToJson(other);
  nonsense.replace(nonsense.find("\"mass\""), 6, "\"mess\"");
  REQUIRE(write(nonsense, 20.0));
  CHECK(viewer.ragdoll.file->config == other);
  const std::string& said = viewer.ui.toasts.back().text;
  CAPTURE(said);
  CHECK(said.find("'mass' of body 'Hips'") != std::string::npos);
  CHECK(said.find("hero.glb.ragdoll.json") != std::string::npos);
  changeRagdoll(viewer, *ragdollConfig(viewer));
  saveRagdoll(viewer);
  CHECK(ragdollFromJson(viewer.bench.model, readFile(path), path) == other);
}

} // namespace sinew
