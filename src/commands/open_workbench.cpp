#include "commands/open_workbench.h"

#include "app/bind_options.h"
#include "app/open_sources.h"
#include "app/sidecar.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {
namespace {

// Whether the options hold together, before a file is read.
void checkOptions(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkSettings(settings);
  checkSources(options);
  if (methods == Methods::one) onlyMethod(settings);
  if (methods != Methods::ownList) checkParametersUsed(settings, settings.methods);
}

void printNotes(const Workbench& workbench, const ModelOptions& options, Methods methods) {
  for (const std::string& line : workbench.model.repairs)
    fmt::print(stderr, "repaired: {}\n", line);
  for (const std::string& line : workbench.model.warnings)
    fmt::print(stderr, "warning: {}\n", line);
  if (methods != Methods::ownList && !workbench.splines.path.empty()) {
    std::vector<const Method*> chosen;
    for (const BoundMethod& bound : workbench.bound)
      chosen.push_back(bound.method);
    if (const std::string line = splinesIgnored(workbench.model, chosen); !line.empty())
      fmt::print(stderr, "note: {}\n", line);
  }
  if (options.zones.empty() && !workbench.zones.path.empty())
    fmt::print(stderr, "zones: {} joint{} from {}\n", workbench.zones.table.size(),
               workbench.zones.table.size() == 1 ? "" : "s", workbench.zones.path);
  if (const std::size_t count = insertedVertexCount(workbench.model); count > 0)
    fmt::print(stderr, "subdivided: {} vertices, {} of them new\n", vertexCount(workbench.model),
               count);
}

} // namespace

Workbench openWorkbench(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkOptions(options, settings, methods);
  ModelSources sources = options;
  sources.motionMap = openMotionMap(options.motionMapFile, options.motion);
  OpenOptions open{.seconds = options.timeLimit, .textures = options.textures};
  if (options.whileReading)
    open.progress = [&options](float, std::string_view) {
      options.whileReading();
      return true;
    };
  Workbench workbench = openSources(sources, settings, open);
  holdSources(workbench, sources, settings);
  if (!options.quiet) printNotes(workbench, options, methods);
  return workbench;
}

} // namespace sinew
