#include "animation/random_model.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "rig/zones.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

TEST_CASE("axes of the demo arm: along it, from joint to joint") {
  const Model model = findDemo("arm").make();
  const Rig rig = buildRig(model);
  const std::vector<BoneAxis> axes = boneAxes(rig);
  for (const BoneAxis& axis : axes)
    CHECK(glm::length(axis.direction - vec3(1, 0, 0)) < 1e-6f);
  const std::uint32_t elbow = jointNamed(model, "LowerArm");
  CHECK(axes[elbow].center.x == doctest::Approx(0.30f));
  CHECK(axes[elbow].length == doctest::Approx(0.26f));
  CHECK(axes[elbow].parentLength == doctest::Approx(0.30f));
  CHECK(axes.back().length == doctest::Approx(0.23f).epsilon(0.02)); // as far as the hand reaches
}

TEST_CASE("zones of the demo arm: where its weights change") {
  const Model model = findDemo("arm").make();
  const Rig rig = buildRig(model);
  const std::vector<BoneAxis> axes = boneAxes(rig);
  const Zone elbow = zonesFromWeights(rig, axes)[jointNamed(model, "LowerArm")];
  CHECK(elbow.min < -0.02f);
  CHECK(elbow.min > -0.05f);
  CHECK(elbow.max > 0.02f);
  CHECK(elbow.max < 0.05f);
}

TEST_CASE("zones of any rig: around the joint, within half of each bone") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Rig rig = buildRig(randomModel(seed));
    const std::vector<BoneAxis> axes = boneAxes(rig);
    const std::vector<Zone> zones = zonesFromWeights(rig, axes);
    for (std::size_t j = 0; j < zones.size(); ++j) {
      CHECK(std::abs(glm::length(axes[j].direction) - 1.0f) < 1e-5f);
      CHECK(zones[j].min < 0.0f);
      CHECK(zones[j].max > 0.0f);
      CHECK(zones[j].min >= -0.5f * axes[j].parentLength);
      CHECK(zones[j].max <= 0.5f * axes[j].length);
    }
  }
}

TEST_CASE("axes and zones do not depend on how a file splits its vertices") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Rig rig = buildRig(randomModel(seed));
    const std::vector<BoneAxis> axes = boneAxes(rig);
    const std::vector<Zone> zones = zonesFromWeights(rig, axes);
    // The skin of some joints has every vertex five times.
    Rig split = rig;
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      for (int copy = 0; copy < 4 && rig.influences.of(v)[0].joint % 2 == seed % 2; ++copy) {
        split.positions.push_back(rig.positions[v]);
        split.influences.append(rig.influences.of(v));
      }
    const std::vector<BoneAxis> splitAxes = boneAxes(split);
    for (std::size_t j = 0; j < axes.size(); ++j) {
      CHECK(splitAxes[j].direction == axes[j].direction);
      CHECK(splitAxes[j].length == axes[j].length);
    }
    CHECK(zonesFromWeights(split, splitAxes) == zones);
  }
}

TEST_CASE("a rig without skin or length still has axes and zones") {
  Rig rig;
  rig.joints = {{0, kNoNode, mat4(1)}, {1, 0, mat4(1)}};
  const std::vector<BoneAxis> axes = boneAxes(rig);
  for (const Zone& zone : zonesFromWeights(rig, axes)) {
    CHECK(zone.min < 0.0f);
    CHECK(zone.max > 0.0f);
  }
  CHECK(std::abs(glm::length(axes[1].direction) - 1.0f) < 1e-6f);
}

TEST_CASE("axes and zones of a chain of 200,000 joints take linear time") {
  Rig rig;
  rig.joints.resize(200'000);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    mat4 jointFromBind(1.0f);
    jointFromBind[3].y = -static_cast<float>(j);
    rig.joints[j] = {j, j > 0 ? j - 1 : kNoNode, jointFromBind};
  }
  const std::vector<BoneAxis> axes = boneAxes(rig);
  CHECK(axes[100'000].center.y == 100'000.0f);
  CHECK(axes[100'000].direction.y == 1.0f);
  CHECK(zonesFromWeights(rig, axes).size() == rig.joints.size());
}
