#include "tools/figures/bones_blending/zone_binding.h"

#include "demo/models.h"
#include "demo/rigging.h"

#include <glm/geometric.hpp>

#include <array>

namespace sinew {
namespace {

// How far the weights of the demo's arm reach on each side of a joint, metres.
constexpr float kShoulderHalf = 0.07f;
constexpr float kWristHalf = 0.035f;

void appendShares(std::uint32_t parent, std::uint32_t joint, float t, Influences& influences) {
  std::vector<Influence> shares;
  if (t > 0.0f) shares.push_back({joint, t});
  if (t < 1.0f) shares.push_back({parent, 1.0f - t});
  if (shares.size() == 2 && t < 0.5f) std::swap(shares[0], shares[1]);
  influences.append(shares);
}

} // namespace

ZoneBound bindByZones(Model model, std::span<const NamedZone> zones) {
  const Rig rig = buildRig(model);
  const std::vector<BoneAxis> axes = boneAxes(rig);
  ZoneBound bound;
  bound.zones = zonesFromWeights(rig, axes);
  Mesh& mesh = model.meshes.front();
  mesh.influences = {};
  for (const auto& [name, zone] : zones)
    bound.zones[rigJoint(rig, model, name)] = zone;
  for (const vec3& p : mesh.positions) {
    std::uint32_t parent = 0, joint = 0;
    float t = 1.0f;
    for (const auto& [name, zone] : zones) {
      const std::uint32_t next = rigJoint(rig, model, name);
      const float share = zoneParameter(axes[next], zone, p);
      if (share <= 0.0f) break;
      parent = joint;
      joint = next;
      t = share;
      if (t < 1.0f) break;
    }
    appendShares(parent, joint, t, mesh.influences);
  }
  bound.model = std::move(model);
  return bound;
}

ZoneBound paperArm(float half) {
  return paperArm(makeArm(), half);
}

ZoneBound paperArm(const Model& arm, float half) {
  const std::array zones = {NamedZone{"UpperArm", {-kShoulderHalf, kShoulderHalf}},
                            NamedZone{"LowerArm", {-half, half}},
                            NamedZone{"Hand", {-kWristHalf, kWristHalf}}};
  return bindByZones(arm, zones);
}

ZoneBound smoothly(ZoneBound bound) {
  for (Zone& zone : bound.zones)
    zone.curve.kind = BlendCurve::Kind::smooth;
  return bound;
}

Model divideElbow(const Model& arm, Subdivision kind) {
  return subdivideJoints(arm, std::vector{rigJoint(buildRig(arm), arm, "LowerArm")}, kind);
}

Pose elbowPose(const Model& arm, float bend, float twist) {
  Pose pose = restPose(arm.hierarchy);
  pose.parentFromNode[jointNamed(arm, "LowerArm")].rotation =
      rotationAbout(vec3(0, 0, 1), bend) * rotationAbout(vec3(1, 0, 0), twist);
  return pose;
}

} // namespace sinew
