// Runs Assimp on a file: the scene as Assimp sees it, before anything of ours is made of it.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"

#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include <memory>

namespace sinew {

struct SceneFile {
  SourceFile file;
  std::unique_ptr<Assimp::Importer> importer; // owns the scene
  const aiScene* scene = nullptr;             // has a root node; polygons are triangles
};

// Throws inputError with Assimp's own words made readable, Error with ExitCode::limit, Cancelled.
// Assimp's validation step is left out on purpose: it refuses good files (a key one frame after
// the end, a skeleton without a mesh). What it would have found is mended by the readers.
SceneFile readScene(const std::filesystem::path& path, const ImportOptions& options);

} // namespace sinew
