#include "import/gltf/read_gltf.h"

#include "core/error.h"
#include "import/gltf/animations.h"
#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/meshes.h"
#include "import/gltf/nodes.h"
#include "import/gltf/scene_parts.h"
#include "import/gltf/unused_parts.h"
#include "import/gltf/vrm.h"

#include <fmt/format.h>

namespace sinew {
namespace {

void showProgress(const ImportOptions& options, float fraction, std::string_view what) {
  if (options.progress && !options.progress(fraction, what)) throw Cancelled();
}

// model: what is known before, its path among it.
Model readDocument(GltfDocument& document, const ImportOptions& options, GltfOrigin& origin,
                   Model model) {
  model.metersPerUnit = 1.0f;
  showProgress(options, 0.3f, "textures");
  const GltfMaterials materials = readGltfMaterials(document, model);
  showProgress(options, 0.5f, "meshes");
  RepairLog repairs;
  GltfNodes nodes = readGltfNodes(document, repairs);
  readGltfSceneParts(document, nodes);
  const GltfMorphsOfNodes morphs =
      readGltfMeshes(document, nodes, materials, repairs, model, origin);
  readVrm(document, morphs, nodes, model);
  showProgress(options, 0.9f, "animation");
  readGltfAnimations(document, nodes, morphs, repairs, model, origin);
  for (std::string& line : unusedParts(document, nodes))
    model.warnings.push_back(std::move(line));
  model.hierarchy = nodes.hierarchy;
  origin.nodeOf = nodes.nodeOf;
  model.repairs = repairs.lines();
  return model;
}

} // namespace

Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin) try {
  Model model;
  model.name = file.path.stem().string();
  model.path = file.path.string();
  model.format = file.format;
  GltfDocument document(file, options);
  return readDocument(document, options, origin, std::move(model));
} catch (const GltfError& error) {
  throw inputError(file.path.string(),
                   fmt::format("not a usable {} file: {}", file.format, error.what()));
}

Model readGlb(std::string glb, const ImportOptions& options, GltfOrigin& origin) try {
  GltfDocument document("model.glb", std::move(glb), options);
  return readDocument(document, options, origin, {});
} catch (const GltfError& error) {
  throw inputError("the model", fmt::format("not a usable glTF file: {}", error.what()));
}

Model readGltf(const SourceFile& file, const ImportOptions& options) {
  GltfOrigin unused;
  return readGltf(file, options, unused);
}

} // namespace sinew
