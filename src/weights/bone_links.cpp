#include "weights/bone_links.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kSamePosition = 1e-5f; // share of the skeleton's size

vec3 jointPosition(const Skeleton& skeleton, std::uint32_t joint) {
  return vec3(skeleton.modelFromJoint[joint][3]);
}

float bonesSize(const Skeleton& skeleton) {
  Bounds bounds;
  for (const BoneSegment& bone : skeleton.bones) {
    bounds.include(bone.from);
    bounds.include(bone.to);
  }
  return bounds.size();
}

vec3 movePointIntoAxes(const mat4& modelFromJoint, const vec3& point) {
  const float volume = glm::determinant(mat3(modelFromJoint));
  if (volume == 0.0f || !std::isfinite(1.0f / volume)) return vec3(0.0f);
  return transformPoint(glm::inverse(modelFromJoint), point);
}

} // namespace

std::vector<BoneLink> boneLinks(const Skeleton& skeleton) {
  const auto parents = parentJoints(skeleton);
  const float tolerance = kSamePosition * bonesSize(skeleton);
  std::vector<BoneLink> links;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const std::uint32_t joint = skeleton.jointOfBone[b];
    const vec3& to = skeleton.bones[b].to;
    BoneLink link{joint, {}, movePointIntoAxes(skeleton.modelFromJoint[joint], to)};
    for (std::uint32_t child = joint + 1; child < parents.size() && !link.toJoint; ++child)
      if (parents[child] == joint && glm::length(jointPosition(skeleton, child) - to) <= tolerance)
        link.toJoint = child;
    links.push_back(link);
  }
  return links;
}

void linkBones(Skeleton& skeleton, std::span<const BoneLink> links) {
  skeleton.bones.clear();
  skeleton.jointOfBone.clear();
  const auto parents = parentJoints(skeleton);
  std::vector<bool> alone(parents.size(), true);
  const auto add = [&](std::uint32_t joint, const vec3& to) {
    skeleton.bones.push_back({jointPosition(skeleton, joint), to});
    skeleton.jointOfBone.push_back(joint);
    alone[joint] = false;
  };
  for (const BoneLink& link : links)
    add(link.joint, link.toJoint ? jointPosition(skeleton, *link.toJoint)
                                 : transformPoint(skeleton.modelFromJoint[link.joint], link.to));
  for (std::uint32_t joint = 0; joint < parents.size(); ++joint)
    if (parents[joint]) alone[joint] = alone[*parents[joint]] = false;
  for (std::uint32_t joint = 0; joint < parents.size(); ++joint)
    if (alone[joint]) add(joint, jointPosition(skeleton, joint));
}

void linkAdded(const Skeleton& skeleton, std::vector<BoneLink>& links) {
  const auto added = static_cast<std::uint32_t>(skeleton.joints.size() - 1);
  const auto parent = parentJoints(skeleton)[added];
  if (!parent) return;
  std::erase_if(links,
                [&](const BoneLink& link) { return link.joint == *parent && !link.toJoint; });
  links.push_back({*parent, added, {}});
}

void linkRemoved(const Skeleton& skeleton, std::uint32_t joint, std::vector<BoneLink>& links) {
  const auto parent = parentJoints(skeleton)[joint];
  std::vector<BoneLink> remaining;
  for (BoneLink link : links) {
    if (link.toJoint == joint) continue;
    if (link.joint == joint) {
      if (!parent || !link.toJoint) continue;
      link.joint = *parent;
    }
    if (link.joint > joint) --link.joint;
    if (link.toJoint && *link.toJoint > joint) --*link.toJoint;
    remaining.push_back(link);
  }
  links = std::move(remaining);
}

} // namespace sinew
