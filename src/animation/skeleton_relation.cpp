#include "animation/skeleton_relation.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kSameDirection = 0.9f; // cosine of 26 degrees
constexpr float kLeastTurn = 0.35f;    // radians

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
  quat turn{1, 0, 0, 0}; // model from motion
  float fit = 0.0f;      // of all the bones: 1 where they point the same way, -1 the other
};

// The best turn about Y, in the least-squares sense, of one bunch of bones onto the other, of which
// the motion's are set upright first. Small ones are taken for differences of pose, not of facing.
Facing facing(const std::vector<Bone>& bones, const quat& upright) {
  float sine = 0.0f, cosine = 0.0f, vertical = 0.0f, most = 0.0f;
  for (const Bone& bone : bones) {
    const vec3 motion = upright * bone.motion;
    sine += motion.z * bone.model.x - motion.x * bone.model.z;
    cosine += motion.x * bone.model.x + motion.z * bone.model.z;
    vertical += motion.y * bone.model.y;
    most += glm::length(motion) * glm::length(bone.model);
  }
  const float angle = std::atan2(sine, cosine);
  const quat turn =
      std::abs(angle) > kLeastTurn ? glm::angleAxis(angle, vec3(0, 1, 0)) : quat(1, 0, 0, 0);
  return {turn * upright, most > 0.0f ? (vertical + std::hypot(sine, cosine)) / most : 0.0f};
}

// Files say nothing of it, but some motions (BVH out of Blender) have Z upwards: then their bones
// lie where the model's stand.
quat bestTurn(const std::vector<Bone>& bones) {
  constexpr float kClearly = 0.3f;
  const float quarter = -1.5707963f;
  const Facing asItIs = facing(bones, quat(1, 0, 0, 0));
  const Facing fromZUp = facing(bones, glm::angleAxis(quarter, vec3(1, 0, 0)));
  return fromZUp.fit > asItIs.fit + kClearly ? fromZUp.turn : asItIs.turn;
}

// Without a bone in common only the rests tell whether frames are the same.
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
  r.modelFromMotion = bestTurn(bones);
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
