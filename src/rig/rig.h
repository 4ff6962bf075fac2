// The rig: all meshes of a model as one vertex list over one joint list, ready for skinning.
//
// A rigid mesh becomes skin of one joint, its node, with the identity as bind matrix, so later
// steps need no distinction.
#pragma once

#include "model/model.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sinew {

struct RigJoint {
  std::uint32_t node = 0; // in the model's hierarchy: F(j) = modelFromNode[node]
  // Index into Rig::joints: the bone that the joint bends against, which is its ancestor where they
  // share skin (bendAgainstSkin()).
  std::uint32_t parent = kNoNode;
  mat4 jointFromBind{1.0f};         // A(j)^-1
  std::uint32_t ancestor = kNoNode; // nearest ancestor joint of the same skin
};

// A free spline of the model, or, for vertices without one, a spline whose control points all
// belong to one joint, which moves them rigidly.
struct RigSpline {
  std::array<std::uint32_t, 3> joints{}; // per control point, index into Rig::joints
  std::array<vec3, 3> points{};          // control points in bind space
  std::uint32_t source = kNoNode;        // index into Model::splines; kNoNode: one joint's
};

struct RigMesh {
  std::uint32_t firstVertex = 0;
  std::uint32_t vertexCount = 0;
  std::uint32_t firstTriangle = 0;
  std::uint32_t triangleCount = 0;
  std::uint32_t material = 0;
  std::uint32_t insertedVertices = 0; // Mesh::insertedVertices
};

// What one morph target does to the vertices of the rig, with normals for all of them.
struct RigMorph {
  std::vector<std::uint32_t> vertices; // ascending
  std::vector<vec3> positions;         // offsets, bind space
  std::vector<vec3> normals;           // offsets
};

// Vertices are in the order of the model's meshes, so index v is vertex v of `info` and `export`.
struct Rig {
  std::vector<RigJoint> joints; // the distinct skins' joints, one skin after another
  std::vector<RigMesh> meshes;  // one per mesh of the model
  std::vector<vec3> positions;  // bind space
  std::vector<vec3> normals;    // bind space, unit
  // Where some material shows a normal map, as Mesh::tangents; zero where a mesh shows none. Empty
  // without such a material: what is not drawn is not paid for.
  std::vector<vec4> tangents;
  std::vector<vec2> texcoords; // zero where a mesh has none
  std::vector<vec4> colors;    // white where a mesh has none
  std::vector<float>
      dualQuaternionShares; // Mesh's; 0 where a mesh has none; empty if all have none
  std::vector<Triangle> triangles;
  Influences influences; // joints are indices into Rig::joints; falling weight
  // Both empty if the model has no free splines. What free splines leave of a vertex's weight
  // follows its bones' rigid splines by its bone weights.
  std::vector<RigSpline> splines;
  Influences splineInfluences;  // joints are indices into splines; falling weight; sum 1
  std::vector<RigMorph> morphs; // one per morph target of the model
};

// The rig of a model. Lengths are in the model's unit. Indices have to be within their lists, as
// those of all readers are. A model without meshes gives a rig without vertices.
Rig buildRig(const Model& model);

// Indices of the joints, parents before children.
std::vector<std::uint32_t> parentsFirst(const Rig& rig);

// Per vertex: whether subdivision has put it on the surface.
std::vector<bool> insertedVertices(const Rig& rig);

// What a draw with at most `limit` influences per vertex drops.
struct InfluenceCut {
  std::size_t vertices = 0;   // vertices that lose at least one influence
  std::size_t influences = 0; // dropped influences
  float largestWeight = 0.0f; // the largest dropped one
};
InfluenceCut influencesCut(const Influences& influences, std::uint32_t limit);

std::uint32_t maxInfluences(const Influences& influences);

} // namespace sinew
