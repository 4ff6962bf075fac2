// glTF 2.0 by its own rules: .gltf, .glb and .vrm become a Model. docs/formats.md says what of the
// format is read.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"
#include "model/gltf_origin.h"

#include <string>

namespace sinew {

// Errors as those of importModel().
Model readGltf(const SourceFile& file, const ImportOptions& options);
// The same, with where its parts stand in the file.
Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin);
// The same of a .glb in memory.
Model readGlb(std::string glb, const ImportOptions& options, GltfOrigin& origin);

} // namespace sinew
