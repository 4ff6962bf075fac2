// A pose is a value: one local transform per scene node. Clips, procedures, inverse kinematics and
// physics all make poses; skinning only reads them.
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

// The pose the mesh was modelled in: every node some skin binds stands at A(j) (the first skin's,
// where two disagree), all others keep their rest transform to their parent.
Pose bindPose(const Model& model);

// Per node linear in translation and scale, slerp in rotation; t in [0, 1].
Pose blend(const Pose& a, const Pose& b, float t);

// The scene graph pass: F(j) of every node, model space from node space. out is resized.
void modelFromNodes(const Hierarchy& hierarchy, const Pose& pose, std::vector<mat4>& out);
std::vector<mat4> modelFromNodes(const Hierarchy& hierarchy, const Pose& pose);

// Replaces every non-finite transform by the rest value; returns how many.
std::size_t replaceNonFinite(const Hierarchy& hierarchy, Pose& pose);

// {"sinew": "pose", "nodes": {name: {"translation": [x,y,z], "rotation": [x,y,z,w], "scale":
// [x,y,z]}}}; a part or node left out keeps its rest value. Reading throws inputError for bad
// JSON, a wrong type, or a node the hierarchy does not have.
std::string poseToJson(const Hierarchy& hierarchy, const Pose& pose);
Pose poseFromJson(const Hierarchy& hierarchy, std::string_view json, std::string_view path);

} // namespace sinew
