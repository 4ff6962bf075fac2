#include "import/fbx/clips.h"
#include "import/fbx/meshes.h"
#include "import/fbx/scene_parts.h"
#include "import/fbx/unused_parts.h"
#include "import/import_steps.h"
#include "import/readers.h"

#include <cmath>

namespace sinew {
namespace {

// FBX counts in centimetres.
std::optional<float> metersPerUnit(const FbxDocument& document) {
  const double centimetres = document.settings().real("UnitScaleFactor", 0.0);
  if (!(centimetres > 0.0) || !std::isfinite(centimetres)) return std::nullopt;
  return static_cast<float>(0.01 * centimetres);
}

} // namespace

Model readFbx(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  const FbxDocument document(file, options);
  model.metersPerUnit = metersPerUnit(document);
  reportImport(options, 0.3f, "animation");
  const FbxAnimation animation = readFbxAnimation(document);
  std::vector<FbxMotion> motions;
  for (const FbxStack& stack : animation.stacks)
    motions.emplace_back(animation, stack);
  RepairLog repairs;
  FbxNodes nodes = readFbxNodes(document, motions, repairs);
  readFbxSceneParts(document, nodes);
  reportImport(options, 0.5f, "meshes");
  FbxMaterials materials(document, model);
  const std::vector<FbxMorph> morphs = readFbxMeshes(document, nodes, materials, repairs, model);
  if (model.materials.empty()) materials.fallback();
  reportImport(options, 0.8f, "animation");
  readFbxClips(animation, motions, nodes, morphs, repairs, model);
  for (std::string& line : unusedParts(document, nodes, materials))
    model.warnings.push_back(std::move(line));
  model.hierarchy = nodes.hierarchy;
  model.repairs = repairs.lines();
  return model;
} catch (const FbxError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
