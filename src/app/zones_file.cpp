#include "app/zones_file.h"

#include "app/load_model.h"
#include "core/file.h"

#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".zones.json";

std::string besideModel(const std::string& model) {
  if (!demoName(model).empty()) return {};
  for (const fs::path& path :
       {zonesPath(model), fs::path(model).replace_extension().concat(kEnding)}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

} // namespace

fs::path zonesPath(const std::string& model) {
  const std::string demo = demoName(model);
  return (demo.empty() ? model : demo) + kEnding;
}

Zones readZones(const Model& model, const std::string& name, const std::string& file) {
  Zones zones;
  zones.path = file.empty() ? besideModel(name) : file;
  if (!zones.path.empty()) zones.table = zonesFromJson(model, readFile(zones.path), zones.path);
  return zones;
}

} // namespace sinew
