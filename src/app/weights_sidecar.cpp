#include "app/weights_sidecar.h"

#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWeightsEnding = ".weights.json";

} // namespace

fs::path weightsPath(const std::string& model) {
  return sidecarPath(model, kWeightsEnding);
}

void checkWeightsFile(const std::string& word) {
  if (word.empty() || word == "none" || word.ends_with(".json")) return;
  throw usageError(fmt::format("--weights '{}': expected FILE.json or none", word),
                   fmt::format("--show weights:{} colours by a joint's weights", word));
}

std::string readWeights(Model& model, const std::string& name, const std::string& file) {
  if (file == "none") return {};
  std::string path = file.empty() ? findSidecar(name, kWeightsEnding) : file;
  if (path.empty()) return path;
  weightsFromJson(model, readAbout(model, path), path);
  if (file.empty())
    model.warnings.push_back(fmt::format(
        "weights are read from {}, beside the model; --weights none ignores them", path));
  return path;
}

} // namespace sinew
