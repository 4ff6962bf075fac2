#include "app/drivers_sidecar.h"

#include "app/sidecar.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr const char* kDriversEnding = ".drivers.json";

} // namespace

std::filesystem::path driversPath(const std::string& model) {
  return sidecarPath(model, kDriversEnding);
}

void checkDriversFile(const std::string& word) {
  if (word.empty() || word == "none" || word.ends_with(".json")) return;
  throw usageError(fmt::format("--drivers '{}': expected FILE.json or none", word));
}

ModelDrivers readDrivers(Model& model, const std::string& name, const std::string& file) {
  if (file == "none") return {};
  std::string path = file.empty() ? findSidecar(name, kDriversEnding) : file;
  if (path.empty()) return {};
  ModelDrivers drivers{driverSetFromJson(model, readAbout(model, path), path), path};
  if (file.empty())
    model.warnings.push_back(fmt::format(
        "pose drivers are read from {}, beside the model; --drivers none ignores them", path));
  return drivers;
}

} // namespace sinew
