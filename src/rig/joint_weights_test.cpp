#include "animation/random_model.h"
#include "rig/joint_weights.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// Joints 0 - 1 - 2 in a chain and 3 beside 1, and one vertex with these influences.
JointAttachments attached(const std::vector<Influence>& influences, std::uint32_t limit = 3) {
  Rig rig;
  rig.joints = {{0, kNoNode, mat4(1)}, {1, 0, mat4(1)}, {2, 1, mat4(1)}, {3, 0, mat4(1)}};
  rig.positions.resize(1);
  rig.influences.append(influences);
  return attachToJoints(rig, limit);
}

} // namespace

TEST_CASE("parent and child share one joint") {
  const auto out = attached({{1, 0.7f}, {2, 0.3f}});
  REQUIRE(out.values.size() == 1);
  CHECK(out.values[0].joint == 2);
  CHECK(out.values[0].weight == doctest::Approx(1.0f));
  CHECK(out.values[0].blendFactor == doctest::Approx(0.3f));
}

TEST_CASE("a bone alone goes to its own joint, wholly") {
  const auto out = attached({{1, 1.0f}});
  REQUIRE(out.values.size() == 1);
  CHECK(out.values[0].joint == 1);
  CHECK(out.values[0].blendFactor == 1.0f);
}

TEST_CASE("a bone between two others is shared in proportion to them") {
  const auto out = attached({{1, 0.5f}, {0, 0.3f}, {2, 0.2f}});
  REQUIRE(out.values.size() == 2);
  CHECK(out.values[0].joint == 1); // 0.3 + 0.5 * 3/5
  CHECK(out.values[0].weight == doctest::Approx(0.6f));
  CHECK(out.values[0].blendFactor == doctest::Approx(0.5f));
  CHECK(out.values[1].joint == 2); // 0.2 + 0.5 * 2/5
  CHECK(out.values[1].weight == doctest::Approx(0.4f));
  CHECK(out.values[1].blendFactor == doctest::Approx(0.5f));
}

TEST_CASE("bones that do not touch keep a joint each, and the lightest is cut") {
  const auto out = attached({{2, 0.6f}, {3, 0.4f}});
  REQUIRE(out.values.size() == 2);
  CHECK(out.values[0].joint == 2);
  CHECK(out.values[1].joint == 3);
  const auto one = attached({{2, 0.6f}, {3, 0.4f}}, 1);
  REQUIRE(one.values.size() == 1);
  CHECK(one.values[0].joint == 2);
  CHECK(one.values[0].weight == 1.0f);
}

TEST_CASE("joints give every bone its weight back") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rig rig = buildRig(randomModel(seed));
    const JointAttachments all = attachToJoints(rig, 100);
    const std::vector<std::uint32_t> parents = parentOrSelf(rig);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      std::vector<float> weight(rig.joints.size(), 0.0f);
      for (const JointAttachment& a : all.of(v)) {
        weight[a.joint] += a.weight * a.blendFactor;
        weight[parents[a.joint]] += a.weight * (1.0f - a.blendFactor);
      }
      for (const Influence& influence : rig.influences.of(v))
        weight[influence.joint] -= influence.weight;
      for (const float left : weight)
        CHECK(std::abs(left) < 1e-6f);
    }
  }
}
