#include "core/error.h"
#include "import/gltf/animations.h"
#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/meshes.h"
#include "import/gltf/nodes.h"
#include "import/gltf/scene_parts.h"
#include "import/gltf/unused_parts.h"
#include "import/gltf/vrm.h"
#include "import/import_steps.h"
#include "import/readers.h"

#include <fmt/format.h>

namespace sinew {
namespace {

// model: what is known before, its path among it.
Model readDocument(GltfDocument& document, const ImportOptions& options, GltfOrigin& origin,
                   Model model) {
  model.metersPerUnit = 1.0f;
  reportImport(options, 0.3f, "textures");
  const GltfMaterials materials = readGltfMaterials(document, model);
  reportImport(options, 0.5f, "meshes");
  RepairLog repairs;
  GltfNodes nodes = readGltfNodes(document, repairs);
  readGltfSceneParts(document, nodes);
  const GltfMorphsOfNodes morphs =
      readGltfMeshes(document, nodes, materials, repairs, model, origin);
  readVrm(document, morphs, nodes, model);
  reportImport(options, 0.9f, "animation");
  readGltfAnimations(document, nodes, morphs, repairs, model, origin);
  for (std::string& line : unusedParts(document, nodes))
    model.warnings.push_back(std::move(line));
  model.hierarchy = nodes.hierarchy;
  origin.nodeByFileNode = nodes.nodeByFileNode;
  model.repairs = repairs.lines();
  return model;
}

} // namespace

Model readGltf(const SourceFile& file, const ImportOptions& options, GltfOrigin& origin) try {
  GltfDocument document(file, options);
  return readDocument(document, options, origin, startModel(file));
} catch (const GltfError& error) {
  throw notUsable(file, error);
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
