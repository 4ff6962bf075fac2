#include "demo/body_arm_surface.h"
#include "demo/models.h"
#include "demo/rigging.h"

#include <array>

namespace sinew {
namespace {

using namespace body_arm;

constexpr float kArmEnd = 0.43f; // x, where the elbow's spline begins
// Where it ends: arms of nearly equal length bend most evenly, and the skin does not cross itself.
constexpr float kForearm = 0.82f;

enum Joint : std::uint8_t {
  kBodyStart,
  kBodyMiddle,
  kBodyEnd,
  kArmStart,
  kArmMiddle,
  kArmEndNode,
  kElbowStart,
  kElbowMiddle,
  kElbowEnd,
  kJointCount
};

// The painted weights of body, arm and elbow. Arm and elbow meet where both move alike: behind the
// arm's end, before the elbow's bend.
std::array<float, 3> paint(const vec3& p) {
  const float arm = armShare(p);
  const float elbow = arm * smoothStep(p.x - kArmEnd, 0.09f);
  return {1.0f - arm, arm - elbow, elbow};
}

Mesh makeSkin(const Model& model) {
  Mesh mesh = makeMesh();
  mesh.skin = 0;
  for (const vec3& p : mesh.positions) {
    const std::array<float, 3> splines = paint(p);
    appendWeights(mesh.splineInfluences, splines);
    std::array<float, kJointCount> bones{};
    for (std::size_t s = 0; s < 3; ++s) {
      const std::array<float, 3> nodes = nodeWeights(model.splines[s], p);
      for (std::size_t i = 0; i < 3; ++i)
        bones[3 * s + i] = splines[s] * nodes[i];
    }
    appendWeights(mesh.influences, bones);
    mesh.colors.push_back(computeArmColor(splines[1], splines[2]));
  }
  return mesh;
}

void bendMiddles(float phase, std::span<Transform> local) {
  bend(phase, local[kBodyMiddle], local[kArmMiddle], local[kElbowMiddle]);
}

void bendAndTwists(float phase, std::span<Transform> local) {
  bendMiddles(phase, local);
  const float part = upAndDown(phase);
  local[kBodyEnd].rotation = rotationAbout(vec3(0, 1, 0), -45.0f * part);
  local[kElbowEnd].rotation = rotationAbout(vec3(1, 0, 0), 140.0f * part);
}

} // namespace

Model makeBodyArmSplines() {
  constexpr std::array kJoints = {JointSpec{"BodyStart", "", {0, 0.04f, 0}},
                                  JointSpec{"BodyMiddle", "BodyStart", {0, kUpper, 0}},
                                  JointSpec{"BodyEnd", "BodyMiddle", {0, kArmHeight, 0}},
                                  JointSpec{"ArmStart", "BodyEnd", {0, kArmHeight, 0}},
                                  JointSpec{"ArmMiddle", "ArmStart", {kShoulder, kArmHeight, 0}},
                                  JointSpec{"ArmEnd", "ArmMiddle", {kArmEnd, kArmHeight, 0}},
                                  JointSpec{"ElbowStart", "ArmEnd", {kArmEnd, kArmHeight, 0}},
                                  JointSpec{"ElbowMiddle", "ElbowStart", {kElbow, kArmHeight, 0}},
                                  JointSpec{"ElbowEnd", "ElbowMiddle", {kForearm, kArmHeight, 0}}};
  Model model = makeSkeleton("body-arm-splines", kJoints);
  model.splines = {splineOver(model, "Body", {"BodyStart", "BodyMiddle", "BodyEnd"}),
                   splineOver(model, "Arm", {"ArmStart", "ArmMiddle", "ArmEnd"}),
                   splineOver(model, "Elbow", {"ElbowStart", "ElbowMiddle", "ElbowEnd"})};
  model.meshes.push_back(makeSkin(model));
  addMaterial(model);
  model.clips.push_back(bakeClip(model, "bend", 4.0f, 96, bendMiddles));
  model.clips.push_back(bakeClip(model, "bend-and-twists", 4.0f, 96, bendAndTwists));
  return model;
}

} // namespace sinew
