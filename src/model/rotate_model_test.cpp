#include "animation/random_model.h"
#include "animation/sample.h"
#include "model/rotate_model.h"
#include "rig/rig.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

using namespace sinew;

namespace {

std::vector<vec3> posed(const Model& model, float time) {
  const Rig rig = buildRig(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  const Pose pose = model.clips.empty() ? restPose(model.hierarchy)
                                        : sample(model.hierarchy, model.clips[0], time);
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out.positions;
}

} // namespace

TEST_CASE("a rotated model has the same poses, rotated") {
  const quat rotation = glm::angleAxis(1.2f, glm::normalize(vec3(1, -2, 0.5f)));
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed);
    Clip clip{.name = "move", .seconds = 1.0f, .channels = {}};
    Channel root;
    root.translation = {{0.0f, 1.0f}, {vec3(0.0f), vec3(1, 2, 3)}};
    root.rotation = {{0.0f, 1.0f}, {quat(1, 0, 0, 0), glm::angleAxis(0.7f, vec3(0, 0, 1))}};
    clip.channels.push_back(root);
    model.clips.insert(model.clips.begin(), clip);
    Model turned = model;
    rotateModel(turned, rotation);
    for (const float time : {0.0f, 0.3f, 1.0f}) {
      const std::vector<vec3> before = posed(model, time);
      const std::vector<vec3> after = posed(turned, time);
      REQUIRE(before.size() == after.size());
      float largest = 0.0f;
      float size = 1.0f;
      for (std::size_t v = 0; v < before.size(); ++v) {
        largest = std::max(largest, glm::distance(rotation * before[v], after[v]));
        size = std::max(size, glm::length(before[v]));
      }
      CHECK(largest < 1e-5f * size);
    }
  }
}
