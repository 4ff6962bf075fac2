// Assimp's "anim meshes" as morph targets.
#pragma once

#include "import/repairs.h"
#include "model/model.h"

#include <assimp/scene.h>

#include <map>
#include <string>
#include <vector>

namespace sinew {

// The morph targets of the meshes at a node, in the order of their anim meshes.
using MorphsOfNodes = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// Fills mesh.morphs, whose positions and normals are there, and appends the targets that the node
// does not have yet: parts of one mesh share them. Ones with another number of vertices are
// left out with a warning.
void readMorphs(const aiMesh& source, std::uint32_t node, Mesh& mesh, RepairLog& repairs,
                MorphsOfNodes& morphs, Model& model);

} // namespace sinew
