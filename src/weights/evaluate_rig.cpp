#include "weights/evaluate_rig.h"

#include "core/random.h"
#include "rig/morph.h"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

double distanceTo(const vec3& point, std::span<const BoneSegment> bones) {
  double least = std::numeric_limits<double>::infinity();
  for (const BoneSegment& bone : bones)
    least = std::min(least, static_cast<double>(glm::distance(nearestPoint(bone, point), point)));
  return least;
}

double meanDistance(std::span<const vec3> points, std::span<const BoneSegment> bones) {
  double sum = 0.0;
  for (const vec3& point : points)
    sum += distanceTo(point, bones);
  return sum / static_cast<double>(points.size());
}

// Points are bones without length, so that one function measures all three.
std::vector<BoneSegment> pointsAsBones(std::span<const vec3> points) {
  std::vector<BoneSegment> out;
  for (const vec3& point : points)
    out.push_back({point, point});
  return out;
}

// A rig may have a joint far from its mesh: that bone has fewer points than its length asks for.
constexpr double kMaxSteps = 1000.0;

// Both ends of every bone, and points between them in equal steps.
std::vector<vec3> pointsAlong(std::span<const BoneSegment> bones, double step) {
  std::vector<vec3> out;
  for (const BoneSegment& bone : bones) {
    const double length = static_cast<double>(glm::distance(bone.from, bone.to));
    const auto steps = static_cast<int>(std::min(std::round(length / step), kMaxSteps));
    for (int i = 0; i <= steps; ++i)
      out.push_back(glm::mix(bone.from, bone.to,
                             static_cast<float>(i) / static_cast<float>(std::max(steps, 1))));
  }
  return out;
}

std::size_t countInfluences(const Influences& of) {
  return static_cast<std::size_t>(std::ranges::count_if(
      of.values, [](const Influence& each) { return each.weight > kSomeInfluence; }));
}

const Influence* findInfluence(std::span<const Influence> row, std::uint32_t joint) {
  const auto found = std::ranges::find(row, joint, &Influence::joint);
  return found == row.end() ? nullptr : &*found;
}

glm::dvec3 posedBy(std::span<const Influence> weights, std::span<const glm::dmat4> motion,
                   const vec3& position) {
  glm::dvec4 sum(0.0);
  for (const Influence& each : weights)
    sum += static_cast<double>(each.weight) *
           (motion[each.joint] * glm::dvec4(glm::dvec3(position), 1.0));
  return glm::dvec3(sum);
}

} // namespace

SkeletonDistances skeletonDistances(const JointPoints& a, const JointPoints& b, double step) {
  assert(!a.joints.empty() && !b.joints.empty());
  const auto aJoints = pointsAsBones(a.joints), bJoints = pointsAsBones(b.joints);
  const auto& aBones = a.bones.empty() ? aJoints : a.bones;
  const auto& bBones = b.bones.empty() ? bJoints : b.bones;
  const auto chamfer = [](std::span<const vec3> ours, std::span<const BoneSegment> theirBones,
                          std::span<const vec3> theirs, std::span<const BoneSegment> ourBones) {
    return 0.5 * (meanDistance(ours, theirBones) + meanDistance(theirs, ourBones));
  };
  return {chamfer(a.joints, bJoints, b.joints, aJoints),
          chamfer(a.joints, bBones, b.joints, aBones),
          chamfer(pointsAlong(aBones, step), bBones, pointsAlong(bBones, step), aBones)};
}

WeightAgreement weightAgreement(const Influences& weights, const Influences& wanted) {
  assert(weights.vertexCount() == wanted.vertexCount());
  std::size_t both = 0;
  double difference = 0.0;
  for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
    for (const Influence& each : weights.of(v)) {
      const Influence* other = findInfluence(wanted.of(v), each.joint);
      const float theirs = other != nullptr ? other->weight : 0.0f;
      if (each.weight > kSomeInfluence && theirs > kSomeInfluence) ++both;
      difference += std::abs(static_cast<double>(each.weight) - static_cast<double>(theirs));
    }
    for (const Influence& each : wanted.of(v))
      if (findInfluence(weights.of(v), each.joint) == nullptr)
        difference += static_cast<double>(each.weight);
  }
  const auto share = [](double part, std::size_t whole) {
    return whole > 0 ? part / static_cast<double>(whole) : std::numeric_limits<double>::quiet_NaN();
  };
  return {share(static_cast<double>(both), countInfluences(weights)),
          share(static_cast<double>(both), countInfluences(wanted)),
          share(difference, weights.vertexCount())};
}

std::vector<glm::dmat4> randomJointMotion(std::span<const vec3> joints,
                                          std::span<const std::uint32_t> parents,
                                          std::uint64_t seed, double degrees) {
  Random random(seed);
  std::vector<glm::dmat4> out;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const glm::dvec3 axis(randomDirection(random));
    const double angle = glm::radians(degrees) * static_cast<double>(random.uniform());
    if (parents[j] == j) {
      out.emplace_back(1.0);
      continue;
    }
    const glm::dvec3 center(joints[j]);
    glm::dmat4 own = glm::translate(glm::dmat4(1.0), center);
    own = glm::translate(glm::rotate(own, angle, axis), -center);
    out.push_back(out[parents[j]] * own);
  }
  return out;
}

PosedDistance posedDistance(std::span<const vec3> positions, const Influences& weights,
                            const Influences& wanted, std::span<const vec3> joints,
                            std::span<const std::uint32_t> parents) {
  PosedDistance out;
  double sum = 0.0;
  for (std::uint32_t pose = 0; pose < kEvaluatedPoses; ++pose) {
    const auto motion = randomJointMotion(joints, parents, pose + 1, kEvaluatedDegrees);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const double apart = glm::distance(posedBy(weights.of(v), motion, positions[v]),
                                         posedBy(wanted.of(v), motion, positions[v]));
      sum += apart;
      if (apart <= out.largest) continue;
      out.largest = apart;
      out.vertex = static_cast<std::uint32_t>(v);
      out.pose = pose;
    }
  }
  if (!positions.empty()) out.mean = sum / static_cast<double>(kEvaluatedPoses * positions.size());
  return out;
}

std::vector<glm::dvec3> blendedVertices(const Rig& rig, const Model& model, const Pose& pose) {
  const std::vector<mat4> modelFromNode = modelFromNodes(model.hierarchy, pose);
  std::vector<glm::dmat4> modelFromBind;
  modelFromBind.reserve(rig.joints.size());
  for (const RigJoint& joint : rig.joints)
    modelFromBind.push_back(glm::dmat4(modelFromNode[joint.node]) *
                            glm::dmat4(joint.jointFromBind));
  MorphedVertices morphed;
  if (!rig.morphs.empty()) applyMorphs(rig, getMorphWeights(model, pose), morphed);
  const std::vector<vec3>& positions = morphed.moved() ? morphed.positions : rig.positions;
  std::vector<glm::dvec3> out;
  out.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    glm::dvec4 sum(0.0);
    for (const Influence& each : rig.influences.of(v))
      sum += static_cast<double>(each.weight) *
             (modelFromBind[each.joint] * glm::dvec4(glm::dvec3(positions[v]), 1.0));
    out.push_back(glm::dvec3(sum) / sum.w);
  }
  return out;
}

} // namespace sinew
