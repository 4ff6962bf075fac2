#include "animation/sample.h"
#include "demo/demo.h"
#include "metrics/range_of_motion.h"
#include "rig/rig.h"

#include <doctest/doctest.h>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace sinew;

TEST_CASE("range of motion as a clip: every joint below another one bends, by 40 degrees") {
  Model model = findDemo("humanoid").make();
  model.clips = {rangeOfMotionClip(model)};
  const Clip& clip = model.clips[0];
  const Rig rig = buildRig(model);
  std::set<std::uint32_t> expected, moved;
  for (const RigJoint& joint : rig.joints)
    if (joint.parent != kNoNode) expected.insert(joint.node);
  for (const Channel& channel : clip.channels)
    moved.insert(channel.node);
  CHECK(moved == expected);
  const Pose rest = sample(model, clip, 0.0f);
  std::vector<float> largest(rest.parentFromNode.size(), 0.0f);
  for (int i = 0; i <= 400; ++i) {
    const Pose pose = sample(model, clip, clip.seconds * static_cast<float>(i) / 400.0f);
    for (std::size_t n = 0; n < largest.size(); ++n)
      largest[n] = std::max(
          largest[n],
          2.0f * std::acos(std::min(1.0f, std::abs(glm::dot(rest.parentFromNode[n].rotation,
                                                            pose.parentFromNode[n].rotation)))));
  }
  for (const std::uint32_t node : expected)
    CHECK(glm::degrees(largest[node]) == doctest::Approx(40.0).epsilon(0.1));
  const Pose end = sample(model, clip, clip.seconds);
  for (std::size_t n = 0; n < largest.size(); ++n)
    CHECK(std::abs(glm::dot(end.parentFromNode[n].rotation, rest.parentFromNode[n].rotation)) >
          0.999999f);
}
