#include "app/weights_sidecar.h"

#include "app/load_model.h"
#include "core/file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".weights.json";

std::string besideModel(const std::string& model) {
  if (!demoName(model).empty()) return {};
  for (const fs::path& path :
       {weightsPath(model), fs::path(model).replace_extension().concat(kEnding)}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

} // namespace

fs::path weightsPath(const std::string& model) {
  const std::string demo = demoName(model);
  return (demo.empty() ? model : demo) + kEnding;
}

bool namesWeightsFile(std::string_view word) {
  return word == "none" || word.ends_with(".json");
}

std::string readWeights(Model& model, const std::string& name, const std::string& file) {
  if (file == "none") return {};
  std::string path = file.empty() ? besideModel(name) : file;
  if (path.empty()) return path;
  weightsFromJson(model, readFile(path), path);
  if (file.empty())
    model.warnings.push_back(fmt::format(
        "weights are those of {}, beside the model; --weights none leaves them aside", path));
  return path;
}

} // namespace sinew
