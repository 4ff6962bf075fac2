// The whole path of the data in one value: model, rig, binding, and for the current moment pose,
// joint transforms and palette. No window and no OpenGL: commands, viewer, benchmark and tests all
// work on this.
#pragma once

#include "animation/sample.h"
#include "app/settings.h"
#include "app/zones_file.h"
#include "core/bounds.h"
#include "model/model.h"
#include "rig/rig.h"
#include "skinning/methods.h"

#include <optional>

namespace sinew {

// What the CPU spent on the last evaluate(), in milliseconds.
struct EvaluateCost {
  double poseMs = 0.0;    // sampling the clip and walking the scene graph
  double paletteMs = 0.0; // packing the palette
};

struct Workbench {
  Model model;
  Rig rig;
  Zones zones;
  const Method* method = nullptr;
  Binding binding;

  std::optional<std::uint32_t> clip; // none: the held pose
  SampleCursor cursor;
  Pose pose;
  std::vector<mat4> modelFromNode; // F of every node
  Palette palette;
  EvaluateCost cost;
  bool reportedNonFinite = false;
};

// Builds the rig, binds the method of the settings, and evaluates at their clip and time. The clip
// "" is the first one, "none" the rest pose, "bind" the pose the mesh was modelled in. Throws
// usageError for unknown names.
Workbench makeWorkbench(Model model, const Settings& settings, Zones zones = {});

// What the settings and the bench's zones ask of a method.
BindOptions bindOptionsOf(const Workbench& bench, const Settings& settings, const Method& method);

// After the method, its parameters, the zones or the number of influences have changed.
void rebind(Workbench& bench, const Settings& settings);

// Chooses a clip by the settings' word for it; without one the rest pose is held.
void chooseClip(Workbench& bench, const Settings& settings);

// Samples the clip at `seconds` (a held pose stays), then updates F and palette. Non-finite
// transforms are replaced by the rest value, with one warning in model.warnings.
void evaluate(Workbench& bench, float seconds, Wrap wrap);

// Drops the clip and holds this pose.
void holdPose(Workbench& bench, Pose pose);

// Box of the posed mesh and joints, model space; never empty (a model with nothing gets a unit
// box).
Bounds posedBounds(const Workbench& bench);

// Per vertex of the rig the weight of the joint at `node`, summed over skins: the heat map.
std::vector<float> jointWeights(const Rig& rig, std::uint32_t node);

// The node of a joint named on the command line. Throws usageError that lists near names.
std::uint32_t findJoint(const Model& model, std::string_view name);

} // namespace sinew
