#include "app/clip_bounds.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <functional>

namespace sinew {
namespace {

constexpr int kMoments = 24;
constexpr std::size_t kVertices = 4096; // about as many are sampled
constexpr float kSlack = 0.08f;         // share of the framed box's size

// A moment of the clip: an outline, and the middle of the joints (the origin without any).
struct ClipMoment {
  Outline outline;
  vec3 middle{0.0f};
};

vec3 computeMiddle(const std::vector<std::uint32_t>& joints,
                   const std::vector<mat4>& modelFromNode) {
  Bounds box;
  for (const std::uint32_t node : joints)
    box.include(vec3(modelFromNode[node][3]));
  return box.empty() ? vec3(0.0f) : box.center();
}

// All moments as they are seen by a camera that has followed() from `middle` on.
Outline outlineOfMoments(const std::vector<ClipMoment>& moments, const vec3& middle,
                         float framedSize) {
  Outline all;
  for (const ClipMoment& moment : moments)
    all.include(moved(moment.outline, -followed(moment.middle - middle, framedSize)));
  return all;
}

// Poses the workbench's hierarchy at evenly spaced moments of the played range and calls visit with
// F of every node. The workbench's pose made by hand, or its pose where nothing plays, is one
// moment.
void visitMoments(const Workbench& workbench, Wrap wrap,
                  const std::function<void(const std::vector<mat4>&)>& visit) {
  const TimeMap range = playedRange(workbench, wrap);
  if (workbench.posed || !(range.end > range.begin)) return visit(workbench.modelFromNode);
  PoseMemory memory;
  memory.preRoll = 0.0; // springs begin at rest
  Pose pose = workbench.pose;
  std::vector<mat4> modelFromNode;
  for (int i = 0; i <= kMoments; ++i) {
    const float share = static_cast<float>(i) / kMoments;
    const float seconds = glm::mix(range.begin, range.end, share);
    poseAt(workbench, workbench.clip, static_cast<double>(seconds), Wrap::clamp, memory, pose);
    replaceNonFinite(workbench.model.hierarchy, pose);
    modelFromNodes(workbench.model.hierarchy, pose, modelFromNode);
    visit(modelFromNode);
  }
}

} // namespace

Outline skinOutline(const Rig& rig, const std::vector<mat4>& modelFromNode) {
  std::vector<mat4> modelFromBind;
  modelFromBind.reserve(rig.joints.size());
  for (const RigJoint& joint : rig.joints)
    modelFromBind.push_back(modelFromNode[joint.node] * joint.jointFromBind);
  const std::size_t stride = std::max<std::size_t>(rig.positions.size() / kVertices, 1);
  std::vector<vec3> skin;
  for (std::size_t v = 0; v < rig.positions.size(); v += stride) {
    vec3 posed(0.0f);
    for (const Influence& influence : rig.influences.of(v))
      posed += influence.weight * transformPoint(modelFromBind[influence.joint], rig.positions[v]);
    skin.push_back(posed);
  }
  return makeOutline(skin);
}

vec3 followed(const vec3& moved, float framedSize) {
  const vec3 slack(kSlack * framedSize);
  return moved - glm::clamp(moved, -slack, slack);
}

Outline outlineOverClip(const Workbench& workbench, Wrap wrap) {
  const std::vector<std::uint32_t> joints = jointNodes(workbench.model);
  const vec3 now = computeMiddle(joints, workbench.modelFromNode);
  std::vector<ClipMoment> moments{{posedOutline(workbench), now}};
  visitMoments(workbench, wrap, [&](const std::vector<mat4>& modelFromNode) {
    const ClipMoment moment{
        withJoints(skinOutline(workbench.rig, modelFromNode), joints, modelFromNode),
        computeMiddle(joints, modelFromNode)};
    if (!moment.outline.empty()) moments.push_back(moment);
  });
  // The larger the box, the less is followed, and so the larger the box: a few rounds settle it.
  constexpr int kRounds = 8;
  Outline all = moments.front().outline;
  for (int round = 0; round < kRounds; ++round) {
    const float size = all.size();
    all.include(outlineOfMoments(moments, now, size));
    if (all.size() <= 1.001f * size) break;
  }
  return all;
}

float limbRadius(const Workbench& workbench, std::uint32_t joint) {
  constexpr float kFollows = 0.1f; // weight from which on
  constexpr float kAround = 1.5f;  // to see the limb's surroundings
  const Rig& rig = workbench.rig;
  const mat3 posed(workbench.modelFromNode[joint]);
  std::vector<float> distances;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    for (const Influence& each : rig.influences.of(v))
      if (const RigJoint& of = rig.joints[each.joint]; of.node == joint && each.weight >= kFollows)
        distances.push_back(
            glm::length(posed * vec3(of.jointFromBind * vec4(rig.positions[v], 1.0f))));
  if (distances.empty()) return 0.0f;
  const auto quarter = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 4);
  std::nth_element(distances.begin(), quarter, distances.end());
  return kAround * *quarter;
}

Bounds jointOverClip(const Workbench& workbench, Wrap wrap, std::uint32_t joint, float framedSize) {
  const std::vector<std::uint32_t> joints = jointNodes(workbench.model);
  const auto& nodes = workbench.model.hierarchy.nodes;
  const vec3 limb(limbRadius(workbench, joint));
  std::vector<ClipMoment> moments;
  visitMoments(workbench, wrap, [&](const std::vector<mat4>& modelFromNode) {
    const vec3 center(modelFromNode[joint][3]);
    ClipMoment moment{Bounds{center - limb, center + limb}, computeMiddle(joints, modelFromNode)};
    for (const std::uint32_t other : joints)
      if (nodes[joint].parent == other || nodes[other].parent == joint)
        moment.outline.include(0.5f * (center + vec3(modelFromNode[other][3])));
    moments.push_back(moment);
  });
  return outlineOfMoments(moments, computeMiddle(joints, workbench.modelFromNode), framedSize);
}

} // namespace sinew
