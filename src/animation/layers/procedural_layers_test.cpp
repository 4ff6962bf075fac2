#include "animation/layers/ik_layers.h"
#include "animation/layers/procedural_layers.h"
#include "animation/pose_edit.h"
#include "core/error.h"
#include "demo/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;

namespace {

std::uint32_t node(const char* name) {
  return *findNode(test::humanoid().hierarchy, name);
}

template <class Layer>
Pose applied(const Layer& layer, double time) {
  typename Layer::State state;
  const Pose below = restPose(test::humanoid().hierarchy);
  Pose out = below;
  apply(layer, state, {test::humanoid(), below, time, 0.0, true}, out);
  return out;
}

vec3 getPosition(const Pose& pose, const char* name) {
  return {modelFromNodes(test::humanoid().hierarchy, pose)[node(name)][3]};
}

template <class Layer>
bool refuses(Layer layer, const char* word) {
  const std::string problem = findProblem(test::humanoid(), layer);
  CAPTURE(problem);
  return problem.find(word) != std::string::npos && problem.find('\n') == std::string::npos;
}

} // namespace

TEST_CASE("procedural layers: a formula rotates its joint, in degrees, about its own axis") {
  FormulaLayer clock{"RightHand", FormulaPart::rotate, {0, 0, 2}, "-6 * floor(t)"};
  const quat rotation =
      rotationFromRest(test::humanoid().hierarchy, applied(clock, 7.9), node("RightHand"));
  CHECK(2.0f * std::atan2(rotation.z, rotation.w) == doctest::Approx(-0.7330383f)); // 42 degrees
  clock.part = FormulaPart::scale;
  clock.axis = {1, 0, 0};
  clock.formula = "0.5 * t";
  CHECK(applied(clock, 1.0).parentFromNode[node("RightHand")].scale == vec3(1.5f, 1.0f, 1.0f));
}

TEST_CASE("procedural layers: a head looks at a target that moves by formulas") {
  AimLayer look{"Neck", "Head", {0, 0, 1}, {{0.0f, 1.5f, 5.0f}, "2 * t", "", ""}};
  for (const double time : {-1.0, 0.0, 1.0}) {
    const Pose pose = applied(look, time);
    const auto nodes = modelFromNodes(test::humanoid().hierarchy, pose);
    const vec3 facing = glm::normalize(mat3(nodes[node("Head")]) * vec3(0, 0, 1));
    const vec3 target(2.0f * static_cast<float>(time), 1.5f, 5.0f);
    const vec3 wanted = glm::normalize(target - vec3(nodes[node("Head")][3]));
    CHECK(glm::dot(facing, wanted) > 0.99999f);
  }
}

TEST_CASE("procedural layers: inverse kinematics brings the hand to its target") {
  TwoBoneIkLayer arm{"LeftUpperArm", "LeftLowerArm", "LeftHand", {{0.3f, 1.2f, 0.3f}, "", "", ""}};
  arm.usePole = true;
  arm.pole = {0.3f, 0.0f, 0.0f};
  arm.limits = {"LeftLowerArm hinge 0 1 0 -150 0"};
  const Pose pose = applied(arm, 0.0);
  CHECK(glm::length(getPosition(pose, "LeftHand") - arm.target.at) < 1e-4f);
  CHECK(getPosition(pose, "LeftLowerArm").y < 1.25f); // the elbow hangs
  CcdLayer reach{"Spine", "LeftHand", {{0.4f, 1.0f, 0.45f}, "", "", ""}, true};
  const Pose bent = applied(reach, 0.0);
  CHECK(glm::length(getPosition(bent, "LeftHand") - reach.target.at) < 1e-3f);
  const quat hand =
      glm::quat_cast(mat3(modelFromNodes(test::humanoid().hierarchy, bent)[node("LeftHand")]));
  const Pose rest = restPose(test::humanoid().hierarchy);
  const quat before =
      glm::quat_cast(mat3(modelFromNodes(test::humanoid().hierarchy, rest)[node("LeftHand")]));
  CHECK(std::abs(glm::dot(hand, before)) > 0.9999f); // held
}

TEST_CASE("procedural layers: what does not suit the model is said in one line") {
  CHECK(refuses(WaveLayer{"Nobody", "Head"}, "no joint 'Nobody'"));
  CHECK(refuses(WaveLayer{"Head", "Spine"}, "'Head' is not above 'Spine'"));
  CHECK(refuses(WaveLayer{"Spine", "Head", vec3(0.0f)}, "'axis'"));
  CHECK(refuses(BreathingLayer{"Brest"}, "'Brest'"));
  CHECK(refuses(AimLayer{"Neck", "Head", {0, 0, 1}, {{}, "sin(", "", ""}}, "sin("));
  CHECK(refuses(FormulaLayer{"Head", FormulaPart::rotate, {0, 0, 1}, "2 +"}, "2 +"));
  CHECK(refuses(TwoBoneIkLayer{"LeftUpperArm", "LeftUpperArm", "LeftHand"}, "three joints"));
  CHECK(refuses(CcdLayer{"Head", "Head"}, "same joint"));
  CHECK(refuses(SpringLayer{"Head", "LeftHand"}, "not above"));
  CHECK(findProblem(test::humanoid(), WaveLayer{"Spine", "Head"}).empty());
}

TEST_CASE("joint limit text: reads and writes, and says what is wrong") {
  const Hierarchy& hierarchy = test::humanoid().hierarchy;
  const std::vector<std::string> lines = {"LeftLowerArm hinge 0 1 0 -150 0",
                                          "LeftUpperArm universal 1 0 0 60 90"};
  const JointLimits limits = limitsOfText(hierarchy, lines);
  CHECK(toString("LeftLowerArm", limits[node("LeftLowerArm")]) == lines[0]);
  CHECK(toString("LeftUpperArm", limits[node("LeftUpperArm")]) == lines[1]);
  CHECK(toString("Head", limits[node("Head")]).empty());
  CHECK(limitsOfText(hierarchy, {}).empty());
  for (const char* wrong :
       {"LeftLowerArm", "Nobody hinge 0 1 0 -1 1", "Head hinge 0 1 0 -1", "Head hinge 0 0 0 -1 1",
        "Head hinge 0 1 0 5 1", "Head universal 0 1 0 -5 1", "Head hinge 0 1 0 -1 1 7",
        "Head hinge a 1 0 -1 1", "Head universal 0 1 0 nan 1", " hinge 0 1 0 0 1"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(limitsOfText(hierarchy, {wrong}), Error);
  }
}
