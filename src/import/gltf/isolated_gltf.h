// A glTF file as a Model with where its parts stand in the file, read in a separate process: what
// writing a changed model back into its file needs.
#pragma once

#include "import/isolated_import.h"
#include "model/gltf_origin.h"

#include <string>

namespace sinew {

struct GltfModel {
  Model model; // as importModel() reads it, without images
  GltfOrigin origin;
};

// Errors as those of importIsolated(); inputError for a file that is not glTF.
GltfModel importGltfIsolated(const std::filesystem::path& path);
// The same for a .glb in memory.
GltfModel importGlbIsolated(const std::string& glb);

} // namespace sinew
