#include "app/zones_file.h"

#include "app/sidecar.h"
#include "core/file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kZonesEnding = ".zones.json";

} // namespace

fs::path zonesPath(const std::string& model) {
  return sidecarPath(model, kZonesEnding);
}

Zones readZones(const Model& model, const std::string& name, const std::string& file) {
  Zones zones;
  zones.path = file.empty() ? findSidecar(name, kZonesEnding) : file;
  if (!zones.path.empty()) zones.table = zonesFromJson(model, readFile(zones.path), zones.path);
  return zones;
}

} // namespace sinew
