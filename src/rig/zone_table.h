// User-defined zones of single joints, by name, and their file.
//
//   {"sinew": "zones", "joints": {NAME: {"min": -0.1, "max": 0.2, "source": "zone"}}}
//
// min and max are signed distances from the joint's center along its bone, in the model's unit;
// source is "weights" or "zone". An omitted end is fitted to the artist's weights (zones.h), an
// omitted source is that of the method's parameter.
#pragma once

#include "rig/zones.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct JointZone {
  std::optional<float> min; // below 0
  std::optional<float> max; // above 0
  std::optional<ParameterSource> source;

  bool empty() const { return !min && !max && !source; }
  bool operator==(const JointZone&) const = default;
};

// By the name of the joint's node.
using ZoneTable = std::map<std::string, JointZone>;

// For methods (BindOptions): zones and sources of every joint of the rig. Empty if the table has
// none; then the method fits the zones.
struct RigZones {
  std::vector<Zone> zones;
  std::vector<std::optional<ParameterSource>> sources;
};
RigZones rigZones(const ZoneTable& table, const Hierarchy& hierarchy, const Rig& rig);

std::string_view wordOf(ParameterSource source);

std::string zonesToJson(const ZoneTable& table);

// Throws inputError with file, joint and key: invalid JSON, an unknown key, a joint the model does
// not have, a wrong type, min not below or max not above 0.
ZoneTable zonesFromJson(const Model& model, std::string_view json, std::string_view path);

} // namespace sinew
