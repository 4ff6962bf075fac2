#include "animation/layers/spring_bone.h"

#include "animation/ik/ik_path.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr std::uint32_t kNoPlace = ~0u;

bool isFiniteVector(const vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// The pose's nodes that a set depends on, in model space.
class PosedNodes {
 public:
  PosedNodes(const SpringBoneSet& set, const Pose& pose) : set_(set), matrices_(set.nodes.size()) {
    for (std::size_t place = 0; place < matrices_.size(); ++place)
      update(place, pose);
  }

  std::size_t findIndex(std::uint32_t node) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(set_.nodes, node) -
                                    set_.nodes.begin());
  }
  const mat4& operator[](std::uint32_t node) const { return matrices_[findIndex(node)]; }

  // Up to a node and from where the last call ended. Joints rotate in ascending order, so one pass
  // over the nodes keeps the matrices up to date.
  void updateTo(std::uint32_t node, const Pose& pose) {
    const std::size_t place = findIndex(node);
    for (; updated_ < place; ++updated_) // that of the last call has been rotated since
      update(updated_, pose);
    update(place, pose);
  }

 private:
  void update(std::size_t place, const Pose& pose) {
    const mat4 local = toMatrix(pose.parentFromNode[set_.nodes[place]]);
    const std::uint32_t parent = set_.parents[place];
    matrices_[place] = parent == kNoPlace ? local : matrices_[parent] * local;
  }

  const SpringBoneSet& set_;
  std::vector<mat4> matrices_;
  std::size_t updated_ = 0;
};

// The tail in the joint's own space, which joints above it do not change.
vec3 localTail(const SpringBone& bone, const PosedNodes& below, const Pose& pose) {
  if (bone.tail != kNoNode)
    return transformPoint(glm::inverse(below[bone.node]), vec3(below[bone.tail][3]));
  const vec3 along = pose.parentFromNode[bone.node].translation;
  const float length = glm::length(along);
  return length > 0.0f ? along * (bone.endLength / length) : vec3(0.0f);
}

struct Spaces {
  mat4 modelFromCenter{1.0f}, centerFromModel{1.0f};
};

Spaces computeSpaces(const SpringBoneSet& set, const PosedNodes& nodes) {
  if (set.center == kNoNode) return {};
  const mat4& center = nodes[set.center];
  return {center, glm::inverse(center)};
}

// Out of every collider, one after another; each time back to the bone's length.
vec3 outside(const SpringBoneSet& set, const SpringBone& bone, const PosedNodes& nodes,
             const vec3& joint, float length, vec3 tail) {
  for (const SpringBoneCollider& collider : set.colliders) {
    const ColliderPush push = computePush(collider.shape, nodes[collider.node], tail, bone.radius);
    if (!(push.depth > 0.0f)) continue;
    const vec3 arm = tail + push.depth * push.direction - joint;
    const float size = glm::length(arm);
    if (size > 0.0f) tail = joint + arm * (length / size);
  }
  return tail;
}

// One bone, whose matrix is that of the pose below it over the joints above that have moved.
// `part`: fraction of a step of 1/60 s; 0: the state stays.
void swing(const SpringBoneSet& set, std::size_t index, float part, const vec3& local,
           const PosedNodes& nodes, SpringBoneState& state, Pose& pose) {
  const SpringBone& bone = set.bones[index];
  const mat4& modelFromJoint = nodes[bone.node];
  const Spaces spaces = computeSpaces(set, nodes);
  const vec3 joint(modelFromJoint[3]);
  const vec3 straight = transformPoint(modelFromJoint, local) - joint;
  const float length = glm::length(straight);
  if (!(length > 0.0f) || !isFiniteVector(straight)) return;

  vec3 tail = transformPoint(spaces.modelFromCenter, state.tail[index]);
  if (part > 0.0f) {
    const vec3 before = state.tail[index];
    const auto dt = part * static_cast<float>(kSpringBoneStep);
    const vec3 inertia = part * (1.0f - bone.drag) * state.moved[index];
    tail = transformPoint(spaces.modelFromCenter, before + inertia) +
           (bone.stiffness * dt / length) * straight + dt * bone.gravity;
    const float arm = glm::length(tail - joint);
    tail = arm > 0.0f ? joint + (tail - joint) * (length / arm) : joint + straight;
    tail = outside(set, bone, nodes, joint, length, tail);
    if (!isFiniteVector(tail)) tail = joint + straight;
    state.tail[index] = transformPoint(spaces.centerFromModel, tail);
    state.moved[index] = (state.tail[index] - before) / part;
  }
  const vec3 along = transformPoint(glm::inverse(modelFromJoint), tail);
  quat& rotation = pose.parentFromNode[bone.node].rotation;
  rotation = glm::normalize(rotation * rotationBetween(local, along));
}

// All bones by one part of a step, over the pose below.
void stepAll(const SpringBoneSet& set, float part, const PosedNodes& below, SpringBoneState& state,
             Pose& pose) {
  PosedNodes nodes = below;
  for (std::size_t i = 0; i < set.bones.size(); ++i) {
    nodes.updateTo(set.bones[i].node, pose);
    swing(set, i, part, localTail(set.bones[i], below, pose), nodes, state, pose);
  }
}

void rest(const SpringBoneSet& set, const PosedNodes& nodes, const Pose& pose,
          SpringBoneState& state) {
  const Spaces spaces = computeSpaces(set, nodes);
  state.tail.clear();
  for (const SpringBone& bone : set.bones)
    state.tail.push_back(transformPoint(
        spaces.centerFromModel, transformPoint(nodes[bone.node], localTail(bone, nodes, pose))));
  state.moved.assign(set.bones.size(), vec3(0.0f));
  state.started = true;
}

vec3 alongCapsule(const vec3& axis, const vec3& to) {
  const float share = glm::dot(axis, to);
  const float square = glm::dot(axis, axis);
  if (!(share > 0.0f)) return vec3(0.0f);
  return share >= square ? axis : axis * (share / square);
}

} // namespace

void findNodes(const Hierarchy& hierarchy, SpringBoneSet& set) {
  std::set<std::uint32_t> found;
  const auto add = [&](std::uint32_t node) {
    for (; node != kNoNode && found.insert(node).second; node = hierarchy.nodes[node].parent) {
    }
  };
  for (const SpringBone& bone : set.bones) {
    add(bone.node);
    add(bone.tail);
  }
  for (const SpringBoneCollider& collider : set.colliders)
    add(collider.node);
  add(set.center);
  set.nodes.assign(found.begin(), found.end());
  set.parents.clear();
  for (const std::uint32_t node : set.nodes) {
    const std::uint32_t parent = hierarchy.nodes[node].parent;
    const auto at = std::ranges::lower_bound(set.nodes, parent);
    set.parents.push_back(parent == kNoNode ? kNoPlace
                                            : static_cast<std::uint32_t>(at - set.nodes.begin()));
  }
}

void applySpringBones(const SpringBoneSet& set, double dt, SpringBoneState& state, Pose& pose) {
  const PosedNodes nodes(set, pose);
  if (!state.started || state.tail.size() != set.bones.size()) {
    rest(set, nodes, pose, state);
    return;
  }
  const auto steps = static_cast<int>(std::ceil(std::max(dt, 0.0) / kSpringBoneStep - 1e-6));
  if (steps <= 0) return stepAll(set, 0.0f, nodes, state, pose);
  const auto part = static_cast<float>(dt / kSpringBoneStep / steps);
  std::vector<quat> below;
  for (const SpringBone& bone : set.bones)
    below.push_back(pose.parentFromNode[bone.node].rotation);
  for (int i = 0; i < steps; ++i) {
    for (std::size_t b = 0; b < set.bones.size(); ++b)
      pose.parentFromNode[set.bones[b].node].rotation = below[b];
    stepAll(set, part, nodes, state, pose);
  }
}

ColliderPush computePush(const SpringCollider& collider, const mat4& modelFromNode,
                         const vec3& point, float radius) {
  const vec3 center = transformPoint(modelFromNode, collider.offset);
  vec3 away = point - center;
  if (collider.shape == ColliderShape::plane) {
    const vec3 normal = glm::transpose(glm::inverse(mat3(modelFromNode))) * collider.end;
    const float length = glm::length(normal);
    if (!(length > 0.0f)) return {};
    return {normal / length, std::max(radius - glm::dot(away, normal) / length, 0.0f)};
  }
  if (collider.shape == ColliderShape::capsule)
    away -= alongCapsule(transformVector(modelFromNode, collider.end - collider.offset), away);
  const float distance = glm::length(away);
  if (!(distance > 0.0f)) return {};
  const float gap =
      collider.inside ? collider.radius - radius - distance : distance - radius - collider.radius;
  return {away * ((collider.inside ? -1.0f : 1.0f) / distance), std::max(-gap, 0.0f)};
}

} // namespace sinew
