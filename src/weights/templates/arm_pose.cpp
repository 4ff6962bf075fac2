#include "weights/templates/arm_pose.h"

#include "animation/ik/ik_path.h"
#include "animation/retarget/joint_names.h"
#include "core/error.h"
#include "core/polar.h"
#include "weights/skeleton_edit.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <vector>

namespace sinew {
namespace {

// The highest joint of a part below another; kNoNode: none.
std::uint32_t jointOfPart(const Model& model, const std::string& part, std::uint32_t below) {
  for (const std::uint32_t node : jointNodes(model)) {
    if (likelyBodyPart(model.hierarchy.nodes[node]) != part &&
        bodyPart(model.hierarchy.nodes[node]) != part)
      continue;
    std::uint32_t up = model.hierarchy.nodes[node].parent;
    while (below != kNoNode && up != kNoNode && up != below)
      up = model.hierarchy.nodes[up].parent;
    if (below == kNoNode || up == below) return node;
  }
  return kNoNode;
}

// Upper arm, forearm and hand; kNoNode: no hand.
using ArmJoints = std::array<std::uint32_t, 3>;

ArmJoints findArmJoints(const Model& model, const std::string& side) {
  ArmJoints out{};
  std::uint32_t above = kNoNode;
  const std::array<const char*, 3> parts{" upper arm", " forearm", " hand"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out[i] = jointOfPart(model, side + parts[i], above);
    if (out[i] == kNoNode && i < 2)
      throw usageError("no joint is called the " + side + parts[i],
                       "name the joints as in sinew weights --skeleton template:humanoid, or "
                       "give the pose by --pose");
    above = out[i];
  }
  if (out[2] == kNoNode) out[2] = jointOfPart(model, side + parts[2], kNoNode);
  return out;
}

// A joint that is to move as another one does, without hanging from it.
struct Carried {
  std::uint32_t node, with;
};

// In rigs with inverse kinematics fingers may hang from a goal where the hand is, and the hand from
// something else than the forearm.
std::vector<Carried> findCarried(const Model& model, const ArmJoints& arm,
                                 const std::vector<mat4>& modelFromNode) {
  constexpr float kNear = 0.05f; // share of the upper arm's length
  const auto [upper, forearm, hand] = arm;
  const auto distance = [&](std::uint32_t a, std::uint32_t b) {
    return glm::distance(vec3(modelFromNode[a][3]), vec3(modelFromNode[b][3]));
  };
  const float near = kNear * distance(upper, forearm);
  std::vector<Carried> out;
  for (const std::uint32_t node : jointNodes(model)) {
    const bool follows = isBelow(model.hierarchy, node, upper) ||
                         isBelow(model.hierarchy, upper, node) ||
                         std::ranges::any_of(out, [&](const Carried& each) {
                           return isBelow(model.hierarchy, node, each.node);
                         });
    if (follows) continue;
    if (node == hand || distance(node, forearm) <= near)
      out.push_back({node, forearm});
    else if (hand != kNoNode && distance(node, hand) <= near)
      out.push_back({node, hand});
  }
  return out;
}

void carryAlong(const Model& model, const Carried& carried, const std::vector<mat4>& before,
                Pose& pose) {
  const std::vector<mat4> now = modelFromNodes(model.hierarchy, pose);
  const std::uint32_t parent = model.hierarchy.nodes[carried.node].parent;
  const mat4 above = parent == kNoNode ? mat4(1.0f) : now[parent];
  pose.parentFromNode[carried.node] =
      decompose(glm::inverse(above) * now[carried.with] * glm::inverse(before[carried.with]) *
                before[carried.node]);
}

// Rotates a node so that its child's joint lies along the direction, model space.
void pointAlong(const Model& model, std::uint32_t node, std::uint32_t child, const vec3& wanted,
                Pose& pose) {
  if (child == kNoNode) return;
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, pose);
  const vec3 along = vec3(modelFromNode[child][3]) - vec3(modelFromNode[node][3]);
  if (!(glm::length(along) > 0.0f)) return;
  const quat change = rotationBetween(glm::normalize(along), wanted);
  const std::uint32_t parent = model.hierarchy.nodes[node].parent;
  const quat above = parent == kNoNode ? quat(1.0f, 0.0f, 0.0f, 0.0f)
                                       : polar(mat3(modelFromNode[parent])).rotation;
  quat& local = pose.parentFromNode[node].rotation;
  local = glm::normalize(glm::conjugate(above) * change * above * local);
}

} // namespace

Pose armPose(const Model& model, ArmPose pose) {
  const ArmJoints left = findArmJoints(model, "left"), right = findArmJoints(model, "right");
  Pose out = bindPose(model);
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, out);
  vec3 across = vec3(modelFromNode[left[0]][3]) - vec3(modelFromNode[right[0]][3]);
  across.y = 0.0f;
  if (!(glm::length(across) > 0.0f)) throw usageError("the left arm is where the right one is");
  across = glm::normalize(across);
  const float down = pose == ArmPose::a ? std::numbers::sqrt2_v<float> / 2.0f : 0.0f;
  const float aside = pose == ArmPose::a ? down : 1.0f;
  for (const auto& [arm, side] : {std::pair(&left, 1.0f), std::pair(&right, -1.0f)}) {
    const vec3 wanted = side * aside * across - vec3(0.0f, down, 0.0f);
    const std::vector<Carried> carried = findCarried(model, *arm, modelFromNode);
    for (const std::size_t bone : {0u, 1u}) {
      const std::vector<mat4> before = modelFromNodes(model.hierarchy, out);
      pointAlong(model, (*arm)[bone], (*arm)[bone + 1], wanted, out);
      for (const Carried& each : carried)
        carryAlong(model, each, before, out);
    }
  }
  return out;
}

} // namespace sinew
