#include "weights/bone_ties.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kSamePlace = 1e-5f; // of the skeleton's size

vec3 placeOf(const Skeleton& skeleton, std::uint32_t joint) {
  return vec3(skeleton.modelFromJoint[joint][3]);
}

float sizeOf(const Skeleton& skeleton) {
  Bounds bounds;
  for (const BoneSegment& bone : skeleton.bones) {
    bounds.include(bone.from);
    bounds.include(bone.to);
  }
  return bounds.size();
}

vec3 inAxesOf(const mat4& modelFromJoint, const vec3& place) {
  const float volume = glm::determinant(mat3(modelFromJoint));
  if (volume == 0.0f || !std::isfinite(1.0f / volume)) return vec3(0.0f);
  return transformPoint(glm::inverse(modelFromJoint), place);
}

} // namespace

std::vector<BoneTie> tiesOf(const Skeleton& skeleton) {
  const auto parents = parentJoints(skeleton);
  const float tolerance = kSamePlace * sizeOf(skeleton);
  std::vector<BoneTie> ties;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const std::uint32_t joint = skeleton.jointOfBone[b];
    const vec3& to = skeleton.bones[b].to;
    BoneTie tie{joint, {}, inAxesOf(skeleton.modelFromJoint[joint], to)};
    for (std::uint32_t child = joint + 1; child < parents.size() && !tie.toJoint; ++child)
      if (parents[child] == joint && glm::length(placeOf(skeleton, child) - to) <= tolerance)
        tie.toJoint = child;
    ties.push_back(tie);
  }
  return ties;
}

void tieBones(Skeleton& skeleton, std::span<const BoneTie> ties) {
  skeleton.bones.clear();
  skeleton.jointOfBone.clear();
  const auto parents = parentJoints(skeleton);
  std::vector<bool> alone(parents.size(), true);
  const auto add = [&](std::uint32_t joint, const vec3& to) {
    skeleton.bones.push_back({placeOf(skeleton, joint), to});
    skeleton.jointOfBone.push_back(joint);
    alone[joint] = false;
  };
  for (const BoneTie& tie : ties)
    add(tie.joint, tie.toJoint ? placeOf(skeleton, *tie.toJoint)
                               : transformPoint(skeleton.modelFromJoint[tie.joint], tie.to));
  for (std::uint32_t joint = 0; joint < parents.size(); ++joint)
    if (parents[joint]) alone[joint] = alone[*parents[joint]] = false;
  for (std::uint32_t joint = 0; joint < parents.size(); ++joint)
    if (alone[joint]) add(joint, placeOf(skeleton, joint));
}

void tieAdded(const Skeleton& skeleton, std::vector<BoneTie>& ties) {
  const auto added = static_cast<std::uint32_t>(skeleton.joints.size() - 1);
  const auto parent = parentJoints(skeleton)[added];
  if (!parent) return;
  std::erase_if(ties, [&](const BoneTie& tie) { return tie.joint == *parent && !tie.toJoint; });
  ties.push_back({*parent, added, {}});
}

void tieRemoved(const Skeleton& skeleton, std::uint32_t joint, std::vector<BoneTie>& ties) {
  const auto parent = parentJoints(skeleton)[joint];
  std::vector<BoneTie> kept;
  for (BoneTie tie : ties) {
    if (tie.toJoint == joint) continue;
    if (tie.joint == joint) {
      if (!parent || !tie.toJoint) continue;
      tie.joint = *parent;
    }
    if (tie.joint > joint) --tie.joint;
    if (tie.toJoint && *tie.toJoint > joint) --*tie.toJoint;
    kept.push_back(tie);
  }
  ties = std::move(kept);
}

} // namespace sinew
