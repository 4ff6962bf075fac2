#include "import/raw_mesh.h"

#include "core/error.h"
#include "import/assimp_types.h"
#include "import/import_steps.h"
#include "import/scene_file.h"

#include <fmt/format.h>

namespace sinew {

Model readRawMesh(const SourceFile& file, const ImportOptions& options) {
  const SceneFile read = readScene(file, options);
  if (read.scene->mNumMeshes != 1)
    throw inputError(file.path.string(),
                     fmt::format("holds {} meshes, not one", read.scene->mNumMeshes));
  const aiMesh& source = *read.scene->mMeshes[0];
  Model model = startModel(file);
  model.hierarchy.nodes = {{"root", kNoNode, {}}};
  model.materials.emplace_back();
  Mesh& mesh = model.meshes.emplace_back();
  for (unsigned v = 0; v < source.mNumVertices; ++v) {
    mesh.positions.push_back(toVec3(source.mVertices[v]));
    if (!isFinite(mesh.positions.back()))
      throw inputError(file.path.string(), fmt::format("vertex {} is not finite", v));
  }
  for (unsigned f = 0; f < source.mNumFaces; ++f) {
    const aiFace& face = source.mFaces[f];
    if (face.mNumIndices != 3) continue; // points and lines
    const Triangle triangle{face.mIndices[0], face.mIndices[1], face.mIndices[2]};
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.positions.size())
        throw inputError(file.path.string(), fmt::format("a face has no vertex {}", corner));
    mesh.triangles.push_back(triangle);
  }
  mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  return model;
}

} // namespace sinew
