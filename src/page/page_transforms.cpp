#include "page/page_transforms.h"

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNumbers = 11;    // numbers per node and pose
constexpr std::size_t kPosesTried = 12; // poses of a clip, evenly spaced
constexpr float kLargestShift = 4e-5f;  // shift of a vertex, share of the model's size

Channels packTransforms(const PageClip& clip, std::span<const std::uint32_t> nodes) {
  Channels out = makeChannels(kNumbers * nodes.size(), clip.poses.size());
  for (std::size_t p = 0; p < clip.poses.size(); ++p) {
    const PagePose& pose = clip.poses[p];
    auto to = out.ofPose(p).begin();
    for (const std::uint32_t node : nodes) {
      const Transform& t = pose.parentFromNode[node];
      const float twist = node < pose.twists.size() ? pose.twists[node] : 0.0f;
      for (const float number :
           {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
            t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z, twist})
        *to++ = number;
    }
  }
  return out;
}

// How far from each node the skin is that it moves, at most, in a pose.
std::vector<float> measureReach(const Workbench& workbench,
                                const std::vector<mat4>& modelFromNode) {
  const std::vector<Node>& nodes = workbench.model.hierarchy.nodes;
  std::vector<float> out(nodes.size(), 0.0f);
  const Rig& rig = workbench.rig;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    for (const Influence& influence : rig.influences.of(v)) {
      const RigJoint& joint = rig.joints[influence.joint];
      const vec3 arm = mat3(modelFromNode[joint.node]) *
                       vec3(joint.jointFromBind * vec4(rig.positions[v], 1.0f));
      out[joint.node] = std::max(out[joint.node], glm::length(arm));
    }
  for (std::size_t n = nodes.size(); n-- > 0;)
    if (const std::uint32_t parent = nodes[n].parent; parent != kNoNode && out[n] > 0.0f)
      out[parent] = std::max(out[parent], out[n] + glm::length(vec3(modelFromNode[n][3]) -
                                                               vec3(modelFromNode[parent][3])));
  return out;
}

float largestScale(const mat4& m) {
  return std::max({glm::length(vec3(m[0])), glm::length(vec3(m[1])), glm::length(vec3(m[2]))});
}

// The steps at which one number that is rounded puts a vertex off by about `shift`, at most. Nodes
// without skin, which a skeleton shows, move as if the whole model followed them.
std::vector<double> stepsFor(const Workbench& workbench, std::span<const std::uint32_t> nodes,
                             const std::vector<mat4>& modelFromNode,
                             const std::vector<float>& reach, float size, float shift) {
  std::vector<double> out;
  for (const std::uint32_t node : nodes) {
    const std::uint32_t parent = workbench.model.hierarchy.nodes[node].parent;
    const float scale = parent == kNoNode ? 1.0f : largestScale(modelFromNode[parent]);
    const double move = scale > 0.0f ? static_cast<double>(2.0f * shift / scale) : 0.0;
    const double rotation = static_cast<double>(shift / (reach[node] > 0.0f ? reach[node] : size));
    out.insert(out.end(), {move, move, move, rotation, rotation, rotation, rotation, rotation,
                           rotation, rotation, rotation});
  }
  return out;
}

// How far the transforms put a vertex from where the pose has it, by its heaviest joint.
float measureShift(const Workbench& workbench, std::span<const std::uint32_t> nodes,
                   const PagePose& pose, std::span<const float> numbers) {
  const Rig& rig = workbench.rig;
  const ReadPose read = readPose(workbench.model.hierarchy, nodes, pose, numbers);
  std::vector<mat4> off;
  for (const RigJoint& joint : rig.joints)
    off.push_back((read.modelFromNode[joint.node] - pose.modelFromNode[joint.node]) *
                  joint.jointFromBind);
  float largest = 0.0f;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    largest = std::max(
        largest, glm::length(transformPoint(off[rig.influences.of(v)[0].joint], rig.positions[v])));
  return largest;
}

} // namespace

ReadPose readPose(const Hierarchy& hierarchy, std::span<const std::uint32_t> nodes,
                  const PagePose& pose, std::span<const float> numbers) {
  Pose read{.parentFromNode = pose.parentFromNode};
  ReadPose out{{}, pose.twists};
  for (const std::uint32_t node : nodes) {
    quat rotation(numbers[6], numbers[3], numbers[4], numbers[5]);
    // Floats that are as they were stay so.
    if (std::abs(glm::dot(rotation, rotation) - 1.0f) > 1e-6f) rotation = glm::normalize(rotation);
    read.parentFromNode[node] = {
        {numbers[0], numbers[1], numbers[2]}, rotation, {numbers[7], numbers[8], numbers[9]}};
    if (node < out.twists.size()) out.twists[node] = numbers[10];
    numbers = numbers.subspan(kNumbers);
  }
  out.modelFromNode = modelFromNodes(hierarchy, read);
  return out;
}

Json addTransforms(const Workbench& workbench, std::span<const std::uint32_t> nodes,
                   const PageClip& clip, float size, bool exact, PackedArrays& arrays,
                   Channels& read) {
  const Channels given = packTransforms(clip, nodes);
  const std::vector<mat4>& first = clip.poses.front().modelFromNode;
  const std::vector<float> reach = measureReach(workbench, first);
  const std::size_t every = (clip.poses.size() + kPosesTried - 1) / kPosesTried;
  const float allowed = kLargestShift * size;
  for (float shift = allowed; !exact && shift > 1e-3f * allowed; shift *= 0.5f) {
    PackedArrays rounded = arrays;
    read = given;
    Json out =
        addChannels(read, false, rounded, stepsFor(workbench, nodes, first, reach, size, shift));
    float largest = 0.0f;
    for (std::size_t pose = 0; pose < clip.poses.size(); pose += every)
      largest =
          std::max(largest, measureShift(workbench, nodes, clip.poses[pose], read.ofPose(pose)));
    if (largest > allowed) continue;
    arrays = std::move(rounded);
    return out;
  }
  read = given;
  return addChannels(read, true, arrays);
}

} // namespace sinew
