#include "viewer/load.h"

#include "app/load_model.h"

namespace sinew {

Importer::Load loadForViewer(std::string model, std::string motion, Settings settings) {
  return [model = std::move(model), motion = std::move(motion),
          settings = std::move(settings)](const ImportProgress& progress) {
    Imported imported;
    imported.bench = makeWorkbench(readModel(model, motion, progress), settings);
    if (!settings.weightsOf.empty()) findJoint(imported.bench.model, settings.weightsOf);
    imported.bounds = posedBounds(imported.bench);
    return imported;
  };
}

MessageParts partsOf(const std::string& message) {
  MessageParts parts;
  std::size_t start = 0;
  // A path may hold a colon; the separator has a blank after it.
  if (const std::size_t colon = message.find(": "); colon != std::string::npos) {
    parts.file = message.substr(0, colon);
    start = colon + 2;
  }
  const std::size_t semicolon = message.find("; ", start);
  parts.what =
      message.substr(start, semicolon == std::string::npos ? semicolon : semicolon - start);
  if (semicolon != std::string::npos) parts.remedy = message.substr(semicolon + 2);
  return parts;
}

} // namespace sinew
