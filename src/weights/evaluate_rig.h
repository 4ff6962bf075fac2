// A rig against a reference, by the measures that papers on automatic rigging report: RigNet (Xu et
// al. 2020), which takes those of weights from NeuroSkinning (Liu et al. 2019), and UniRig (Zhang
// et al. 2025). docs/weights.md defines each.
#pragma once

#include "animation/pose.h"
#include "model/mesh.h"
#include "rig/rig.h"
#include "weights/bone_segment.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Joints, and the bones from parent to child joint.
struct JointPoints {
  std::vector<vec3> joints; // at least one
  std::vector<BoneSegment> bones;
};

// Chamfer distances: the mean distance from one rig's points to the nearest of the other, and back,
// halved.
struct SkeletonDistances {
  double jointToJoint = 0.0;
  double jointToBone = 0.0; // joints to the other's bones
  double boneToBone = 0.0;  // points along bones to the other's bones
};

// step: between the points along a bone. Without any bone the joints are bones without length.
SkeletonDistances skeletonDistances(const JointPoints& a, const JointPoints& b,
                                    double step = 0.005);

// A joint has an influence on a vertex if its weight is above this.
inline constexpr float kSomeInfluence = 1e-4f;

// NaN where there is nothing to divide by.
struct WeightAgreement {
  double precision = 0.0; // share of the rig's influences that the reference has too
  double recall = 0.0;    // share of the reference's influences that the rig has too
  double meanL1 = 0.0;    // sum over the joints of |difference|, mean over the vertices
};

// Both sets of weights have the same vertices and joints.
WeightAgreement weightAgreement(const Influences& weights, const Influences& wanted);

// The joints' motion in one pose, of each joint M with v' = sum w M v. Every joint with a parent is
// rotated about its own position, by up to `degrees` about any axis; the same on every call with
// the same seed. parents: a joint's index, itself for one without; parents come first.
std::vector<glm::dmat4> randomJointMotion(std::span<const vec3> joints,
                                          std::span<const std::uint32_t> parents,
                                          std::uint64_t seed, double degrees);

struct PosedDistance {
  double mean = 0.0;
  double largest = 0.0;
  std::uint32_t vertex = 0; // vertex with the largest distance
  std::uint32_t pose = 0;   // its pose
};

inline constexpr std::uint32_t kEvaluatedPoses = 10;
inline constexpr double kEvaluatedDegrees = 30.0;

// Distance of the vertices posed by both sets of weights, over kEvaluatedPoses poses of
// randomJointMotion() with the seeds 1, 2, ...; in the unit of the positions.
PosedDistance posedDistance(std::span<const vec3> positions, const Influences& weights,
                            const Influences& wanted, std::span<const vec3> joints,
                            std::span<const std::uint32_t> parents);

// Linear blending with all weights in double precision: the reference of what is measured when a
// rig changes (new bind pose, fewer joints), free of the rounding of a method's Binding. Of every
// vertex of the rig, model space. Morph weights are the pose's, else those at rest.
std::vector<glm::dvec3> blendedVertices(const Rig& rig, const Model& model, const Pose& pose);

} // namespace sinew
