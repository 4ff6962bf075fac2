#include "weights/skeleton.h"

#include "animation/pose.h"
#include "core/error.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr float kFitShare = 0.95f; // of the mesh's box

std::vector<std::optional<std::uint32_t>> jointsOfNodes(const Skeleton& skeleton) {
  std::vector<std::optional<std::uint32_t>> out(skeleton.hierarchy.nodes.size());
  for (std::uint32_t j = 0; j < skeleton.joints.size(); ++j)
    out[skeleton.joints[j]] = j;
  return out;
}

vec3 placeOf(const mat4& m) {
  return vec3(m[3]);
}

// Where the bone of a joint without child joints ends.
vec3 endOf(const Skeleton& skeleton, std::uint32_t joint, std::optional<std::uint32_t> parent,
           const std::vector<mat4>& modelFromNode) {
  const vec3 at = placeOf(skeleton.modelFromJoint[joint]);
  const std::uint32_t node = skeleton.joints[joint];
  for (std::uint32_t n = node + 1; n < skeleton.hierarchy.nodes.size(); ++n)
    if (skeleton.hierarchy.nodes[n].parent == node) return placeOf(modelFromNode[n]);
  return parent ? 2.0f * at - placeOf(skeleton.modelFromJoint[*parent]) : at;
}

void addBones(Skeleton& skeleton, const std::vector<mat4>& modelFromNode) {
  skeleton.bones.clear();
  skeleton.jointOfBone.clear();
  const auto parents = parentJoints(skeleton);
  std::vector<bool> isLeaf(skeleton.joints.size(), true);
  const auto add = [&](std::uint32_t joint, const vec3& to) {
    skeleton.bones.push_back({placeOf(skeleton.modelFromJoint[joint]), to});
    skeleton.jointOfBone.push_back(joint);
  };
  for (std::uint32_t j = 0; j < parents.size(); ++j)
    if (parents[j]) {
      isLeaf[*parents[j]] = false;
      add(*parents[j], placeOf(skeleton.modelFromJoint[j]));
    }
  for (std::uint32_t j = 0; j < parents.size(); ++j)
    if (isLeaf[j] && (skeleton.endBones || !parents[j]))
      add(j, skeleton.endBones ? endOf(skeleton, j, parents[j], modelFromNode)
                               : placeOf(skeleton.modelFromJoint[j]));
}

std::string freeName(const Hierarchy& hierarchy, std::string name) {
  while (findNode(hierarchy, name))
    name += '_';
  return name;
}

Transform placementOf(const Skeleton& skeleton, const SkeletonPlacement& placement,
                      const Bounds& mesh) {
  Transform out;
  if (placement.zUp) out.rotation = glm::angleAxis(-glm::half_pi<float>(), vec3(1, 0, 0));
  Bounds turned;
  for (const BoneSegment& bone : skeleton.bones) {
    turned.include(out.rotation * bone.from);
    turned.include(out.rotation * bone.to);
  }
  float scale = placement.scale;
  out.translation = placement.offset;
  if (placement.fit && !mesh.empty()) {
    float largest = 0.0f; // of the ratios, so that every axis fits
    for (int i = 0; i < 3; ++i)
      if (mesh.extent()[i] > 0.0f)
        largest = std::max(largest, turned.extent()[i] / mesh.extent()[i]);
    scale = largest > 0.0f ? kFitShare / largest : 1.0f;
    out.translation = mesh.center() - scale * turned.center();
  }
  out.scale = vec3(scale);
  return out;
}

} // namespace

std::vector<std::optional<std::uint32_t>> parentJoints(const Skeleton& skeleton) {
  const auto jointOf = jointsOfNodes(skeleton);
  std::vector<std::optional<std::uint32_t>> out;
  for (const std::uint32_t node : skeleton.joints) {
    std::uint32_t above = skeleton.hierarchy.nodes[node].parent;
    while (above != kNoNode && !jointOf[above])
      above = skeleton.hierarchy.nodes[above].parent;
    out.push_back(above == kNoNode ? std::nullopt : jointOf[above]);
  }
  return out;
}

Skeleton skeletonOf(const Model& model) {
  Skeleton out;
  out.hierarchy = model.hierarchy;
  out.clips = model.clips;
  out.joints = jointNodes(model);
  if (out.joints.empty())
    throw inputError(model.path, "has no skeleton: nothing in it is skinned or moves",
                     "give a file with joints, or a .tgf");
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
  for (const std::uint32_t node : out.joints)
    out.modelFromJoint.push_back(modelFromNode[node]);
  out.endBones = true;
  addBones(out, modelFromNode);
  return out;
}

std::vector<mat4> boundNodes(const Skeleton& skeleton) {
  const auto jointOf = jointsOfNodes(skeleton);
  const std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  std::vector<mat4> out;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const mat4 above = nodes[n].parent == kNoNode ? mat4(1.0f) : out[nodes[n].parent];
    out.push_back(jointOf[n] ? skeleton.modelFromJoint[*jointOf[n]]
                             : above * matrixOf(nodes[n].rest));
  }
  return out;
}

void remakeBones(Skeleton& skeleton) {
  addBones(skeleton, boundNodes(skeleton));
}

void placeSkeleton(Skeleton& skeleton, const SkeletonPlacement& placement, const Bounds& mesh) {
  const Transform placed = placementOf(skeleton, placement, mesh);
  if (placed == Transform{}) return;
  std::vector<Node>& nodes = skeleton.hierarchy.nodes;
  for (Node& node : nodes)
    node.parent = node.parent == kNoNode ? 0 : node.parent + 1;
  nodes.insert(nodes.begin(), {freeName(skeleton.hierarchy, "placement"), kNoNode, placed});
  for (std::uint32_t& joint : skeleton.joints)
    ++joint;
  for (Clip& clip : skeleton.clips)
    for (Channel& channel : clip.channels)
      ++channel.node;
  const mat4 modelFromFile = matrixOf(placed);
  for (mat4& joint : skeleton.modelFromJoint)
    joint = modelFromFile * joint;
  for (BoneSegment& bone : skeleton.bones)
    bone = {transformPoint(modelFromFile, bone.from), transformPoint(modelFromFile, bone.to)};
}

} // namespace sinew
