#include "animation/retarget/skeleton_relation.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kSameDirection = 0.9f; // cosine of 26 degrees
constexpr float kMinRotation = 0.35f;  // radians

struct Bone {
  vec3 model{0.0f}; // from the joint above, model space
  vec3 motion{0.0f};
  vec3 modelLocal{0.0f}; // as seen from the joint above
  vec3 motionLocal{0.0f};
};

std::vector<Bone> commonBones(const RestSkeleton& model, const RestSkeleton& motion,
                              const std::vector<JointPair>& pairs) {
  std::vector<Bone> bones;
  for (const JointPair& pair : pairs) {
    if (!pair.parent) continue;
    const JointPair& above = pairs[*pair.parent];
    Bone bone;
    bone.model = model.position[pair.model] - model.position[above.model];
    bone.motion = motion.position[pair.motion] - motion.position[above.motion];
    bone.modelLocal = glm::inverse(model.rotation[above.model]) * bone.model;
    bone.motionLocal = glm::inverse(motion.rotation[above.motion]) * bone.motion;
    if (glm::length(bone.model) > 0.0f && glm::length(bone.motion) > 0.0f) bones.push_back(bone);
  }
  return bones;
}

struct Facing {
  quat modelFromMotion{1, 0, 0, 0};
  float fit = 0.0f; // mean over the bones: 1 for equal directions, -1 for opposite ones
};

// The best rotation about Y, in the least-squares sense, of the motion's bones onto the model's,
// after `upright` is applied to the motion's. Small angles are differences of pose, not of facing.
Facing facing(const std::vector<Bone>& bones, const quat& upright) {
  float sine = 0.0f, cosine = 0.0f, vertical = 0.0f, total = 0.0f;
  for (const Bone& bone : bones) {
    const vec3 motion = upright * bone.motion;
    sine += motion.z * bone.model.x - motion.x * bone.model.z;
    cosine += motion.x * bone.model.x + motion.z * bone.model.z;
    vertical += motion.y * bone.model.y;
    total += glm::length(motion) * glm::length(bone.model);
  }
  const float angle = std::atan2(sine, cosine);
  const quat yaw =
      std::abs(angle) > kMinRotation ? glm::angleAxis(angle, vec3(0, 1, 0)) : quat(1, 0, 0, 0);
  return {yaw * upright, total > 0.0f ? (vertical + std::hypot(sine, cosine)) / total : 0.0f};
}

// Files do not state their up axis. Some motions (BVH from Blender) have Z up: their bones lie
// where the model's are upright.
quat bestRotation(const std::vector<Bone>& bones) {
  constexpr float kClearly = 0.3f;
  const float quarter = -1.5707963f;
  const Facing fromYUp = facing(bones, quat(1, 0, 0, 0));
  const Facing fromZUp = facing(bones, glm::angleAxis(quarter, vec3(1, 0, 0)));
  return fromZUp.fit > fromYUp.fit + kClearly ? fromZUp.modelFromMotion : fromYUp.modelFromMotion;
}

// Without a common bone, equal rest orientations mean equal frames.
bool sameRest(const RestSkeleton& model, const RestSkeleton& motion,
              const std::vector<JointPair>& pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const JointPair& pair) {
    return std::abs(glm::dot(model.rotation[pair.model], motion.rotation[pair.motion])) > 0.99f;
  });
}

float medianScale(const std::vector<Bone>& bones) {
  if (bones.empty()) return 1.0f;
  std::vector<float> ratios;
  ratios.reserve(bones.size());
  for (const Bone& bone : bones)
    ratios.push_back(glm::length(bone.model) / glm::length(bone.motion));
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return std::abs(*middle - 1.0f) < kSameLength ? 1.0f : *middle;
}

} // namespace

Relation relate(const RestSkeleton& model, const RestSkeleton& motion,
                const std::vector<JointPair>& pairs) {
  const std::vector<Bone> bones = commonBones(model, motion, pairs);
  Relation r;
  r.scale = medianScale(bones);
  r.modelFromMotion = bestRotation(bones);
  float agreeing = 0.0f;
  float equal = 0.0f;
  for (const Bone& bone : bones) {
    const float length = glm::length(bone.modelLocal);
    const float lengthThere = glm::length(bone.motionLocal);
    r.size += length;
    if (glm::dot(bone.modelLocal, bone.motionLocal) > kSameDirection * length * lengthThere)
      agreeing += length;
    if (std::abs(length - lengthThere) < 2.0f * kSameLength * length) equal += length;
  }
  for (const JointPair& pair : pairs)
    if (pair.parent && (model.parent(pair.model) != pairs[*pair.parent].model ||
                        motion.parent(pair.motion) != pairs[*pair.parent].motion))
      r.sameTree = false;
  r.sameFrames = bones.empty() ? sameRest(model, motion, pairs) : agreeing > 0.8f * r.size;
  r.sameBones = r.sameFrames && r.scale == 1.0f && equal >= 0.6f * r.size;
  return r;
}

} // namespace sinew
