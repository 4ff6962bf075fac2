// The readers of whole files, by each format's own rules, and what they share. docs/formats.md says
// what of a format is read. Errors are those of importModel().
#pragma once

#include "core/error.h"
#include "import/import_model.h"
#include "import/source_kind.h"
#include "model/gltf_origin.h"

#include <exception>
#include <string>
#include <string_view>

namespace sinew {

// glTF 2.0: .gltf, .glb and .vrm.
Model readGltf(const SourceFile& file, const ImportOptions& options);
// The same, with where its parts stand in the file.
Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin);
// The same for a .glb in memory.
Model readGlb(std::string glb, const ImportOptions& options, GltfOrigin& origin);

// FBX 6 and 7, binary and ASCII.
Model readFbx(const SourceFile& file, const ImportOptions& options);

// DirectX .x files: text, binary and compressed.
Model readX(const SourceFile& file, const ImportOptions& options);

// Inter-Quake Models, version 2.
Model readIqm(const SourceFile& file, const ImportOptions& options);

// Collada 1.4 and 1.5.
Model readCollada(const SourceFile& file, const ImportOptions& options);

// All other formats, by Assimp. view.wasm has others in the place of these three
// (src/wasm/no_more_requests.cpp).
Model readByAssimp(const SourceFile& file, const ImportOptions& options);
// The name of the format of files with that extension (without a dot); empty where none reads it.
std::string assimpFormat(std::string_view extension);
// A mesh as its file has it: every vertex, in the file's order, none joined and none left out. One
// mesh of positions, triangles and the triangles' normals, on a root node, whatever else the file
// holds. inputError for a file of several meshes or of positions that are not finite.
Model readRawMesh(const SourceFile& file, const ImportOptions& options);

// What readers begin, report and end with.

// A model with its name, path and format.
Model startModel(const SourceFile& file);
// Throws Cancelled where the options' callback returns false.
void reportImport(const ImportOptions& options, float fraction, std::string_view what);
// The error of a file that its reader cannot make sense of.
Error notUsable(const SourceFile& file, const std::exception& reason);

} // namespace sinew
