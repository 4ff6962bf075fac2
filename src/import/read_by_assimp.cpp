#include "import/read_by_assimp.h"

#include "import/assimp_scene_parts.h"
#include "import/axes.h"
#include "import/clip_reader.h"
#include "import/import_steps.h"
#include "import/lost_parts.h"
#include "import/material_reader.h"
#include "import/mesh_reader.h"
#include "import/model_folder.h"
#include "import/node_tree.h"
#include "import/scene_file.h"
#include "import/unused_scene.h"

#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::size_t kMaxNamed = 8; // refused files that are warned of one by one

void warnOfRefused(const SceneFile& read, Model& model) {
  std::size_t count = 0;
  for (const std::string& name : read.refused) {
    if (++count > kMaxNamed) break;
    model.warnings.push_back(fmt::format("'{}' {}", name, ModelFolder::kRefusal));
  }
  if (read.refused.size() > kMaxNamed)
    model.warnings.push_back(fmt::format("{} more files named by the model were not opened",
                                         read.refused.size() - kMaxNamed));
}

// Assimp's "Quake Mesh / 3D GameStudio Mesh Importer (see site)" without the last words.
std::string formatName(std::string name) {
  name = name.substr(0, name.find(" ("));
  for (const std::string_view word : {" Importer", " Loader", " Reader"})
    if (name.ends_with(word)) name.resize(name.size() - word.size());
  return name;
}

} // namespace

std::string assimpFormat(std::string_view extension) {
  const Assimp::Importer importer;
  const std::size_t index = extension.empty()
                                ? std::size_t(-1)
                                : importer.GetImporterIndex(std::string(extension).c_str());
  return index == std::size_t(-1) ? std::string()
                                  : formatName(importer.GetImporterInfo(index)->mName);
}

Model readByAssimp(const SourceFile& file, const ImportOptions& options) {
  const SceneFile read = readScene(file, options);
  const aiScene& scene = *read.scene;

  Model model = startModel(file);
  warnOfRefused(read, model);

  RepairLog repairs;
  reportImport(options, 0.8f, "textures");
  readMaterials(scene, options, model);
  reportImport(options, 0.85f, "meshes");
  NodeTree tree = readNodes(*scene.mRootNode, modelFromFile(file.kind), repairs);
  readMeshes(scene, tree, repairs, model);
  reportImport(options, 0.95f, "animation");
  model.clips = readClips(scene, file.kind, tree, repairs);
  readSceneParts(scene, tree);
  model.hierarchy = std::move(tree.hierarchy);
  if (std::string line = lostParts(file, model); !line.empty())
    model.warnings.push_back(std::move(line));
  if (const std::string line = unusedOfScene(scene, model); !line.empty())
    model.warnings.push_back("not used: " + line);
  model.repairs = repairs.lines();
  return model;
}

} // namespace sinew
