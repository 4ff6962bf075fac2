#include "import/import_model.h"

#include "animation/pose.h"
#include "core/error.h"
#include "import/axes.h"
#include "import/clip_reader.h"
#include "import/material_reader.h"
#include "import/mesh_reader.h"
#include "import/node_tree.h"
#include "import/scene_file.h"

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

} // namespace

Model importModel(const std::filesystem::path& path, const ImportOptions& options) {
  report(options, 0.0f, "reading");
  const SceneFile read = readScene(path, options);
  const aiScene& scene = *read.scene;

  Model model;
  model.name = path.stem().string();
  model.path = path.string();
  model.format = read.file.format;
  const SourceSpace space = sourceSpace(scene, read.file.kind);
  model.metersPerUnit = space.metersPerUnit;

  RepairLog repairs;
  report(options, 0.8f, "textures");
  readMaterials(scene, read.file.kind, options, model);
  report(options, 0.85f, "meshes");
  NodeTree tree = readNodes(*scene.mRootNode, space.modelFromFile, repairs);
  readMeshes(scene, read.file.kind, tree, repairs, model);
  report(options, 0.95f, "animation");
  model.clips = readClips(scene, read.file.kind, tree, 1e-5f * sizeOf(tree.hierarchy), repairs);
  model.hierarchy = std::move(tree.hierarchy);
  checkNotEmpty(model);
  model.repairs = repairs.lines();
  dropUnusedMaterials(model);
  report(options, 1.0f, "done");
  return model;
}

} // namespace sinew
