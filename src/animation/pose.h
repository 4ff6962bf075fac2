// A pose is a value: one local transform per scene node. Clips, layers, inverse kinematics and
// physics make poses; skinning only reads them.
#pragma once

#include "model/model.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct Pose {
  std::vector<Transform> parentFromNode; // one per node of the hierarchy

  bool operator==(const Pose&) const = default;
};

Pose restPose(const Hierarchy& hierarchy);

// The pose the mesh was modelled in: every joint of a skin is at A(j) (the first skin's where two
// disagree), all other nodes keep their rest transform.
Pose bindPose(const Model& model);

// Per node: translation and scale linear, rotation by slerp; t in [0, 1].
Pose blend(const Pose& a, const Pose& b, float t);

// Forward pass over the scene graph: F(j) of every node, model space from node space. out is
// resized.
void modelFromNodes(const Hierarchy& hierarchy, const Pose& pose, std::vector<mat4>& out);
std::vector<mat4> modelFromNodes(const Hierarchy& hierarchy, const Pose& pose);

// Replaces every non-finite transform by the rest value; returns how many.
std::size_t replaceNonFinite(const Hierarchy& hierarchy, Pose& pose);

// {"sinew": "pose", "nodes": {name: {"translation": [x,y,z], "rotation": [x,y,z,w], "scale":
// [x,y,z]}}}; an omitted part or node keeps its rest value. Reading throws inputError for invalid
// JSON, a wrong type, or a node the hierarchy does not have.
std::string poseToJson(const Hierarchy& hierarchy, const Pose& pose);
Pose poseFromJson(const Hierarchy& hierarchy, std::string_view json, std::string_view path);

} // namespace sinew
