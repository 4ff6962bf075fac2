// Files about a model that stand beside it and are read by themselves: hero.glb.zones.json,
// hero.glb.weights.json. Each kind is a constant here and one row of the table in open_sources.cpp.
#pragma once

#include "animation/drivers/driver_set.h"
#include "app/model_sources.h"
#include "app/velocity_map.h"
#include "model/model.h"
#include "rig/zone_table.h"
#include "skinning/method.h"
#include "weights/spline_set.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

struct Sidecar {
  std::string ModelSources::*file; // the word of the option
  const char* option;              // a .json file; "none": not even the one beside the model
  const char* ending;
  const char* holds;   // for the option's help
  const char* without; // the effect on the model where the file beside it is not usable
};

inline constexpr Sidecar kWeightsSidecar{&ModelSources::weights, "--weights", ".weights.json",
                                         "weights", "weights file ignored"};
inline constexpr Sidecar kSplinesSidecar{&ModelSources::splines, "--splines", ".splines.json",
                                         "free splines", "the model has its own splines"};
inline constexpr Sidecar kDriversSidecar{&ModelSources::drivers, "--drivers", ".drivers.json",
                                         "pose drivers and corrective shapes",
                                         "there are no pose drivers"};
inline constexpr Sidecar kZonesSidecar{&ModelSources::zones, "--zones", ".zones.json",
                                       "zones of joints", "bend ranges are fitted again"};
inline constexpr Sidecar kVelocitySidecar{&ModelSources::velocity, "--velocity", ".velocity.json",
                                          "velocity skinning's joints and painted map",
                                          "all skin moves alike by velocity skinning"};

// The model's name with the ending added. For demo:NAME, NAME in the current folder, which is
// written but never read by itself.
std::filesystem::path sidecarPath(const std::string& model, const Sidecar& kind);

// Throws usageError where the word is neither empty nor "none" nor a .json file.
void checkSidecar(const Sidecar& kind, const std::string& word);

// The bytes that a file about a model may have: 4 MB, 1 kB for each vertex, 16 kB for each node and
// 1 kB for each morph target and clip. Such files load by themselves, and what reads them takes
// twenty times their length in memory.
std::uint64_t sidecarLimit(const Model& model);

// The text of a file about the model. Throws as readFile() does.
std::string readAbout(const Model& model, const std::filesystem::path& path);

// Splines that a model got after it was read.
struct LaidSplines {
  std::shared_ptr<const SplineSet> set; // null: none
  std::shared_ptr<const Model> bare;    // the model without them; null with the set
  std::string path;                     // the file they were read from; empty: none
};

// Pose drivers and corrective shapes that a model got after it was read.
struct ModelDrivers {
  DriverSet set;
  std::string path; // the file they were read from; empty: none
};

// Each takes the word of its option. A file beside the model that was read becomes a warning of the
// model. They throw inputError.
std::string readWeights(Model& model, const std::string& name, const std::string& word); // the file
LaidSplines readSplines(Model& model, const std::string& name, const std::string& word);
ModelDrivers readDrivers(Model& model, const std::string& name, const std::string& word);
VelocityMap readVelocityMap(Model& model, const std::string& name, const std::string& word);

// A line that says that the model has free splines but none of these methods uses them; else empty.
std::string splinesIgnored(const Model& model, std::span<const Method* const> methods);

struct Zones {
  ZoneTable table;
  std::string path; // the file they were read from; empty: none
};

// The zones of the file that the word of --zones means. None: an empty table. `joints` change
// single joints after that (readZoneText()). Throws inputError; usageError for `joints`.
Zones readZones(const Model& model, const std::string& name, const std::string& word,
                std::span<const std::string> joints = {});

// As zonesFromJson(), but the methods have to exist (checkZoneMethods()).
ZoneTable readZoneTable(const Model& model, std::string_view json, std::string_view path);

// "Arm, Leg by bones-blending; Hand by dqs": the methods stated for joints; "no joint has a method
// of its own" without any.
std::string zoneMethodsText(const ZoneTable& table);

// Throws usageError for a joint's method that does not exist, or that is itself per joint.
void checkZoneMethods(const ZoneTable& table);

} // namespace sinew
