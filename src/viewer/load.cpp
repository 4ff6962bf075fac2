#include "viewer/load.h"

#include "app/load_model.h"
#include "core/error.h"

#include <fmt/format.h>

#include <limits>

namespace sinew {
namespace {

Zones zonesOf(Model& model, const std::string& name, const std::string& file) {
  try {
    return readZones(model, name, file);
  } catch (const Error& problem) {
    if (!file.empty()) throw;
    model.warnings.push_back(fmt::format("zones are fitted anew: {}", problem.what()));
    return {};
  }
}

} // namespace

Importer::Load loadForViewer(std::string model, std::string motion, std::string zones,
                             Settings settings) {
  return [model = std::move(model), motion = std::move(motion), zones = std::move(zones),
          settings = std::move(settings)](const ImportProgress& progress) {
    Imported imported;
    LoadOptions options;
    options.motion = motion;
    options.seconds = std::numeric_limits<double>::infinity(); // the user cancels
    options.progress = progress;
    Model read = loadModel(model, options);
    Zones found = zonesOf(read, model, zones);
    imported.bench = makeWorkbench(std::move(read), settings, std::move(found));
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
