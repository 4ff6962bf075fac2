#include "bake/bake_poses.h"

#include "animation/ik/joint_limits.h"
#include "animation/sample.h"
#include "core/bounds.h"
#include "core/directions.h"
#include "core/random.h"
#include "metrics/skin_analysis.h"
#include "rig/bone_axes.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr float kDegree = std::numbers::pi_v<float> / 180.0f;
constexpr float kStep = 15.0f * kDegree;
constexpr float kMoved = 10.0f * kDegree;
constexpr float kMovedShare = 0.02f; // share of the model's size
constexpr float kMorphed = 0.25f;    // change of a morph target's weight
constexpr double kLook = 1.0 / 30.0; // seconds between two looks at a clip
constexpr std::size_t kMaxLooks = 20000;
constexpr std::size_t kRandomPoses = 5; // per joint

// The rotations of one joint from the bind pose: twist about its bone, then a bend whose axis lies
// across it, as a vector of two angles. All in the node's own axes.
struct JointRange {
  std::uint32_t node = 0;
  std::array<vec3, 3> axes{}; // across, across, along the bone
  std::array<float, 3> low{}, high{};
};

std::array<float, 3> computeAngles(const quat& fromBind, const JointRange& joint) {
  const BendAndTwist parts = bendAndTwist(fromBind, joint.axes[2]);
  const quat bend = parts.bend.w < 0.0f ? -parts.bend : parts.bend;
  const vec3 vector(bend.x, bend.y, bend.z);
  const float sine = glm::length(vector);
  const float factor = sine > 1e-6f ? 2.0f * std::atan2(sine, bend.w) / sine : 2.0f;
  return {factor * glm::dot(vector, joint.axes[0]), factor * glm::dot(vector, joint.axes[1]),
          parts.angle};
}

quat rotationOfAngles(const std::array<float, 3>& angles, const JointRange& joint) {
  const vec3 bend = angles[0] * joint.axes[0] + angles[1] * joint.axes[1];
  const float angle = glm::length(bend);
  const quat twist = glm::angleAxis(angles[2], joint.axes[2]);
  return angle > 1e-6f ? glm::angleAxis(angle, bend / angle) * twist : twist;
}

std::vector<JointRange> jointsThatBend(const Rig& rig) {
  const std::vector<BoneAxis> axes = boneAxes(rig);
  std::vector<JointRange> out;
  for (const std::uint32_t node : bendingNodes(rig)) {
    std::size_t joint = 0;
    while (rig.joints[joint].node != node)
      ++joint;
    JointRange range;
    range.node = node;
    const vec3 along = mat3(rig.joints[joint].jointFromBind) * axes[joint].direction;
    range.axes[2] = glm::normalize(along);
    if (!isFinite(range.axes[2])) continue;
    range.axes[0] = perpendicular(range.axes[2]);
    range.axes[1] = glm::cross(range.axes[2], range.axes[0]);
    out.push_back(range);
  }
  return out;
}

quat fromBind(const Pose& bind, const Pose& pose, std::uint32_t node) {
  const quat q =
      glm::inverse(bind.parentFromNode[node].rotation) * pose.parentFromNode[node].rotation;
  return glm::normalize(q);
}

void widen(const Pose& bind, const Pose& pose, std::vector<JointRange>& joints) {
  for (JointRange& joint : joints) {
    const std::array<float, 3> angles = computeAngles(fromBind(bind, pose, joint.node), joint);
    for (std::size_t i = 0; i < 3; ++i) {
      joint.low[i] = std::min(joint.low[i], angles[i]);
      joint.high[i] = std::max(joint.high[i], angles[i]);
    }
  }
}

// Whether a joint or a morph target has moved since: of the skin's joints, whose root carries
// everything along.
bool hasMoved(const Rig& rig, const Pose& a, const Pose& b, float far) {
  for (const RigJoint& joint : rig.joints) {
    const Transform& from = a.parentFromNode[joint.node];
    const Transform& to = b.parentFromNode[joint.node];
    const float cosine = std::min(1.0f, std::abs(glm::dot(from.rotation, to.rotation)));
    if (2.0f * std::acos(cosine) > kMoved) return true;
    if (joint.ancestor != kNoNode && glm::distance(from.translation, to.translation) > far)
      return true;
    if (glm::distance(from.scale, to.scale) > 0.05f) return true;
  }
  for (std::size_t k = 0; k < std::min(a.morphWeights.size(), b.morphWeights.size()); ++k)
    if (std::abs(a.morphWeights[k] - b.morphWeights[k]) > kMorphed) return true;
  return false;
}

struct PoseList {
  BakePoses out;
  void add(Pose pose, std::string name, BakeMoment moment = {}) {
    out.poses.push_back(std::move(pose));
    out.names.push_back(std::move(name));
    out.moments.push_back(moment);
  }
};

void addClip(const Model& model, const Rig& rig, const Pose& bind, std::uint32_t index, float far,
             PoseList& list, std::vector<JointRange>& joints) {
  const Clip& clip = model.clips[index];
  const auto looks = std::min(
      kMaxLooks, static_cast<std::size_t>(std::lround(static_cast<double>(clip.seconds) / kLook)));
  Pose pose, last;
  SampleCursor cursor;
  for (std::size_t i = 0; i <= looks; ++i) {
    const auto time = static_cast<float>(static_cast<double>(i) * kLook);
    sample(model, clip, time, Wrap::clamp, cursor, pose);
    replaceNonFinite(model.hierarchy, pose);
    widen(bind, pose, joints);
    if (i > 0 && !hasMoved(rig, last, pose, far)) continue;
    list.add(pose, fmt::format("clip {}, {:.2f} s", clip.name, static_cast<double>(time)),
             {index, time});
    last = pose;
  }
}

// Every n-th, so that no more than `limit` are left; the first one always.
void thin(BakePoses& poses, std::size_t first, std::size_t limit) {
  const std::size_t count = poses.poses.size() - first;
  if (count <= limit) return;
  for (std::size_t i = 0; i < limit; ++i) {
    const std::size_t from = first + i * count / limit;
    if (from == first + i) continue;
    poses.poses[first + i] = std::move(poses.poses[from]);
    poses.names[first + i] = std::move(poses.names[from]);
    poses.moments[first + i] = poses.moments[from];
  }
  poses.poses.resize(first + limit);
  poses.names.resize(first + limit);
  poses.moments.resize(first + limit);
}

Pose rotated(const Pose& bind, const JointRange& joint, const std::array<float, 3>& angles) {
  Pose pose = bind;
  quat& rotation = pose.parentFromNode[joint.node].rotation;
  rotation = glm::normalize(rotation * rotationOfAngles(angles, joint));
  return pose;
}

void addSteps(const Model& model, const Pose& bind, const JointRange& joint, PoseList& list) {
  static constexpr std::array<const char*, 3> kNames{"bend", "bend sideways", "twist"};
  for (std::size_t i = 0; i < 3; ++i) {
    const int first = static_cast<int>(std::ceil(joint.low[i] / kStep - 1e-3f));
    const int last = static_cast<int>(std::floor(joint.high[i] / kStep + 1e-3f));
    for (int step = first; step <= last; ++step) {
      if (step == 0) continue;
      std::array<float, 3> angles{};
      angles[i] = static_cast<float>(step) * kStep;
      list.add(
          rotated(bind, joint, angles),
          fmt::format("{} {} {}", model.hierarchy.nodes[joint.node].name, kNames[i], 15 * step));
    }
  }
}

void addRandom(const Model& model, const Pose& bind, const std::vector<JointRange>& joints,
               Random& random, PoseList& list) {
  const auto angles = [&](const JointRange& joint) {
    std::array<float, 3> out{};
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = random.uniform(joint.low[i], joint.high[i]);
    return out;
  };
  for (std::size_t i = 0; i < kRandomPoses; ++i)
    for (const JointRange& joint : joints) {
      Pose pose = rotated(bind, joint, angles(joint));
      std::uint32_t up = model.hierarchy.nodes[joint.node].parent;
      const auto isUp = [&](const JointRange& other) { return other.node == up; };
      auto parent = std::find_if(joints.begin(), joints.end(), isUp);
      for (; parent == joints.end() && up != kNoNode;
           parent = std::find_if(joints.begin(), joints.end(), isUp))
        up = model.hierarchy.nodes[up].parent;
      if (parent != joints.end()) pose = rotated(pose, *parent, angles(*parent));
      list.add(std::move(pose),
               fmt::format("{} random {}", model.hierarchy.nodes[joint.node].name, i + 1));
    }
}

void holdOutAFifth(Random& random, BakePoses& poses) {
  const std::size_t count = poses.poses.size();
  poses.heldOut.assign(count, false);
  // One of every five neighbours.
  for (std::size_t first = 1; first + 1 < count; first += 5) {
    const std::size_t size = std::min<std::size_t>(5, count - first);
    poses.heldOut[first + random.below(static_cast<std::uint32_t>(size))] = true;
  }
}

} // namespace

BakePoses bakePoses(const Model& model, const Rig& rig, const BakePoseOptions& options) {
  const Pose bind = bindPose(model);
  std::vector<JointRange> joints = jointsThatBend(rig);
  const std::size_t limit = std::max<std::size_t>(options.limit, 8);
  PoseList list;
  list.add(bind, "bind pose");
  list.add(restPose(model), "rest pose");
  const std::size_t fixed = list.out.poses.size();
  const float far = kMovedShare * computeBounds(rig.positions).size();
  for (const std::uint32_t clip : options.clips)
    addClip(model, rig, bind, clip, far, list, joints);
  thin(list.out, fixed, limit / 2);
  for (JointRange& joint : joints)
    for (std::size_t i = 0; i < 3; ++i) {
      joint.low[i] -= kStep;
      joint.high[i] += kStep;
      if (!options.sweep) continue;
      const float reach = (i == 2 ? 180.0f : 135.0f) * kDegree;
      joint.low[i] = std::min(joint.low[i], -reach);
      joint.high[i] = std::max(joint.high[i], reach);
    }
  const std::size_t swept = list.out.poses.size();
  for (const JointRange& joint : joints)
    addSteps(model, bind, joint, list);
  Random random(0xbace);
  addRandom(model, bind, joints, random, list);
  thin(list.out, swept, limit - std::min(swept, limit - 1));
  holdOutAFifth(random, list.out);
  return std::move(list.out);
}

} // namespace sinew
