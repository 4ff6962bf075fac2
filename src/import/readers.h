// The readers of whole files, by each format's own rules. docs/formats.md says what of a format is
// read. Errors are those of importModel().
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"
#include "model/gltf_origin.h"

#include <string>

namespace sinew {

// glTF 2.0: .gltf, .glb and .vrm.
Model readGltf(const SourceFile& file, const ImportOptions& options);
// The same, with where its parts stand in the file.
Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin);
// The same of a .glb in memory.
Model readGlb(std::string glb, const ImportOptions& options, GltfOrigin& origin);

// FBX 6 and 7, binary and ASCII.
Model readFbx(const SourceFile& file, const ImportOptions& options);

// DirectX .x files: text, binary and compressed.
Model readX(const SourceFile& file, const ImportOptions& options);

// Inter-Quake Models, version 2.
Model readIqm(const SourceFile& file, const ImportOptions& options);

// Collada 1.4 and 1.5.
Model readCollada(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
