// Triangle mesh with all its influences, in bind space.
#pragma once

#include "core/bounds.h"
#include "core/lists.h"
#include "core/transform.h"
#include "model/hierarchy.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// joint: index into the mesh's skin (Mesh) or into the rig's joints (Rig).
struct Influence {
  std::uint32_t joint = 0;
  float weight = 0.0f;
};

// One list per vertex. After import: weights positive, sum 1 per vertex, sorted by falling weight,
// at least one.
struct Influences : Lists<Influence> {
  std::size_t vertexCount() const { return count(); }
};

// The joint's weight at one vertex, and at every one; 0 where it has none.
float getWeight(std::span<const Influence> influences, std::uint32_t joint);
std::vector<float> gatherWeights(const Influences& influences, std::uint32_t joint);

using Triangle = std::array<std::uint32_t, 3>;

// What one morph target does to a mesh: offsets of the vertices that it moves, in the mesh's bind
// space, added times the target's weight before skinning.
struct MorphOffsets {
  std::uint32_t target = 0;            // index into Model::morphTargets
  std::vector<std::uint32_t> vertices; // ascending
  std::vector<vec3> positions;         // one per entry of vertices
  std::vector<vec3> normals;           // as many, or empty: found from the moved surface
};

struct Mesh {
  std::string name;
  std::vector<vec3> positions;
  std::vector<vec3> normals; // unit, one per position
  // Tangents of a mesh with a normal map, one per position or empty. They are unit and point the
  // way in which u grows, or are zero where there is no such way; w is 1 or -1:
  // w cross(normal, tangent) points up in the image.
  std::vector<vec4> tangents;
  std::vector<vec2> texcoords;  // one per position or empty; (0, 0) is the image's upper left
  std::vector<vec2> texcoords1; // a second set, which is not drawn; likewise
  std::vector<vec4> colors;     // one per position or empty
  // Where the file mixes two methods by vertex: how much of it dual quaternions have; the rest is
  // linear blending's. One per position or empty.
  std::vector<float> dualQuaternionShares;
  std::vector<Triangle> triangles;
  std::uint32_t material = 0;

  // A skinned mesh lives in its skin's bind space, and node is ignored while drawing. A rigid mesh
  // has no skin and lives in the space of its node.
  std::uint32_t node = 0;
  std::optional<std::uint32_t> skin;
  Influences influences; // skinned meshes only; joints are indices into the skin
  // Influences of free splines that bend a skinned mesh; joints are indices into Model::splines.
  // They are sorted as influences are and sum to at most 1: the rest of a vertex follows its bones.
  // Without any list the mesh follows no spline.
  Influences splineInfluences;
  std::vector<MorphOffsets> morphs; // at most one per target
  // The last ones, which subdivision has put on the surface (rig/subdivide). What is fitted to the
  // skin is fitted to the others, so that subdivision moves no vertex.
  std::uint32_t insertedVertices = 0;
};

Bounds computeBounds(std::span<const vec3> positions);

// Area-weighted vertex normals; a vertex without a proper triangle gets +Y.
std::vector<vec3> computeNormals(std::span<const vec3> positions,
                                 std::span<const Triangle> triangles);

// Mesh::tangents of a mesh without them, from its texture coordinates, triangles and normals: per
// vertex the mean of its triangles' directions of growing u, weighted by their angles there, at
// right angles to the normal. Where triangles with a mirrored image meet others, those with the
// larger sum of angles count. Any direction across the normal where there are no coordinates.
std::vector<vec4> computeTangents(const Mesh& mesh);

// By the matrix that transforms the positions, without making them unit; where it mirrors, w turns.
void transformTangents(const mat3& linear, Mesh& mesh);

// Unit where they are usable numbers, and zero elsewhere.
void normalizeTangents(Mesh& mesh);

} // namespace sinew
