#include "demo/humanoid_parts.h"
#include "model/shapes.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew::humanoid {
namespace {

constexpr std::array<JointSpec, kJointCount> kJoints = {{
    {"Hips", "", {0, 0.920f, 0}},
    {"Spine", "Hips", {0, 1.020f, -0.005f}},
    {"Chest", "Spine", {0, 1.140f, -0.010f}},
    {"Neck", "Chest", {0, 1.380f, -0.018f}},
    {"Head", "Neck", {0, 1.460f, -0.010f}},
    {"LeftShoulder", "Chest", {0.040f, kArmHeight, -0.012f}},
    {"LeftUpperArm", "LeftShoulder", {0.165f, kArmHeight, -0.014f}},
    {"LeftLowerArm", "LeftUpperArm", {0.405f, kArmHeight, -0.014f}},
    {"LeftHand", "LeftLowerArm", {0.640f, kArmHeight, -0.010f}},
    {"LeftFingers", "LeftHand", {0.722f, kArmHeight, -0.004f}},
    {"LeftThumb", "LeftHand", {0.668f, 1.299f, 0.024f}},
    {"LeftUpperLeg", "Hips", {0.088f, 0.880f, 0}},
    {"LeftLowerLeg", "LeftUpperLeg", {0.097f, 0.480f, 0.006f}},
    {"LeftFoot", "LeftLowerLeg", {0.100f, 0.085f, -0.020f}},
    {"LeftToes", "LeftFoot", {0.103f, 0.028f, 0.090f}},
    {"RightShoulder", "Chest", {-0.040f, kArmHeight, -0.012f}},
    {"RightUpperArm", "RightShoulder", {-0.165f, kArmHeight, -0.014f}},
    {"RightLowerArm", "RightUpperArm", {-0.405f, kArmHeight, -0.014f}},
    {"RightHand", "RightLowerArm", {-0.640f, kArmHeight, -0.010f}},
    {"RightFingers", "RightHand", {-0.722f, kArmHeight, -0.004f}},
    {"RightThumb", "RightHand", {-0.668f, 1.299f, 0.024f}},
    {"RightUpperLeg", "Hips", {-0.088f, 0.880f, 0}},
    {"RightLowerLeg", "RightUpperLeg", {-0.097f, 0.480f, 0.006f}},
    {"RightFoot", "RightLowerLeg", {-0.100f, 0.085f, -0.020f}},
    {"RightToes", "RightFoot", {-0.103f, 0.028f, 0.090f}},
}};

// How much of the skin at p a joint and those below it move: the skin is divided by a plane
// through the joint, softly over halfWidth to both sides. In T-pose planes part the limbs well, and
// weights are multiplied down the tree, so an arm's plane never reaches a leg.
float beyond(const vec3& p, Joint joint, const vec3& direction, float halfWidth) {
  return smoothStep(glm::dot(p - kJoints[joint].position, glm::normalize(direction)), halfWidth);
}

// Combines two weights like independent probabilities.
float either(float a, float b) {
  return 1.0f - (1.0f - a) * (1.0f - b);
}

// Weights of the middle and the left side at a point of the left half (p.x >= 0); the middle's
// weight of the legs is halved between both sides near x = 0.
std::array<float, kJointCount> weightsAt(const vec3& p) {
  std::array<float, kJointCount> branch{}; // weights of a joint with all below it
  branch[kHips] = 1.0f;
  branch[kSpine] = beyond(p, kSpine, {0, 1, 0}, 0.07f);
  branch[kChest] = branch[kSpine] * beyond(p, kChest, {0, 1, 0}, 0.07f);
  branch[kNeck] = branch[kChest] * beyond(p, kNeck, {0, 1, -0.25f}, 0.035f) *
                  either(smoothStep(0.085f - p.x, 0.03f), smoothStep(p.y - 1.44f, 0.03f));
  // The chin belongs to the head, the nape below the hair to the neck.
  branch[kHead] =
      branch[kNeck] *
      smoothStep(p.y - kJoints[kHead].position.y + 0.6f * std::max(p.z + 0.010f, -0.020f), 0.035f);
  // Beside the trunk, only what lies above the armpit follows the arm.
  const float onArm = smoothStep(p.x - 0.205f, 0.03f);
  branch[kShoulder] = (branch[kChest] - branch[kNeck]) * smoothStep(p.x - 0.095f, 0.055f) *
                      either(smoothStep(p.y - 1.220f, 0.07f), onArm);
  branch[kUpperArm] = branch[kShoulder] * beyond(p, kUpperArm, {1, 0, 0}, 0.06f) *
                      either(smoothStep(p.y - 1.237f, 0.03f), onArm);
  branch[kLowerArm] = branch[kUpperArm] * beyond(p, kLowerArm, {1, 0, 0}, 0.05f);
  branch[kHand] = branch[kLowerArm] * beyond(p, kHand, {1, 0, 0}, 0.035f);
  branch[kThumb] = branch[kHand] * beyond(p, kThumb, {0.55f, -0.1f, 0.83f}, 0.020f) *
                   smoothStep(p.z - 0.034f - 0.35f * (p.x - 0.70f), 0.014f);
  branch[kFingers] = (branch[kHand] - branch[kThumb]) * beyond(p, kFingers, {1, 0, 0}, 0.024f);
  // The legs part from the hips along the crease from crotch to hip bone.
  // They share the crotch; below it the middle plane runs in air between them.
  const float side = smoothStep(p.x, glm::mix(0.012f, 0.05f, smoothStep(p.y - 0.79f, 0.04f)));
  const float legs = smoothStep(0.94f * (0.862f - p.y) + 0.34f * (p.x - 0.088f), 0.075f);
  branch[kUpperLeg] = legs * side;
  branch[kLowerLeg] = branch[kUpperLeg] * beyond(p, kLowerLeg, {0, -1, 0}, 0.06f);
  branch[kFoot] = branch[kLowerLeg] * beyond(p, kFoot, {0, -0.95f, 0.3f}, 0.038f);
  branch[kToes] = branch[kFoot] * beyond(p, kToes, {0, 0, 1}, 0.038f);
  const std::size_t rightUpperLeg = kUpperLeg + kLeftCount;
  branch[rightUpperLeg] = legs * (1.0f - side);

  std::array<float, kJointCount> weights = branch;
  for (std::size_t j = 1; j < kJointCount; ++j)
    for (std::size_t parent = 0; parent < j; ++parent)
      if (kJoints[parent].name == kJoints[j].parent) weights[parent] -= branch[j];
  for (float& weight : weights)
    weight = std::max(weight, 0.0f);
  return weights;
}

void swapSides(std::array<float, kJointCount>& weights) {
  for (std::size_t j = kShoulder; j < kLeftEnd; ++j)
    std::swap(weights[j], weights[j + kLeftCount]);
}

} // namespace

std::span<const JointSpec> joints() {
  return kJoints;
}

std::vector<std::vector<float>> makeWeights(std::span<const vec3> positions,
                                            std::span<const Triangle> triangles) {
  std::vector<std::vector<float>> weights;
  for (const vec3& p : positions) {
    auto vertex = weightsAt(vec3(std::abs(p.x), p.y, p.z));
    if (p.x < 0.0f) swapSides(vertex);
    weights.emplace_back(vertex.begin(), vertex.end());
  }
  // Weights are products of steps; a little diffusion along the surface rounds their corners.
  constexpr int kRounds = 3;
  const auto around = neighbours(positions.size(), triangles);
  for (int round = 0; round < kRounds; ++round) {
    const auto before = weights;
    for (std::size_t v = 0; v < weights.size(); ++v)
      for (std::size_t j = 0; j < kJointCount; ++j) {
        float sum = 0.0f;
        for (const std::uint32_t n : around[v])
          sum += before[n][j];
        weights[v][j] = 0.5f * before[v][j] + 0.5f * sum / static_cast<float>(around[v].size());
      }
  }
  return weights;
}

} // namespace sinew::humanoid
