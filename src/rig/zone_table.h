// User-defined zones of single joints, by name, and their file.
//
//   {"sinew": "zones", "joints": {NAME: {"min": -0.1, "max": 0.2, "source": "zone",
//                                        "curve": "smooth", "method": "bones-blending",
//                                        "twist": "bone"}}}
//
// min and max are signed distances from the joint's center along its bone, in the model's unit;
// source is "weights" or "zone"; curve is "linear", "smooth" or points [[fraction, factor], ...]
// (blend_curve.h); method is that of the joint where the method is per-joint; twist is "zone",
// "bone" or [min, max], where the joint's twist blends in (TwistRange). An omitted end is fitted to
// the artist's weights (zones.h), an omitted source or twist is that of the method's parameter, an
// omitted curve linear, an omitted method that of the parameter `elsewhere`.
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
  std::optional<BlendCurve> curve = {};
  std::string method = {}; // by name; empty: not stated. Which there are, this does not know
  std::optional<TwistRange> twist = {};

  bool empty() const { return *this == JointZone{}; }
  bool operator==(const JointZone&) const = default;
};

// By the name of the joint's node.
using ZoneTable = std::map<std::string, JointZone>;

// For methods (BindOptions): zones, sources, methods and twist ranges of every joint of the rig.
// Empty if the table has none; then the method fits the zones.
struct RigZones {
  std::vector<Zone> zones;
  std::vector<std::optional<ParameterSource>> sources;
  std::vector<std::string> methods; // empty: not stated
  std::vector<std::optional<TwistRange>> twists;
};
RigZones rigZones(const ZoneTable& table, const Hierarchy& hierarchy, const Rig& rig);

std::string_view toString(ParameterSource source);

// "zone", "bone", or the ends, "-0.25/0".
std::string toString(const TwistRange& twist);

// "linear", "smooth", or the points of a drawn one, "0.3/0.1+0.7/0.9".
std::string toString(const BlendCurve& curve);

std::string zonesToJson(const ZoneTable& table);

// Throws inputError with file, joint and key: invalid JSON, an unknown key, a joint the model does
// not have, a wrong type, min not below or max not above 0.
ZoneTable zonesFromJson(const Model& model, std::string_view json, std::string_view path);

// "NAME:KEY=VALUE:KEY=VALUE", as on the command line: changes these keys of a joint's entry. Throws
// usageError that says what is wrong with the text.
void readZoneText(const Model& model, std::string_view text, ZoneTable& table);

} // namespace sinew
