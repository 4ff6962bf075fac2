#include "animation/clip_play.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

// Hips under an armature that is rotated, scaled and moved; they walk 2 along model z within
// a second and bob. A camera flies about.
Model walker() {
  Model model;
  Transform armature;
  armature.rotation = glm::angleAxis(1.1f, glm::normalize(vec3(1, 2, 3)));
  armature.scale = vec3(0.01f);
  armature.translation = {3, 0, 5};
  model.hierarchy.nodes = {{"camera", kNoNode, {}},
                           {"armature", 0, armature},
                           {"hips", 1, {}},
                           {"head", 2, {{0, 100, 0}, {1, 0, 0, 0}, {1, 1, 1}}}};
  model.hierarchy.nodes[0].name = "scene";
  Skin skin;
  skin.joints = {{2, mat4(1.0f)}, {3, mat4(1.0f)}};
  model.skins.push_back(skin);
  Clip clip{"walk", 1.0f, {}};
  const mat4 local = glm::inverse(toMatrix(armature));
  const auto place = [&](const vec3& p) { return transformPoint(local, p); };
  clip.channels.push_back(
      {2,
       {{0.0f, 0.5f, 1.0f}, {place({1, 1, 0}), place({1.5f, 1.2f, 1}), place({1, 1, 2})}},
       {},
       {}});
  clip.channels.push_back(
      {1, {{0.0f, 1.0f}, {armature.translation, armature.translation}}, {}, {}});
  model.clips.push_back(clip);
  return model;
}

vec3 hipsAt(const Model& model, RootMotion root, double time, TimeMap map = {}) {
  ClipPlayState state;
  Pose pose;
  sample(model, {0, std::move(map), root}, time, state, pose);
  return vec3(modelFromNodes(model.hierarchy, pose)[2][3]);
}

} // namespace

TEST_CASE("root motion: kept, removed, accumulated") {
  const Model model = walker();
  CHECK(test::near(hipsAt(model, RootMotion::keep, 0.5), {1.5f, 1.2f, 1}, 1e-4f));
  CHECK(test::near(hipsAt(model, RootMotion::keep, 2.5), {1.5f, 1.2f, 1}, 1e-4f));
  CHECK(test::near(hipsAt(model, RootMotion::off, 0.5), {1, 1.2f, 0}, 1e-4f)); // up and down stays
  CHECK(test::near(hipsAt(model, RootMotion::accumulate, 0.5), {1.5f, 1.2f, 1}, 1e-4f));
  CHECK(test::near(hipsAt(model, RootMotion::accumulate, 2.5), {1.5f, 1.2f, 5}, 1e-4f));
  CHECK(test::near(hipsAt(model, RootMotion::accumulate, -0.5), {1.5f, 1.2f, -1}, 1e-4f));
}

TEST_CASE("accumulated root motion is continuous over loops, forwards and backwards") {
  const Model model = walker();
  for (const bool reversed : {false, true}) {
    TimeMap map;
    map.begin = 0.25f;
    map.end = 0.75f;
    map.reversed = reversed;
    for (double time = -2.0; time < 3.0; time += 0.01) {
      const vec3 a = hipsAt(model, RootMotion::accumulate, time, map);
      const vec3 b = hipsAt(model, RootMotion::accumulate, time + 0.01, map);
      CHECK(glm::distance(vec3(0, 0, a.z), vec3(0, 0, b.z)) < 0.03f);
      CHECK((reversed ? b.z < a.z : b.z > a.z));
    }
  }
}

TEST_CASE("a clip that stays in place has no root path") {
  Model model = walker();
  for (vec3& place : model.clips[0].channels[0].translation.values)
    place = model.clips[0].channels[0].translation.values[0];
  CHECK_FALSE(rootPath(model, model.clips[0], {}).has_value());
  const auto path = rootPath(walker(), walker().clips[0], {});
  REQUIRE(path.has_value());
  CHECK(path->node == 2); // not the armature, which stands still
}
