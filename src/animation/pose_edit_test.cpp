#include "animation/pose_edit.h"
#include "animation/random_model.h"
#include "core/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

using namespace sinew;

namespace {

// The same rotation, whatever the quaternion's sign.
bool same(const quat& a, const quat& b, float tolerance = 1e-5f) {
  return std::abs(std::abs(glm::dot(glm::normalize(a), glm::normalize(b))) - 1.0f) < tolerance;
}

float largest(const mat3& a, const mat3& b) {
  float out = 0.0f;
  for (int i = 0; i < 3; ++i)
    out = std::max(out, glm::length(a[i] - b[i]));
  return out;
}

} // namespace

TEST_CASE(
    "pose edit: a rotation about a model axis rotates the posed joint about exactly that axis") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    Pose pose = randomPose(model, seed); // root scaled evenly at most
    const auto before = modelFromNodes(model.hierarchy, pose);
    Random random(seed);
    const std::uint32_t node = 1 + random.below(10);
    const vec3 axis = randomDirection(random);
    const float angle = random.uniform(-3.0f, 3.0f);
    pose.parentFromNode[node].rotation =
        rotatedAbout(model.hierarchy, pose, before, node, axis, angle);
    const auto after = modelFromNodes(model.hierarchy, pose);
    const mat3 rotation = mat3(glm::rotate(mat4(1.0f), angle, axis));
    CHECK(largest(mat3(after[node]), rotation * mat3(before[node])) < 1e-5f);
    CHECK(glm::length(vec3(after[node][3] - before[node][3])) < 1e-6f);
  }
}

TEST_CASE("pose edit: a joint's own axes stay its own, under a mirroring parent too") {
  Hierarchy hierarchy;
  const quat tilted = glm::angleAxis(0.7f, glm::normalize(vec3(1, 2, 3)));
  hierarchy.nodes.push_back({"root", kNoNode, {{1, 0, 0}, tilted, {-1, 1, 1}}});
  hierarchy.nodes.push_back({"child", 0, {{0, 1, 0}, tilted, {1, 1, 1}}});
  Pose pose = restPose(hierarchy);
  const auto before = modelFromNodes(hierarchy, pose);
  const mat3 axes = rotationAxes(hierarchy, pose, before, 1, RotationAxes::joint);
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    Pose turned = pose;
    turned.parentFromNode[1].rotation = rotatedAbout(hierarchy, pose, before, 1, axes[i], 0.5f);
    // About its own axis i, one way or the other.
    vec3 unit(0.0f);
    unit[i] = 1.0f;
    CHECK(glm::length(turned.parentFromNode[1].rotation * unit - tilted * unit) < 1e-5f);
    CHECK(toAxisAngle(glm::conjugate(tilted) * turned.parentFromNode[1].rotation).angle ==
          doctest::Approx(0.5f));
    // And in model space about the axis that was asked for, by as much.
    const auto after = modelFromNodes(hierarchy, turned);
    const mat3 rotation = mat3(glm::rotate(mat4(1.0f), 0.5f, axes[i]));
    CHECK(largest(mat3(after[1]), rotation * mat3(before[1])) < 1e-5f);
  }
  CHECK(rotationAxes(hierarchy, pose, before, 1, RotationAxes::model) == mat3(1.0f));
}

TEST_CASE("pose edit: the identity is the rest pose, and rotations are returned as they were set") {
  const Model model = randomModel(5);
  Pose pose = restPose(model.hierarchy);
  CHECK(toAxisAngle(rotationFromRest(model.hierarchy, pose, 3)).angle == doctest::Approx(0.0f));
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const quat rotation = randomRotation(random);
    setRotationFromRest(model.hierarchy, pose, 3, rotation);
    CHECK(same(rotationFromRest(model.hierarchy, pose, 3), rotation));
  }
}

TEST_CASE("pose edit: Euler angles and axis with angle describe the same rotation") {
  Random random(9);
  for (int i = 0; i < 500; ++i) {
    const quat rotation = randomRotation(random);
    const vec3 angles = toEuler(rotation);
    CHECK(same(rotationOfEuler(angles), rotation));
    CHECK(std::abs(angles.y) <= 1.5708f);
    CHECK(same(toRotation(toAxisAngle(rotation)), rotation));
    CHECK(toAxisAngle(rotation).angle <= 3.14160f);
  }
  // Gimbal lock.
  for (const float y : {1.57079633f, -1.57079633f}) {
    const quat rotation = rotationOfEuler({0.4f, y, -0.9f});
    CHECK(same(rotationOfEuler(toEuler(rotation)), rotation));
  }
  CHECK(toAxisAngle({1, 0, 0, 0}, {0, 1, 0}).axis == vec3(0, 1, 0));
}
