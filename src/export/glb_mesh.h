// Meshes with their influences as glTF has them.
#pragma once

#include "export/glb_buffer.h"
#include "model/model.h"

namespace sinew {

// A glTF mesh of one primitive, its targets in the order of Mesh::morphs. material: of the file;
// its texture requires coordinates.
tinygltf::Mesh glbMesh(const Model& model, const Mesh& mesh, GlbBuffer& buffer);

} // namespace sinew
