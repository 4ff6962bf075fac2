// Sparse offsets of morph targets through what changes a mesh: vertices joined, split or
// transformed.
#pragma once

#include "model/mesh.h"

#include <span>
#include <vector>

namespace sinew {

// From offsets of all vertices, those that move. normals: as many, or empty.
MorphOffsets sparseOffsets(std::uint32_t target, std::span<const vec3> positions,
                           std::span<const vec3> normals);

// After vertices have been dropped or repeated: sources names, per new vertex, the old one.
void keepVertices(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> sources,
                  std::size_t oldCount);

// A new vertex, with an index above all others, in the middle of old ones. normalLength: of the
// mean of their normals, before it was made unit.
void appendMean(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> corners,
                std::uint32_t vertex, float normalLength);

// Before positions and normals of the mesh are transformed by these and normals made unit.
void transformOffsets(const mat3& linear, const mat3& normalMatrix, Mesh& mesh);

} // namespace sinew
