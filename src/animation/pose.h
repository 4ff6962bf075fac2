// A pose is a value: one local transform per scene node, and one weight per morph target. Clips,
// layers, inverse kinematics and physics make poses; skinning only reads them.
#pragma once

#include "model/morph_targets.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct Pose {
  std::vector<Transform> parentFromNode; // one per node of the hierarchy
  // One per morph target of the model; empty: the rest weights, in a pose of the hierarchy alone.
  MorphWeights morphWeights{};
  // One per node, or empty: then all are 0. The approximate twist, in radians, of a free spline
  // that ends at the node. Rotations do not hold whole rotations: the spline has the twist nearest
  // to this among those that differ by whole rotations.
  std::vector<float> twists{};

  bool operator==(const Pose&) const = default;
};

float twistAt(const Pose& pose, std::uint32_t node);
void setTwistAt(Pose& pose, std::uint32_t node, float twist);

// The angle plus the whole rotations that bring it nearest to another; the angle itself if it is
// within half a rotation.
double nearestAngle(double angle, double to);

// Rotation of every node at rest, model space from node space.
std::vector<quat> restRotations(const Hierarchy& hierarchy);

Pose restPose(const Hierarchy& hierarchy); // without morph weights
Pose restPose(const Model& model);

// The pose the mesh was modelled in: every joint of a skin is at A(j) (the first skin's where two
// disagree), all other nodes keep their rest transform; all morph weights are 0.
Pose bindPose(const Model& model);

// The pose's, or where it has none the rest weights.
MorphWeights getMorphWeights(const Model& model, const Pose& pose);

// a + t (b - a), target by target; those of one of them where the other has none.
MorphWeights blend(const MorphWeights& a, const MorphWeights& b, float t);

// Per node: translation, scale and twist linear, rotation by slerp; morph weights linear; t in
// [0, 1].
Pose blend(const Pose& a, const Pose& b, float t);

// Forward pass over the scene graph: F(j) of every node, model space from node space. out is
// resized.
void modelFromNodes(const Hierarchy& hierarchy, const Pose& pose, std::vector<mat4>& out);
std::vector<mat4> modelFromNodes(const Hierarchy& hierarchy, const Pose& pose);

// Replaces every non-finite transform by the rest value, and every such twist and morph weight by
// 0; returns how many.
std::size_t replaceNonFinite(const Hierarchy& hierarchy, Pose& pose);

// {"sinew": "pose", "nodes": {name: {"translation": [x,y,z], "rotation": [x,y,z,w], "scale":
// [x,y,z], "twist": radians}}, "morphs": {label: weight}}; an omitted part, node or morph target
// keeps its rest value, a twist that is 0 is left out. Labels are those of morphLabels(). Reading
// throws inputError for invalid JSON, a wrong type, or a node or morph target the model does not
// have.
std::string poseToJson(const Model& model, const Pose& pose);
Pose poseFromJson(const Model& model, std::string_view json, std::string_view path);

} // namespace sinew
