// The rig: all meshes of a model as one vertex list over one joint list, ready to be skinned.
//
// A rigid mesh becomes skin like any other: one joint, its node, with the identity as bind matrix.
// So nothing after this step knows the difference.
#pragma once

#include "model/model.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sinew {

struct RigJoint {
  std::uint32_t node = 0;         // in the model's hierarchy: F(j) = modelFromNode[node]
  std::uint32_t parent = kNoNode; // nearest ancestor joint of the same skin, index into Rig::joints
  mat4 jointFromBind{1.0f};       // A(j)^-1
};

// A free spline of the model, or, for vertices that follow none, one of which a single joint
// carries all control points: it moves them rigidly.
struct RigSpline {
  std::array<std::uint32_t, 3> joints{}; // that carry the control points, indices into Rig::joints
  std::array<vec3, 3> points{};          // control points in bind space
};

struct RigMesh {
  std::uint32_t firstVertex = 0;
  std::uint32_t vertexCount = 0;
  std::uint32_t firstTriangle = 0;
  std::uint32_t triangleCount = 0;
  std::uint32_t material = 0;
};

// Vertices are those of the model's meshes in their order, so index v here is vertex v of `info`
// and `export`.
struct Rig {
  std::vector<RigJoint> joints; // the distinct skins' joints, one skin after another
  std::vector<RigMesh> meshes;  // one per mesh of the model
  std::vector<vec3> positions;  // bind space
  std::vector<vec3> normals;    // bind space, unit
  std::vector<vec2> texcoords;  // zero where a mesh has none
  std::vector<vec4> colors;     // white where a mesh has none
  std::vector<Triangle> triangles;
  Influences influences; // joints are indices into Rig::joints; falling weight
  // Both empty where the model has no free splines. A vertex that was painted none follows its
  // bones' rigid ones by its bone weights.
  std::vector<RigSpline> splines;
  Influences splineInfluences; // joints are indices into splines; falling weight
};

Rig buildRig(const Model& model);

// What a draw with at most `kept` influences a vertex leaves out.
struct InfluenceCut {
  std::size_t vertices = 0;   // vertices that lose at least one influence
  std::size_t influences = 0; // influences left out
  float largestWeight = 0.0f; // the largest one left out
};
InfluenceCut influencesCut(const Influences& influences, std::uint32_t kept);

std::uint32_t maxInfluences(const Influences& influences);

} // namespace sinew
