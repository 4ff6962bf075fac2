#include "import/import_model.h"

#include "animation/pose.h"
#include "core/error.h"
#include "import/axes.h"
#include "import/clip_reader.h"
#include "import/fbx/read_fbx.h"
#include "import/gltf/read_gltf.h"
#include "import/import_budget.h"
#include "import/iqm/read_iqm.h"
#include "import/lost_parts.h"
#include "import/material_reader.h"
#include "import/mesh_reader.h"
#include "import/model_folder.h"
#include "import/node_tree.h"
#include "import/numbers.h"
#include "import/raw_mesh.h"
#include "import/scene_file.h"
#include "import/unused_scene.h"
#include "import/x/read_x.h"

#include <fmt/format.h>

namespace sinew {
namespace {

void report(const ImportOptions& options, float fraction, std::string_view what) {
  if (options.progress && !options.progress(fraction, what)) throw Cancelled();
}

// The length that "small" is measured against: the skeleton in its rest pose.
float sizeOf(const Hierarchy& hierarchy) {
  Bounds bounds;
  for (const mat4& m : modelFromNodes(hierarchy, restPose(hierarchy)))
    if (isFinite(m)) bounds.include(vec3(m[3]));
  return bounds.size();
}

// Lights, cameras, points and lines alone are nothing to show.
void checkNotEmpty(const Model& model) {
  if (model.meshes.empty() && model.clips.empty() && model.hierarchy.nodes.size() < 3)
    throw inputError(model.path, "has neither triangles nor a skeleton nor animation",
                     "points, lines, lights and cameras alone cannot be shown");
}

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

Model readByAssimp(const SourceFile& file, const ImportOptions& options) {
  const SceneFile read = readScene(file, options);
  const aiScene& scene = *read.scene;

  Model model;
  model.name = file.path.stem().string();
  model.path = file.path.string();
  model.format = file.format;
  const SourceSpace space = sourceSpace(scene, file.kind);
  model.metersPerUnit = space.metersPerUnit;

  warnOfRefused(read, model);
  model.warnings.insert(model.warnings.end(), read.warnings.begin(), read.warnings.end());

  RepairLog repairs;
  report(options, 0.8f, "textures");
  readMaterials(scene, file.kind, options, model);
  report(options, 0.85f, "meshes");
  NodeTree tree = readNodes(*scene.mRootNode, space.modelFromFile, repairs);
  const MorphsOfNodes morphs = readMeshes(scene, file.kind, tree, repairs, model);
  report(options, 0.95f, "animation");
  model.clips = readClips(scene, file.kind, tree, morphs, 1e-5f * sizeOf(tree.hierarchy), repairs);
  model.hierarchy = std::move(tree.hierarchy);
  if (std::string line = lostParts(file, model); !line.empty())
    model.warnings.push_back(std::move(line));
  if (const std::string line = unusedOfScene(scene, model); !line.empty())
    model.warnings.push_back("not used: " + line);
  model.repairs = repairs.lines();
  return model;
}

} // namespace

Model importModel(const std::filesystem::path& path, const ImportOptions& options) {
  report(options, 0.0f, "reading");
  const SourceFile file = identifyFile(path, options.maxFileBytes);
  if (options.raw) return readRawMesh(file, options);
  const bool own = options.reader == ImportReader::own;
  Model model = own && file.kind == SourceKind::gltf  ? readGltf(file, options)
                : own && file.kind == SourceKind::fbx ? readFbx(file, options)
                : own && file.kind == SourceKind::x   ? readX(file, options)
                : own && file.kind == SourceKind::iqm ? readIqm(file, options)
                                                      : readByAssimp(file, options);
  checkNotEmpty(model);
  checkModelLimits(model, options);
  repairNumbers(model);
  rotateUpright(file.kind, options.up, model);
  dropUnusedMaterials(model);
  report(options, 1.0f, "done");
  return model;
}

} // namespace sinew
