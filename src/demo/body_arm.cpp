#include "demo/body_arm_surface.h"
#include "demo/models.h"
#include "demo/rigging.h"

#include <array>

namespace sinew {
namespace {

using namespace body_arm;

enum Joint : std::uint8_t { kBody, kUpperBody, kTop, kArm, kForearm, kHand, kJointCount };

std::array<float, kJointCount> weightsAt(const vec3& p) {
  const float upper = smoothStep(p.y - kUpper, 0.28f);
  const float arm = armShare(p);
  const float forearm = arm * smoothStep(p.x - kElbow, 0.11f);
  const float hand = forearm * smoothStep(p.x - kWrist, 0.06f);
  return {1.0f - upper, upper - arm, 0.0f, arm - forearm, forearm - hand, hand};
}

Mesh makeSkin() {
  Mesh mesh = makeMesh();
  mesh.skin = 0;
  for (const vec3& p : mesh.positions) {
    const auto weights = weightsAt(p);
    appendWeights(mesh.influences, weights);
    mesh.colors.push_back(computeArmColor(weights[kArm], weights[kForearm] + weights[kHand]));
  }
  return mesh;
}

void bendJoints(float phase, std::span<Transform> local) {
  bend(phase, local[kUpperBody], local[kArm], local[kForearm]);
}

void bendAndTwists(float phase, std::span<Transform> local) {
  bendJoints(phase, local);
  const float part = upAndDown(phase);
  local[kUpperBody].rotation =
      local[kUpperBody].rotation * rotationAbout(vec3(0, 1, 0), -45.0f * part);
  local[kForearm].rotation = local[kForearm].rotation * rotationAbout(vec3(1, 0, 0), 40.0f * part);
  local[kHand].rotation = rotationAbout(vec3(1, 0, 0), 100.0f * part);
}

} // namespace

Model makeBodyArm() {
  constexpr std::array kJoints = {JointSpec{"Body", "", {0, 0, 0}},
                                  JointSpec{"Upper", "Body", {0, kUpper, 0}},
                                  JointSpec{"Top", "Upper", {0, kArmHeight, 0}},
                                  JointSpec{"Arm", "Top", {kShoulder, kArmHeight, 0}},
                                  JointSpec{"Elbow", "Arm", {kElbow, kArmHeight, 0}},
                                  JointSpec{"Hand", "Elbow", {kWrist, kArmHeight, 0}}};
  Model model = makeSkeleton("body-arm", kJoints);
  model.meshes.push_back(makeSkin());
  addMaterial(model);
  model.clips.push_back(bakeClip(model, "bend", 4.0f, 96, bendJoints));
  model.clips.push_back(bakeClip(model, "bend-and-twists", 4.0f, 96, bendAndTwists));
  return model;
}

} // namespace sinew
