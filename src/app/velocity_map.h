// The file of velocity skinning that belongs to a model: --velocity, or the one beside it.
//
//   {"sinew": "velocity",
//    "joints": {NAME: {"drag": 2, "squash": 0, "skin": 0.5}},
//    "map": [{"mesh": NAME, "strength": [1, 0.5, ...]}]}
//
// drag and squash are factors of what the velocity of this joint does to the skin below it, 0 to
// 10; skin is how much the joint's own skin is moved, by whatever joint, 0 to 1. The map is
// painted: one number for each vertex of a mesh, 0 to 1. What is left out is 1.
#pragma once

#include "model/model.h"
#include "rig/rig.h"
#include "skinning/velocity_displacement.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct JointVelocityFactors {
  VelocityStrength factor{1.0f, 1.0f};
  float skin = 1.0f;
  bool operator==(const JointVelocityFactors&) const = default;
};

using VelocityJoints = std::map<std::string, JointVelocityFactors>; // by the name of a node

struct VelocityMap {
  VelocityJoints joints;
  std::vector<float> strength; // per vertex of the model, in the order of its meshes; or empty
  std::string path = {};       // the file they were read from; empty: none

  bool empty() const { return joints.empty() && strength.empty(); }
};

// VelocitySkin::factors: one per node of the hierarchy.
std::vector<VelocityStrength> listJointStrengths(const VelocityMap& map,
                                                 const Hierarchy& hierarchy);

// The strength of every vertex of the rig: that of the map times the mean of its joints' skin.
std::vector<float> computeStrengths(const VelocityMap& map, const Hierarchy& hierarchy,
                                    const Rig& rig);

std::string velocityMapToJson(const Model& model, const VelocityMap& map);

// Throws inputError with file, joint or mesh, and key: invalid JSON, an unknown key, a node or mesh
// that the model does not have, a value out of its range, another number of vertices.
VelocityMap velocityMapFromJson(const Model& model, std::string_view json, std::string_view path);

} // namespace sinew
