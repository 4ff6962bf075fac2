#include "animation/joint_names.h"
#include "animation/motion.h"
#include "animation/sample.h"
#include "core/error.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

// Hips, knee, foot hanging down, each a unit of `length`, with an optional turn of every frame.
Model leg(float length, const quat& frame, const char* prefix = "") {
  Model model;
  model.name = "leg";
  const auto add = [&](const char* name, std::uint32_t parent, const vec3& place) {
    Transform rest;
    rest.rotation = parent == kNoNode ? frame : quat(1, 0, 0, 0);
    rest.translation = parent == kNoNode ? place : glm::inverse(frame) * place;
    model.hierarchy.nodes.push_back({std::string(prefix) + name, parent, rest});
  };
  add("Hips", kNoNode, {0, 2 * length, 0});
  add("Knee", 0, {0, -length, 0});
  add("Foot", 1, {0, -length, 0});
  return model;
}

// The knee bends by a right angle about X, in model space, while the hips move along z.
void addKick(Model& model, const quat& frame) {
  Clip clip{"kick", 1.0f, {}};
  const quat bend = glm::inverse(frame) * glm::angleAxis(1.5707963f, vec3(1, 0, 0)) * frame;
  clip.channels.push_back({1, {}, {{0.0f, 1.0f}, {quat(1, 0, 0, 0), bend}}, {}});
  const vec3 start = model.hierarchy.nodes[0].rest.translation;
  clip.channels.push_back({0, {{0.0f, 1.0f}, {start, start + vec3(0, 0, start.y)}}, {}, {}});
  model.clips.push_back(clip);
}

vec3 placeAt(const Model& model, std::uint32_t node, float time) {
  return vec3(
      modelFromNodes(model.hierarchy, sample(model.hierarchy, model.clips.at(0), time))[node][3]);
}

} // namespace

TEST_CASE("names are compared without name space, case and separators") {
  CHECK(normalizedJointName("mixamorig:Left_Arm") == "leftarm");
  CHECK(normalizedJointName("Armature|left arm") == "leftarm");
  CHECK(normalizedJointName("LeftArm.001") == "leftarm001");
}

TEST_CASE("motion of the same skeleton arrives key by key") {
  Model motion = leg(1.0f, quat(1, 0, 0, 0));
  addKick(motion, quat(1, 0, 0, 0));
  Model model = leg(1.0f, quat(1, 0, 0, 0), "rig:");
  model.clips.push_back({"kick", 0.5f, {}});
  const MotionReport report = applyMotion(model, motion);
  CHECK(report.exact);
  CHECK(report.matched.size() == 2);
  REQUIRE(model.clips.size() == 2);
  CHECK(model.clips[0].name == "kick");
  CHECK(model.clips[1].name == "kick (2)"); // its own
  for (const float t : {0.0f, 0.3f, 1.0f})
    CHECK(glm::distance(placeAt(model, 2, t), placeAt(motion, 2, t)) < 1e-6f);
}

TEST_CASE("another size and other joint frames: bones keep their lengths, the pose is the same") {
  const quat frame = glm::angleAxis(1.2f, glm::normalize(vec3(1, 2, 3)));
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    Model motion = leg(1.0f, quat(1, 0, 0, 0));
    addKick(motion, quat(1, 0, 0, 0));
    Model model = leg(3.0f, turned ? frame : quat(1, 0, 0, 0));
    const MotionReport report = applyMotion(model, motion);
    CHECK_FALSE(report.exact);
    CHECK(report.sameFrames == !turned);
    CHECK(report.scale == doctest::Approx(3.0f));
    for (const float t : {0.0f, 1.0f})
      for (const std::uint32_t node : {0u, 1u, 2u})
        CHECK(glm::distance(placeAt(model, node, t), 3.0f * placeAt(motion, node, t)) < 1e-4f);
  }
}

TEST_CASE("no clips or no common joint: an error, and the model as it was") {
  Model model = leg(1.0f, quat(1, 0, 0, 0));
  Model still = leg(1.0f, quat(1, 0, 0, 0));
  CHECK_THROWS_AS(applyMotion(model, still), Error);
  Model other = leg(1.0f, quat(1, 0, 0, 0), "x");
  addKick(other, quat(1, 0, 0, 0));
  for (Node& node : model.hierarchy.nodes)
    node.name = "y" + node.name;
  CHECK_THROWS_AS(applyMotion(model, other), Error);
  CHECK(model.clips.empty());
}
