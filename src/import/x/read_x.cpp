#include "import/import_steps.h"
#include "import/readers.h"
#include "import/x/clips.h"
#include "import/x/meshes.h"
#include "import/x/unused_parts.h"

namespace sinew {

Model readX(const SourceFile& file, const ImportOptions& options) try {
  Model model = startModel(file);
  const XDocument document(file, options);
  reportImport(options, 0.4f, "meshes");
  RepairLog repairs;
  UnusedCounts unused;
  XFrames frames = readXFrames(document, repairs);
  XMaterials materials(document, model);
  readXMeshes(document, frames, materials, repairs, unused, model);
  if (model.materials.empty()) materials.fallback();
  reportImport(options, 0.8f, "animation");
  readXClips(document, frames, repairs, unused, model);
  for (std::string& line : unusedParts(document, std::move(unused)))
    model.warnings.push_back(std::move(line));
  model.hierarchy = std::move(frames.hierarchy);
  model.repairs = repairs.lines();
  return model;
} catch (const XError& error) {
  throw notUsable(file, error);
}

} // namespace sinew
