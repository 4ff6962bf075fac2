// The file of zones that belongs to a model: --zones, or the one beside it.
#pragma once

#include "rig/zone_table.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct Zones {
  ZoneTable table;
  std::string path; // the file they were read from; empty: none
};

// Those of the file that the word of --zones means (sidecar.h). None: an empty table. `joints`
// change single joints after that (readZoneText()). Throws inputError; usageError for `joints`.
Zones readZones(const Model& model, const std::string& name, const std::string& word,
                std::span<const std::string> joints = {});

// zonesFromJson(), and methods have to be known (checkZoneMethods()).
ZoneTable readZoneTable(const Model& model, std::string_view json, std::string_view path);

// "Arm, Leg by bones-blending; Hand by dqs": the methods stated for joints; "no joint has a method
// of its own" without any.
std::string zoneMethodsText(const ZoneTable& table);

// Throws usageError for a joint's method that there is not, or that is itself one of joints.
void checkZoneMethods(const ZoneTable& table);

} // namespace sinew
