#include "import/x/read_x.h"

#include "core/error.h"
#include "import/x/clips.h"
#include "import/x/meshes.h"
#include "import/x/unused_parts.h"

#include <fmt/format.h>

namespace sinew {
namespace {

void tell(const ImportOptions& options, float fraction, std::string_view what) {
  if (options.progress && !options.progress(fraction, what)) throw Cancelled();
}

} // namespace

Model readX(const SourceFile& file, const ImportOptions& options) try {
  Model model;
  model.name = file.path.stem().string();
  model.path = file.path.string();
  model.format = file.format;
  const XDocument document(file, options);
  tell(options, 0.4f, "meshes");
  RepairLog repairs;
  UnusedCounts unused;
  XFrames frames = readXFrames(document, repairs);
  XMaterials materials(document, model);
  readXMeshes(document, frames, materials, repairs, unused, model);
  if (model.materials.empty()) materials.fallback();
  tell(options, 0.8f, "animation");
  readXClips(document, frames, repairs, unused, model);
  for (std::string& line : unusedParts(document, std::move(unused)))
    model.warnings.push_back(std::move(line));
  model.hierarchy = std::move(frames.hierarchy);
  model.repairs = repairs.lines();
  return model;
} catch (const XError& error) {
  throw inputError(file.path.string(),
                   fmt::format("not a usable {} file: {}", file.format, error.what()));
}

} // namespace sinew
