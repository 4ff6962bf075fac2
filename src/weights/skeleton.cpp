#include "weights/skeleton.h"

#include "animation/pose.h"
#include "core/error.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr float kFitShare = 0.95f; // share of the mesh's box
// The bone's end as a multiple of the distance from the joint to the center of its skin.
constexpr float kThroughSkin = 1.8f;

std::vector<std::optional<std::uint32_t>> jointsOfNodes(const Skeleton& skeleton) {
  std::vector<std::optional<std::uint32_t>> out(skeleton.hierarchy.nodes.size());
  for (std::uint32_t j = 0; j < skeleton.joints.size(); ++j)
    out[skeleton.joints[j]] = j;
  return out;
}

vec3 getPosition(const mat4& m) {
  return vec3(m[3]);
}

// The vertices that follow a joint in the model itself: total weight and weighted positions.
struct Followers {
  double weight = 0.0;
  glm::dvec3 sum{0.0}; // positions times weights, model space
};

// Per joint. A rigid mesh follows the nearest ancestor joint of its node.
std::vector<Followers> listFollowers(const Model& model, const Skeleton& skeleton,
                                     const std::vector<mat4>& modelFromNode) {
  const auto jointByNode = jointsOfNodes(skeleton);
  std::vector<Followers> out(skeleton.joints.size());
  const auto add = [&](std::uint32_t node, const vec3& position, double weight) {
    while (node != kNoNode && !jointByNode[node])
      node = model.hierarchy.nodes[node].parent;
    if (node == kNoNode) return;
    out[*jointByNode[node]].weight += weight;
    out[*jointByNode[node]].sum += weight * glm::dvec3(position);
  };
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (!mesh.skin)
        add(mesh.node, transformPoint(modelFromNode[mesh.node], mesh.positions[v]), 1.0);
      else
        for (const Influence& i : mesh.influences.of(v))
          add(model.skins[*mesh.skin].joints[i.joint].node, mesh.positions[v],
              static_cast<double>(i.weight));
    }
  return out;
}

// The first child node of a joint that only marks its end: without a mesh.
std::optional<vec3> findEndPosition(const Model& model, std::uint32_t node, const vec3& at,
                                    const std::vector<mat4>& modelFromNode) {
  for (std::uint32_t n = node + 1; n < model.hierarchy.nodes.size(); ++n) {
    if (model.hierarchy.nodes[n].parent != node) continue;
    const bool carries = std::any_of(model.meshes.begin(), model.meshes.end(),
                                     [&](const Mesh& mesh) { return mesh.node == n; });
    if (!carries && getPosition(modelFromNode[n]) != at) return getPosition(modelFromNode[n]);
  }
  return std::nullopt;
}

class BoneMaker {
 public:
  BoneMaker(const Model& model, Skeleton& skeleton, const std::vector<mat4>& modelFromNode)
      : model_(model), skeleton_(skeleton), modelFromNode_(modelFromNode),
        parents_(parentJoints(skeleton)),
        followers_(listFollowers(model, skeleton, modelFromNode)) {
    const bool any = std::any_of(followers_.begin(), followers_.end(),
                                 [](const Followers& f) { return f.weight > 0.0; });
    for (const Followers& f : followers_)
      moves_.push_back(!any || f.weight > 0.0);
    matters_ = moves_;
    for (std::size_t j = parents_.size(); j-- > 0;) // children first
      if (parents_[j] && matters_[j]) matters_[*parents_[j]] = true;
  }

  void addAll() {
    std::vector<bool> isLeaf = moves_;
    for (std::uint32_t j = 0; j < parents_.size(); ++j)
      if (parents_[j] && moves_[*parents_[j]] && matters_[j]) {
        isLeaf[*parents_[j]] = false;
        add(*parents_[j], getPosition(skeleton_.modelFromJoint[j]));
      }
    for (std::uint32_t j = 0; j < parents_.size(); ++j)
      if (isLeaf[j]) add(j, findBoneEnd(j));
  }

 private:
  void add(std::uint32_t joint, const vec3& to) {
    skeleton_.bones.push_back({getPosition(skeleton_.modelFromJoint[joint]), to});
    skeleton_.jointOfBone.push_back(joint);
  }

  vec3 findBoneEnd(std::uint32_t joint) const {
    const vec3 at = getPosition(skeleton_.modelFromJoint[joint]);
    if (const auto end = findEndPosition(model_, skeleton_.joints[joint], at, modelFromNode_))
      return *end;
    if (const Followers& f = followers_[joint]; f.weight > 0.0)
      return at + kThroughSkin * (vec3(f.sum / f.weight) - at);
    const auto parent = parents_[joint];
    return parent ? 2.0f * at - getPosition(skeleton_.modelFromJoint[*parent]) : at;
  }

  const Model& model_;
  Skeleton& skeleton_;
  const std::vector<mat4>& modelFromNode_;
  std::vector<std::optional<std::uint32_t>> parents_;
  std::vector<Followers> followers_;
  std::vector<bool> moves_;   // skin, or the model has none
  std::vector<bool> matters_; // it or a descendant moves skin
};

Transform computePlacement(const Skeleton& skeleton, const SkeletonPlacement& placement,
                           const Bounds& mesh) {
  Transform out;
  if (placement.zUp) out.rotation = glm::angleAxis(-glm::half_pi<float>(), vec3(1, 0, 0));
  Bounds rotated;
  for (const BoneSegment& bone : skeleton.bones) {
    rotated.include(out.rotation * bone.from);
    rotated.include(out.rotation * bone.to);
  }
  float scale = placement.scale;
  out.translation = placement.offset;
  if (placement.fit && !mesh.empty()) {
    float largest = 0.0f; // the largest ratio, so that every axis fits
    for (int i = 0; i < 3; ++i)
      if (mesh.extent()[i] > 0.0f)
        largest = std::max(largest, rotated.extent()[i] / mesh.extent()[i]);
    scale = largest > 0.0f ? kFitShare / largest : 1.0f;
    out.translation = mesh.center() - scale * rotated.center();
  }
  out.scale = vec3(scale);
  return out;
}

} // namespace

std::vector<std::optional<std::uint32_t>> parentJoints(const Skeleton& skeleton) {
  const auto jointByNode = jointsOfNodes(skeleton);
  std::vector<std::optional<std::uint32_t>> out;
  for (const std::uint32_t node : skeleton.joints) {
    std::uint32_t above = skeleton.hierarchy.nodes[node].parent;
    while (above != kNoNode && !jointByNode[above])
      above = skeleton.hierarchy.nodes[above].parent;
    out.push_back(above == kNoNode ? std::nullopt : jointByNode[above]);
  }
  return out;
}

Skeleton extractSkeleton(const Model& model) {
  Skeleton out;
  out.hierarchy = model.hierarchy;
  out.clips = model.clips;
  out.morphLabels = morphLabels(model);
  out.joints = jointNodes(model);
  if (out.joints.empty())
    throw inputError(model.path.empty() ? model.name : model.path,
                     "has no skeleton: nothing in it is skinned or animated",
                     "give a file with joints, or a .tgf");
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
  for (const std::uint32_t node : out.joints)
    out.modelFromJoint.push_back(modelFromNode[node]);
  BoneMaker(model, out, modelFromNode).addAll();
  return out;
}

std::vector<mat4> boundNodes(const Skeleton& skeleton) {
  const auto jointByNode = jointsOfNodes(skeleton);
  const std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  std::vector<mat4> out;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const mat4 above = nodes[n].parent == kNoNode ? mat4(1.0f) : out[nodes[n].parent];
    out.push_back(jointByNode[n] ? skeleton.modelFromJoint[*jointByNode[n]]
                                 : above * toMatrix(nodes[n].rest));
  }
  return out;
}

void placeSkeleton(Skeleton& skeleton, const SkeletonPlacement& placement, const Bounds& mesh) {
  const Transform placed = computePlacement(skeleton, placement, mesh);
  if (placed == Transform{}) return;
  std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  for (Node& node : nodes)
    node.parent = node.parent == kNoNode ? 0 : node.parent + 1;
  nodes.insert(nodes.begin(), {freeNodeName(skeleton.hierarchy, "placement"), kNoNode, placed});
  for (std::uint32_t& joint : skeleton.joints)
    ++joint;
  for (Clip& clip : skeleton.clips)
    for (Channel& channel : clip.channels)
      ++channel.node;
  const mat4 modelFromFile = toMatrix(placed);
  for (mat4& joint : skeleton.modelFromJoint)
    joint = modelFromFile * joint;
  for (BoneSegment& bone : skeleton.bones)
    bone = {transformPoint(modelFromFile, bone.from), transformPoint(modelFromFile, bone.to)};
}

} // namespace sinew
