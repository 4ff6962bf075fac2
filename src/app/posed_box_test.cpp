// Boxes for culling hold every posed vertex, and visible characters are never culled.
#include "animation/random_model.h"
#include "animation/sample.h"
#include "app/posed_box.h"
#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/methods.h"
#include "view/view.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

// How far the posed mesh leaves the box, as a share of the box's size.
float beyond(const Bounds& box, const SkinnedMesh& mesh) {
  float out = 0.0f;
  for (const vec3& p : mesh.positions) {
    const vec3 off = glm::max(box.min - p, p - box.max);
    out = std::max({out, off.x, off.y, off.z});
  }
  return out / box.size();
}

SkinnedMesh posedMesh(const Rig& rig, const Method& method, const std::vector<mat4>& f) {
  const Binding binding = method.bind(rig, {});
  Palette palette;
  packPalette(method, rig, binding, f, palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out;
}

} // namespace

TEST_CASE("a posed box holds every vertex that matrices pose, over random rigs and poses") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomModelOptions options{.nonUniformScale = seed % 2 == 0};
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const std::vector<mat4> f =
        modelFromNodes(model.hierarchy, randomPose(model, seed + 100, options));
    for (const char* name : {"rigid", "lbs"}) {
      const Method& method = findMethod(name);
      const Bounds box = posedBox(jointBoxes(rig, method), f);
      CHECK(beyond(box, posedMesh(rig, method, f)) <= 0.0f);
    }
  }
}

TEST_CASE("a posed box holds every vertex of characters by every method" *
          doctest::skip(test::kSanitized)) {
  std::vector<const char*> demos{"tentacle", "arm", "humanoid"};
  if (!test::kThorough) demos.resize(2);
  for (const char* demo : demos) {
    const Model model = findDemo(demo).make();
    const Rig rig = buildRig(model);
    for (const Method& method : methods()) {
      const JointBoxes boxes = jointBoxes(rig, method);
      for (const Clip& clip : model.clips) {
        CAPTURE(demo);
        CAPTURE(method.name);
        CAPTURE(clip.name);
        const std::vector<mat4> f =
            modelFromNodes(model.hierarchy, sample(model, clip, 0.4f * clip.seconds, Wrap::loop));
        CHECK(beyond(posedBox(boxes, f), posedMesh(rig, method, f)) <= 0.0f);
      }
    }
  }
}

TEST_CASE("boxes of eight characters side by side are those of each alone") {
  const Model model = findDemo("humanoid").make();
  const Rig rig = buildRig(model);
  const JointBoxes boxes = jointBoxes(rig, findMethod("lbs"));
  const Clip& clip = model.clips.front();
  const ClipLanes lanes = prepareLanes(model.hierarchy, clip);
  const std::array<float, kLanes> times{0.1f, 0.35f, 0.8f, 2.2f, 0.0f, 1.1f, 3.7f, 0.6f};
  LaneCursor cursor;
  PoseLanes pose;
  poseLanes(lanes, times, cursor, pose);
  std::array<Bounds, kLanes> all;
  posedBoxes(boxes, pose, all);
  for (std::size_t l = 0; l < kLanes; ++l) {
    const Bounds one =
        posedBox(boxes, modelFromNodes(model.hierarchy, sample(model, clip, times[l], Wrap::loop)));
    CHECK(glm::distance(one.min, all[l].min) <= 1e-4f * one.size());
    CHECK(glm::distance(one.max, all[l].max) <= 1e-4f * one.size());
  }
}

TEST_CASE("a box with a point in the picture is in the picture, and one far beside it is not") {
  Random random(5);
  View view;
  view.viewport = {0, 0, 200, 100};
  view.scene.include(vec3(-10.0f));
  view.scene.include(vec3(10.0f));
  view.camera.distance = 8.0f;
  const mat4 clip = clipFromWorld(view);
  std::size_t inside = 0;
  std::size_t left = 0;
  for (int i = 0; i < 500; ++i) {
    const vec3 center(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9));
    const vec3 half(random.uniform(0.01f, 1.0f), random.uniform(0.01f, 1.0f),
                    random.uniform(0.01f, 1.0f));
    const Bounds box{center - half, center + half};
    bool seen = false;
    for (int k = 0; k < 64; ++k) {
      const glm::ivec3 step(k % 4, k / 4 % 4, k / 16);
      const vec3 share = 0.5f * vec3(step) - 0.75f;
      const vec4 p = clip * vec4(center + share * half, 1.0f);
      seen |= p.w > 0.0f && std::abs(p.x) < p.w && std::abs(p.y) < p.w && std::abs(p.z) < p.w;
    }
    const bool found = isInPicture(clip, box);
    if (seen) CHECK(found);
    inside += seen ? 1 : 0;
    left += found ? 0 : 1;
  }
  CHECK(inside > 50);
  CHECK(left > 50);
  CHECK(!isInPicture(clip, Bounds()));
}

TEST_CASE("what joints do not move is refused") {
  Model model = findDemo("body-arm-splines").make();
  CHECK_THROWS_AS(jointBoxes(buildRig(model), findMethod("arc-spline")), Error);
  model = randomModel(1);
  addRandomMorphs(model, 2, 1);
  CHECK_THROWS_AS(jointBoxes(buildRig(model), findMethod("lbs")), Error);
}
