// The file of zones that belongs to a model: --zones, or the one beside it.
#pragma once

#include "rig/zone_table.h"

#include <filesystem>
#include <string>

namespace sinew {

struct Zones {
  ZoneTable table;
  std::string path; // the file they were read from; empty: none
};

// Where a model's zones stand: MODEL.zones.json beside it (hero.glb.zones.json). For demo:NAME,
// NAME.zones.json in the current folder, which is written but never read by itself.
std::filesystem::path zonesPath(const std::string& model);

// Those of `file` or, with an empty one, of the file beside the model: the one above, or
// with the model's extension left out (hero.zones.json). None: an empty table. Throws
// inputError.
Zones readZones(const Model& model, const std::string& name, const std::string& file);

} // namespace sinew
