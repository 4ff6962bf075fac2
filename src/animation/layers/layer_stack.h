// Animation layers: a stack in which each layer changes the pose of those below it.
//
//   base pose (a clip, or a held pose)  --layer 1-->  --layer 2-->  ...  pose
//
// A layer makes a whole pose from the one below (layer_kind.h); the stack then blends the two by
// weight, per node, with interpolate(). So weight 0 has no effect and weight 1 the full effect, for
// every kind, and a joint outside the mask keeps its transform bit for bit. Rotations take the
// shortest path, which switches sides where the two poses of a joint are 180 degrees apart.
#pragma once

#include "animation/layers/clip_layer.h"
#include "animation/layers/ik_layers.h"
#include "animation/layers/procedural_layers.h"
#include "animation/layers/spring_bone_layer.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew {

// A joint, with or without its descendants.
struct MaskEntry {
  std::string joint;
  bool branch = true;
  float weight = 1.0f;

  bool operator==(const MaskEntry&) const = default;
};

// Later entries override earlier ones. An empty mask selects every node and the morph targets,
// otherwise only the nodes of its entries: a masked layer leaves the morph weights as they are.
using Mask = std::vector<MaskEntry>;

using LayerKind = std::variant<ClipLayer, WaveLayer, BreathingLayer, AimLayer, FormulaLayer,
                               SpringLayer, SpringBoneLayer, TwoBoneIkLayer, CcdLayer>;

struct Layer {
  std::string name;
  bool on = true;
  float weight = 1.0f;
  Mask mask;
  // Active from `start` for `seconds` (0: without end), fading in and out smoothly.
  float start = 0.0f;
  float seconds = 0.0f;
  float fadeIn = 0.0f;
  float fadeOut = 0.0f;
  LayerKind kind;

  bool operator==(const Layer&) const = default;
};

// The fields common to all kinds, except name and mask.
template <LayerOf<Layer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"on", "off: the layer has no effect"}, layer.on);
  visit(Info{"weight", "0: no effect, 1: full effect", 0, 1}, layer.weight);
  visit(Info{"start", "start time, seconds", 0, 1000}, layer.start);
  visit(Info{"seconds", "duration; 0: without end", 0, 1000}, layer.seconds);
  visit(Info{"fade_in", "seconds of the fade in", 0, 100}, layer.fadeIn);
  visit(Info{"fade_out", "seconds of the fade out, at the end", 0, 100}, layer.fadeOut);
}

struct LayerStack {
  std::vector<Layer> layers; // the first is the lowest
  float seconds = 0.0f;      // playback loops after this time; 0: without end

  bool operator==(const LayerStack&) const = default;
};

// What the layers keep from one moment to the next, for one model and one playback. A new one is
// always valid; in it springs are at rest.
struct LayerState {
  Mask mask; // the mask that `weights` were made for
  std::vector<float> weights;
  bool applied = false; // whether the last evaluation applied the layer
  std::variant<std::monostate, ClipLayer::State, WaveLayer::State, BreathingLayer::State,
               AimLayer::State, FormulaLayer::State, SpringLayer::State, SpringBoneLayer::State,
               TwoBoneIkLayer::State, CcdLayer::State>
      kind;
};

struct LayerStackState {
  std::vector<LayerState> layers;
  Pose made; // by a layer; a member to reuse its memory
};

// A longer step in time is a jump, which resets the states.
inline constexpr double kMaxStep = 0.25;

// Applies layer by layer to `pose`, in: the base pose. time: seconds; dt: seconds since the last
// call, also where `time` loops. Throws usageError for a clip or joint the model does not have
// (findProblem() reports that without throwing).
void evaluate(const Model& model, const LayerStack& stack, LayerStackState& state, double time,
              double dt, Pose& pose);

// Whether a pose depends on earlier poses: springs do.
bool dependsOnHistory(const LayerStack& stack);

// The springs of the model's file as layers (spring_bone_layer.h); none where it has none.
// `warning` receives what is left out, if anything.
LayerStack ownLayers(const Model& model, std::string& warning);

// Copies the history (springs) from one state to another; the rest of `to` stays valid.
void copyHistory(const LayerStackState& from, LayerStackState& to);

// The layer's weight at a moment, with its fades; 0 while it is off.
float weightAt(const Layer& layer, double time);

// Per node; empty for an empty mask. Throws usageError for a joint the model does not have.
std::vector<float> maskWeights(const Hierarchy& hierarchy, const Mask& mask);

std::string_view kindWord(const LayerKind& kind);
std::vector<std::string_view> kindWords();
std::string_view kindHelp(const LayerKind& kind);
LayerKind
parseLayerKind(std::string_view word); // with default values; throws usageError with all kinds

// Visits the fields of the kind that the layer has.
template <class Kind, class Visitor>
void visitKindFields(Kind& kind, Visitor&& visit) {
  std::visit([&](auto& layer) { visitFields(layer, visit); }, kind);
}

// A LayerStack as a file.
//
//   {"sinew": "layers", "seconds": 0, "layers": [
//     {"name": "wave", "kind": "clip", "on": true, "weight": 1, "start": 0, "seconds": 0,
//      "fade_in": 0, "fade_out": 0,
//      "mask": [{"joint": "Spine", "branch": true, "weight": 1}, ...],
//      "clip": "Wave", "speed": 1, ...}]}
//
// An omitted field has its default; "kind" is required. A mask's entry may be just the joint's
// name.
std::string layerStackToJson(const LayerStack& stack);

// Throws inputError with file, layer and key: invalid JSON, an unknown key or kind, a wrong type, a
// value out of range, a clip or joint the model does not have.
LayerStack layerStackFromJson(const Model& model, std::string_view json, std::string_view path);

// Why the layer does not fit the model; empty if it does.
std::string findProblem(const Model& model, const Layer& layer);

} // namespace sinew
