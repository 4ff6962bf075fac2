// Surface tangents, for normal maps.
#pragma once

#include "model/mesh.h"

namespace sinew {

// Mesh::tangents of a mesh without, from its texture coordinates, triangles and normals: per vertex
// the mean of its triangles' directions of growing u, weighted by their angles there, at right
// angles to the normal. Of triangles with a mirrored image and others at one vertex, those with the
// larger sum of angles count. Any direction across the normal where there are no coordinates.
std::vector<vec4> computeTangents(const Mesh& mesh);

// By the matrix that transforms the positions, without making them unit; where it mirrors, w turns.
void transformTangents(const mat3& linear, Mesh& mesh);

// Unit where they are usable numbers, and zero elsewhere.
void normalizeTangents(Mesh& mesh);

} // namespace sinew
