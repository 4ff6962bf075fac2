#include "import/import_model.h"

#include "core/error.h"
#include "import/formats.h"
#include "import/import_budget.h"
#include "import/material_rules.h"
#include "import/model_finish.h"
#include "import/readers.h"

#include <fmt/format.h>

namespace sinew {
namespace {

// Lights, cameras, points and lines alone are nothing to show.
void checkNotEmpty(const Model& model) {
  if (model.meshes.empty() && model.clips.empty() && model.hierarchy.nodes.size() < 3)
    throw inputError(model.path, "has neither triangles nor a skeleton nor animation",
                     "points, lines, lights and cameras alone cannot be shown");
}

// A file can give reason to any number of warnings, and nobody reads thousands of them.
void boundWarnings(Model& model) {
  constexpr std::size_t kMaxWarnings = 64;
  if (model.warnings.size() <= kMaxWarnings) return;
  const std::size_t more = model.warnings.size() - kMaxWarnings;
  model.warnings.resize(kMaxWarnings);
  model.warnings.push_back(fmt::format("{} more warnings of this kind", more));
}

} // namespace

void reportImport(const ImportOptions& options, float fraction, std::string_view what) {
  if (options.progress && !options.progress(fraction, what)) throw Cancelled();
}

Model startModel(const SourceFile& file) {
  Model model;
  model.name = file.path.stem().string();
  model.path = file.path.string();
  model.format = file.format;
  return model;
}

Error notUsable(const SourceFile& file, const std::exception& reason) {
  return inputError(file.path.string(),
                    fmt::format("not a usable {} file: {}", file.format, reason.what()));
}

Model importModel(const std::filesystem::path& path, const ImportOptions& options) {
  reportImport(options, 0.0f, "reading");
  const SourceFile file = identifyFile(path, options.maxFileBytes);
  if (options.raw) return readRawMesh(file, options);
  const Format* format = findFormat(file.extension);
  const bool own = format != nullptr && format->read != nullptr;
  Model model = own ? format->read(file, options) : readByAssimp(file, options);
  checkNotEmpty(model);
  checkModelLimits(model, options);
  repairNumbers(model);
  rotateUpright(file.kind, options.up, model);
  dropUnusedMaterials(model);
  makeNamesPrintable(model);
  boundWarnings(model);
  reportImport(options, 1.0f, "done");
  return model;
}

} // namespace sinew
