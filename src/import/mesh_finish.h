// The last steps of reading a mesh, whatever it was read from.
#pragma once

#include "import/repairs.h"
#include "model/model.h"

namespace sinew {

// Drops triangles with vertices that do not exist or are not usable (isUsable()).
void dropBrokenTriangles(Mesh& mesh, RepairLog& repairs);

// Normals where they are missing or belong to another surface, equal vertices joined, triangles
// with two equal corners dropped. Influences are there already. Returns one of the vertices that
// each vertex has become, or kDroppedVertex (weld.h).
std::vector<std::uint32_t> finishMesh(Mesh& mesh, RepairLog& repairs);

// A mesh without triangles is left out with a warning.
void appendMesh(Mesh mesh, Model& model);

} // namespace sinew
