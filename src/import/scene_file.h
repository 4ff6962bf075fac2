// Runs Assimp on a file: its scene, before it becomes a Model.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sinew {

struct SceneFile {
  SourceFile file;
  std::unique_ptr<Assimp::Importer> importer; // owns the scene
  const aiScene* scene = nullptr;             // has a root node; polygons are triangles
  std::set<std::string> refused;              // files it names that were not opened (ModelFolder)
};

// Throws inputError with Assimp's reason in one readable line, Error with ErrorCause::limit,
// Cancelled. Assimp's validation step is left out on purpose: it refuses good files (a key one
// frame after the end, a skeleton without a mesh). What it would have found is repaired by the
// readers.
SceneFile readScene(const SourceFile& file, const ImportOptions& options);

} // namespace sinew
