// A movement: a stack of layers, each of which changes the pose that those before it have made.
//
//   base pose (a clip, or a pose held)  --layer 1-->  --layer 2-->  ...  pose
//
// A layer makes a whole pose of the one below (layer_kind.h); the stack then goes from the one to
// the other by weight: per node, as interpolate() does. So weight 0 is nothing, weight 1 all of it,
// for every kind alike, and a joint the mask leaves out keeps its transform bit for bit. Rotations
// take the shortest way: where the two poses of a joint pass half a turn from one another, that way
// changes sides.
#pragma once

#include "animation/clip_layer.h"
#include "animation/ik_layers.h"
#include "animation/rule_layers.h"

#include <string>
#include <variant>
#include <vector>

namespace sinew {

// A joint, with all below it or alone.
struct MaskEntry {
  std::string joint;
  bool branch = true;
  float weight = 1.0f;

  bool operator==(const MaskEntry&) const = default;
};

// Later entries have the last word. Without any the layer is for every node; otherwise for those
// that entries name.
using Mask = std::vector<MaskEntry>;

using LayerKind = std::variant<ClipLayer, WaveLayer, BreathingLayer, LookAtLayer, FormulaLayer,
                               SpringLayer, TwoBoneLayer, ReachLayer>;

struct Layer {
  std::string name;
  bool on = true;
  float weight = 1.0f;
  Mask mask;
  // When it works: from `start` on, for `seconds` (0: for ever), coming in and going out smoothly.
  float start = 0.0f;
  float seconds = 0.0f;
  float fadeIn = 0.0f;
  float fadeOut = 0.0f;
  LayerKind kind;

  bool operator==(const Layer&) const = default;
};

// What all kinds have in common; name and mask aside.
template <LayerOf<Layer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"on", "off: as if it were not there"}, layer.on);
  visit(Info{"weight", "0: nothing, 1: all of it", 0, 1}, layer.weight);
  visit(Info{"start", "seconds from which on it works", 0, 1000}, layer.start);
  visit(Info{"seconds", "how long it works; 0: for ever", 0, 1000}, layer.seconds);
  visit(Info{"fade_in", "seconds it takes to come in", 0, 100}, layer.fadeIn);
  visit(Info{"fade_out", "seconds it takes to go out, at its end", 0, 100}, layer.fadeOut);
}

struct Movement {
  std::vector<Layer> layers; // the first is the lowest
  float seconds = 0.0f;      // what plays it starts anew after this; 0: it goes on for ever

  bool operator==(const Movement&) const = default;
};

// What the layers remember from one moment to the next: of one model, for one place in time. A
// fresh one is always right; springs come to rest in it.
struct LayerState {
  Mask mask; // that `weights` is for
  std::vector<float> weights;
  bool applied = false; // at the last evaluation
  std::variant<std::monostate, ClipLayer::State, WaveLayer::State, BreathingLayer::State,
               LookAtLayer::State, FormulaLayer::State, SpringLayer::State, TwoBoneLayer::State,
               ReachLayer::State>
      kind;
};

struct MovementState {
  std::vector<LayerState> layers;
  Pose made; // by a layer; kept for its memory
};

// A longer step in time is a jump: the states start afresh.
inline constexpr double kLongestStep = 0.25;

// Layer by layer onto `pose`, which holds the base pose. time: seconds, dt: those since the last
// call, also where `time` starts anew. Throws usageError for a clip or joint the model does not
// have (checkMovement says so before).
void evaluate(const Model& model, const Movement& movement, MovementState& state, double time,
              double dt, Pose& pose);

// Whether a pose depends on what was before its moment: springs.
bool remembers(const Movement& movement);

// What layers remember, from one state to another; the rest of `to` stays, for it is always right.
void copyMemory(const MovementState& from, MovementState& to);

// The layer's share at a moment: its weight, coming in and going out; 0 while it is off.
float weightAt(const Layer& layer, double time);

// Per node; empty for an empty mask. Throws usageError for a joint the model does not have.
std::vector<float> maskWeights(const Hierarchy& hierarchy, const Mask& mask);

std::string_view kindWord(const LayerKind& kind);
std::vector<std::string_view> kindWords();
LayerKind kindOf(std::string_view word); // with its defaults; throws usageError that lists them

// The fields of whichever kind it is.
template <class Kind, class Visitor>
void visitFieldsOf(Kind& kind, Visitor&& visit) {
  std::visit([&](auto& layer) { visitFields(layer, visit); }, kind);
}

} // namespace sinew
