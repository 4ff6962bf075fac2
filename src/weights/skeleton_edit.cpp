#include "weights/skeleton_edit.h"

#include "animation/side_names.h"
#include "core/bounds.h"
#include "weights/bone_links.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

constexpr float kSameFraction = 0.02f; // tolerance of mirroring, share of the skeleton's size

std::size_t findJointIndex(const Skeleton& skeleton, std::uint32_t node) {
  const auto found = std::lower_bound(skeleton.joints.begin(), skeleton.joints.end(), node);
  assert(found != skeleton.joints.end() && *found == node);
  return static_cast<std::size_t>(found - skeleton.joints.begin());
}

vec3 getPosition(const Skeleton& skeleton, std::uint32_t node) {
  return vec3(skeleton.modelFromJoint[findJointIndex(skeleton, node)][3]);
}

float measureSize(const Skeleton& skeleton) {
  Bounds bounds;
  for (const mat4& joint : skeleton.modelFromJoint)
    bounds.include(vec3(joint[3]));
  return bounds.size();
}

// Moves a node, at rest and in every clip.
void shift(Skeleton& skeleton, std::uint32_t node, const vec3& byInParent) {
  skeleton.hierarchy.nodes[node].rest.translation += byInParent;
  for (Clip& clip : skeleton.clips)
    for (Channel& channel : clip.channels)
      if (channel.node == node)
        for (vec3& key : channel.translation.values)
          key += byInParent;
}

// A vector of model space in a node's axes; zero where those are degenerate.
vec3 rotateIntoAxes(const mat4& modelFromNode, const vec3& vector) {
  const mat3 axes(modelFromNode);
  const float volume = glm::determinant(axes);
  return volume != 0.0f && std::isfinite(1.0f / volume) ? glm::inverse(axes) * vector : vec3(0.0f);
}

void moveOne(Skeleton& skeleton, std::uint32_t node, const vec3& position, Below below) {
  const std::vector<BoneLink> links = boneLinks(skeleton);
  const std::vector<mat4> bound = boundNodes(skeleton);
  const std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  const vec3 by = position - vec3(bound[node][3]);
  const std::uint32_t parent = nodes[node].parent;
  shift(skeleton, node, rotateIntoAxes(parent == kNoNode ? mat4(1.0f) : bound[parent], by));
  if (below == Below::stays)
    for (std::uint32_t child = node + 1; child < nodes.size(); ++child)
      if (nodes[child].parent == node) shift(skeleton, child, -rotateIntoAxes(bound[node], by));
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const std::uint32_t joint = skeleton.joints[j];
    if (joint == node || (below == Below::moves && isBelow(skeleton.hierarchy, joint, node)))
      skeleton.modelFromJoint[j][3] += vec4(by, 0.0f);
  }
  linkBones(skeleton, links);
}

std::string freeName(const Hierarchy& hierarchy, std::string_view wanted) {
  const std::string base = wanted.empty() ? "joint" : std::string(wanted);
  std::string name = base;
  for (int number = 2; findNode(hierarchy, name); ++number)
    name = fmt::format("{}_{}", base, number);
  return name;
}

std::uint32_t addOne(Skeleton& skeleton, std::uint32_t parent, const vec3& position,
                     std::string_view name) {
  mat4 modelFromJoint = boundNodes(skeleton)[parent];
  const auto node = static_cast<std::uint32_t>(skeleton.hierarchy.nodes.size());
  const vec3 local = rotateIntoAxes(modelFromJoint, position - vec3(modelFromJoint[3]));
  skeleton.hierarchy.nodes.push_back(
      {freeName(skeleton.hierarchy, name), parent, {.translation = local}});
  modelFromJoint[3] = vec4(position, 1.0f);
  std::vector<BoneLink> links = boneLinks(skeleton);
  skeleton.joints.push_back(node);
  skeleton.modelFromJoint.push_back(modelFromJoint);
  linkAdded(skeleton, links);
  linkBones(skeleton, links);
  return node;
}

// Reparents a node to its grandparent; `above`: the rest transform of its old parent. Its motion is
// the same as with the old parent at rest.
void lift(Skeleton& skeleton, std::uint32_t node, const Transform& above) {
  Transform& rest = skeleton.hierarchy.nodes[node].rest;
  rest = decompose(toMatrix(above) * toMatrix(rest));
  for (Clip& clip : skeleton.clips)
    for (Channel& channel : clip.channels) {
      if (channel.node != node) continue;
      for (vec3& key : channel.translation.values)
        key = above.translation + above.rotation * (above.scale * key);
      for (quat& key : channel.rotation.values)
        key = above.rotation * key;
      for (vec3& key : channel.scale.values)
        key *= above.scale;
    }
}

// The nodes that are removed with a joint: itself, and its descendants without joints below.
std::vector<bool> leaving(const Skeleton& skeleton, std::uint32_t node) {
  std::vector<bool> needed(skeleton.hierarchy.nodes.size(), false);
  for (const std::uint32_t joint : skeleton.joints)
    for (std::uint32_t up = joint; up != kNoNode && !needed[up];
         up = skeleton.hierarchy.nodes[up].parent)
      needed[up] = true;
  std::vector<bool> out(needed.size(), false);
  for (std::uint32_t n = node; n < out.size(); ++n)
    out[n] = n == node || (!needed[n] && isBelow(skeleton.hierarchy, n, node));
  return out;
}

void removeOne(Skeleton& skeleton, std::uint32_t node) {
  std::vector<BoneLink> links = boneLinks(skeleton);
  linkRemoved(skeleton, static_cast<std::uint32_t>(findJointIndex(skeleton, node)), links);
  std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  const std::vector<bool> gone = leaving(skeleton, node);
  const Transform above = nodes[node].rest;
  const std::uint32_t parent = nodes[node].parent;
  for (std::uint32_t child = node + 1; child < nodes.size(); ++child)
    if (nodes[child].parent == node && !gone[child]) {
      lift(skeleton, child, above);
      nodes[child].parent = parent;
    }
  std::vector<std::uint32_t> now(nodes.size(), kNoNode);
  std::vector<Node> remaining;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (gone[n]) continue;
    now[n] = static_cast<std::uint32_t>(remaining.size());
    remaining.push_back(nodes[n]);
    std::uint32_t& up = remaining.back().parent;
    if (up != kNoNode) up = now[up];
  }
  nodes = std::move(remaining);
  const std::size_t j = findJointIndex(skeleton, node);
  skeleton.joints.erase(skeleton.joints.begin() + static_cast<std::ptrdiff_t>(j));
  skeleton.modelFromJoint.erase(skeleton.modelFromJoint.begin() + static_cast<std::ptrdiff_t>(j));
  for (std::uint32_t& joint : skeleton.joints)
    joint = now[joint];
  for (Clip& clip : skeleton.clips) {
    std::erase_if(clip.channels, [&](const Channel& c) { return now[c.node] == kNoNode; });
    for (Channel& channel : clip.channels)
      channel.node = now[channel.node];
  }
  linkBones(skeleton, links);
}

// The names of a new joint and its mirror image.
std::pair<std::string, std::string> namesOfBoth(std::string_view name, bool positive) {
  const std::vector<SideName> sides = sideNames(name);
  if (!sides.empty()) return {std::string(name), sides.front().other};
  const char* own = positive ? "_L" : "_R";
  const char* other = positive ? "_R" : "_L";
  return {std::string(name) + own, std::string(name) + other};
}

float height(const MirrorPlane& plane, const vec3& point) {
  return glm::dot(plane.normal, point) - plane.offset;
}

bool hasOther(std::uint32_t node, std::uint32_t other) {
  return other != kNoNode && other != node;
}

} // namespace

bool isBelow(const Hierarchy& hierarchy, std::uint32_t node, std::uint32_t ancestor) {
  while (node != kNoNode && node != ancestor)
    node = hierarchy.nodes[node].parent;
  return node == ancestor;
}

vec3 mirroredPoint(const MirrorPlane& plane, const vec3& point) {
  return point - 2.0f * height(plane, point) * plane.normal;
}

Skeleton singleJoint(const vec3& position) {
  Skeleton out;
  out.hierarchy.nodes.push_back({"skeleton", kNoNode, {}});
  addOne(out, 0, position, "joint1");
  return out;
}

Skeleton withPlainRoot(Skeleton skeleton) {
  std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  const auto moves = [](const Clip& clip) {
    return std::any_of(clip.channels.begin(), clip.channels.end(),
                       [](const Channel& channel) { return channel.node == 0; });
  };
  const bool plain = nodes[0].rest == Transform{} && skeleton.joints.front() != 0 &&
                     std::none_of(skeleton.clips.begin(), skeleton.clips.end(), moves);
  if (plain) return skeleton;
  for (Node& node : nodes)
    node.parent = node.parent == kNoNode ? 0 : node.parent + 1;
  nodes.insert(nodes.begin(), {freeName(skeleton.hierarchy, "skeleton"), kNoNode, {}});
  for (std::uint32_t& joint : skeleton.joints)
    ++joint;
  for (Clip& clip : skeleton.clips)
    for (Channel& channel : clip.channels)
      ++channel.node;
  return skeleton;
}

std::uint32_t otherSide(const Skeleton& skeleton, const MirrorPlane& plane, std::uint32_t node) {
  const std::uint32_t byName = partnersByName(skeleton.hierarchy).partner[node];
  const auto& joints = skeleton.joints;
  if (byName != kNoNode && std::binary_search(joints.begin(), joints.end(), byName)) return byName;
  const vec3 wanted = mirroredPoint(plane, getPosition(skeleton, node));
  float least = kSameFraction * measureSize(skeleton);
  if (0.5f * glm::length(wanted - getPosition(skeleton, node)) <= 0.5f * least) return node;
  std::uint32_t best = kNoNode;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const float distance = glm::length(vec3(skeleton.modelFromJoint[j][3]) - wanted);
    if (joints[j] == node || distance > least) continue;
    least = distance;
    best = joints[j];
  }
  return best;
}

Skeleton withJointMoved(const Skeleton& skeleton, std::uint32_t node, const vec3& position,
                        Below below, const std::optional<MirrorPlane>& mirror) {
  Skeleton out = skeleton;
  const std::uint32_t other = mirror ? otherSide(skeleton, *mirror, node) : kNoNode;
  const bool inPlane = other == node;
  moveOne(out, node, inPlane ? position - height(*mirror, position) * mirror->normal : position,
          below);
  if (hasOther(node, other)) moveOne(out, other, mirroredPoint(*mirror, position), below);
  return out;
}

AddedJoint withJointAdded(const Skeleton& skeleton, std::uint32_t parent, const vec3& position,
                          std::string_view name, const std::optional<MirrorPlane>& mirror) {
  AddedJoint out{skeleton, 0};
  const bool both =
      mirror && std::abs(height(*mirror, position)) > 0.5f * kSameFraction * measureSize(skeleton);
  if (!both) {
    out.node = addOne(out.skeleton, parent, position, name);
  } else {
    const auto& joints = skeleton.joints;
    const bool isJoint = std::binary_search(joints.begin(), joints.end(), parent);
    const std::uint32_t other = isJoint ? otherSide(skeleton, *mirror, parent) : kNoNode;
    const auto [own, others] = namesOfBoth(name, height(*mirror, position) > 0.0f);
    out.node = addOne(out.skeleton, parent, position, own);
    addOne(out.skeleton, other == kNoNode ? parent : other, mirroredPoint(*mirror, position),
           others);
  }
  return out;
}

Skeleton withoutJoint(const Skeleton& skeleton, std::uint32_t node,
                      const std::optional<MirrorPlane>& mirror) {
  Skeleton out = skeleton;
  const std::uint32_t other = mirror ? otherSide(skeleton, *mirror, node) : kNoNode;
  assert(skeleton.joints.size() > (hasOther(node, other) ? 2u : 1u));
  if (hasOther(node, other)) {
    removeOne(out, std::max(node, other)); // the later one first: the other's index stays
    removeOne(out, std::min(node, other));
  } else {
    removeOne(out, node);
  }
  return out;
}

Skeleton withJointRenamed(const Skeleton& skeleton, std::uint32_t node, std::string_view name,
                          const std::optional<MirrorPlane>& mirror) {
  Skeleton out = skeleton;
  std::vector<Node>& nodes = out.hierarchy.nodes;
  const std::uint32_t other = mirror ? otherSide(skeleton, *mirror, node) : kNoNode;
  const std::vector<SideName> sides = sideNames(name);
  const bool both = hasOther(node, other) && !sides.empty();
  nodes[node].name.clear(); // its own name is free
  if (both) nodes[other].name.clear();
  nodes[node].name = freeName(out.hierarchy, name);
  if (both) nodes[other].name = freeName(out.hierarchy, sides.front().other);
  return out;
}

vec3 positionForChild(const Skeleton& skeleton, std::uint32_t node, float size) {
  const vec3 at = getPosition(skeleton, node);
  const auto& joints = skeleton.joints;
  std::uint32_t above = skeleton.hierarchy.nodes[node].parent;
  while (above != kNoNode && !std::binary_search(joints.begin(), joints.end(), above))
    above = skeleton.hierarchy.nodes[above].parent;
  if (above != kNoNode && glm::length(at - getPosition(skeleton, above)) > 0.0f)
    return 2.0f * at - getPosition(skeleton, above);
  return at + vec3(0.0f, 0.15f * size, 0.0f);
}

} // namespace sinew
