// Movements by rule (procedural.h, expression.h) as layers. Angles are degrees here, as people
// write them; joints are named, and a chain is told by its first and last joint.
#pragma once

#include "animation/expression.h"
#include "animation/layer_kind.h"
#include "animation/procedural.h"

#include <array>
#include <optional>
#include <string>

namespace sinew {

// A sine wave that runs down a chain.
struct WaveLayer {
  static constexpr std::string_view kKind = "wave";
  struct State;

  std::string from, to; // first and last joint of the chain
  vec3 axis{0.0f, 0.0f, 1.0f};
  float angle = 12.0f;
  float frequency = 1.0f;
  float phase = 35.0f;
  float growth = 0.0f;

  bool operator==(const WaveLayer&) const = default;
};
struct WaveLayer::State {
  std::optional<WaveLayer> made;
  SineWave wave;
};

struct BreathingLayer {
  static constexpr std::string_view kKind = "breathing";
  struct State;

  std::string chest;
  float perMinute = 15.0f;
  float depth = 0.03f;
  float lift = 1.5f;
  vec3 axis{1.0f, 0.0f, 0.0f};

  bool operator==(const BreathingLayer&) const = default;
};
struct BreathingLayer::State {
  std::optional<BreathingLayer> made;
  Breathing breathing;
};

// A point in model space that may move: each coordinate plus a formula of the layer's time.
struct MovingPoint {
  vec3 at{0.0f};
  std::string x, y, z; // empty: nothing added

  bool operator==(const MovingPoint&) const = default;
};

// The formulas of a moving point, read once.
struct PointPath {
  vec3 at{0.0f};
  std::array<std::optional<Expression>, 3> added;

  vec3 operator()(double time) const;
};
PointPath pathOf(const MovingPoint& point); // throws usageError for a formula that is none

// A head that faces a point, its neck taking part.
struct LookAtLayer {
  static constexpr std::string_view kKind = "look-at";
  struct State;

  std::string from, to; // neck and head; the same joint where there is only one
  vec3 forward{0.0f, 0.0f, 1.0f};
  MovingPoint target = {};
  float reach = 70.0f;

  bool operator==(const LookAtLayer&) const = default;
};
struct LookAtLayer::State {
  std::optional<LookAtLayer> made;
  LookAt look;
  PointPath path;
};

enum class FormulaPart { turn, move, scale };

// One joint by a formula of time: the tick of a clock.
struct FormulaLayer {
  static constexpr std::string_view kKind = "formula";
  struct State;

  std::string joint;
  FormulaPart part = FormulaPart::turn;
  vec3 axis{0.0f, 0.0f, 1.0f};
  std::string formula = "10 * sin(2 * pi * t)";

  bool operator==(const FormulaLayer&) const = default;
};
struct FormulaLayer::State {
  std::optional<FormulaLayer> made;
  std::uint32_t node = 0;
  std::optional<Expression> formula;
};

inline constexpr std::string_view kFormulaWords[] = {"turn", "move", "scale"};
inline constexpr float kFar = 1e6f; // of a coordinate that is anywhere

inline FieldInfo jointField(std::string_view name, std::string_view help) {
  return {name, help, 0, 0, {}, FieldInfo::Of::joint};
}

template <class Point, class Visitor>
void visitPoint(Point& point, std::string_view what, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"target", what, -kFar, kFar}, point.at);
  visit(Info{"target_x", "added to the target's x: a formula of the time t; empty: nothing"},
        point.x);
  visit(Info{"target_y", "likewise to its y"}, point.y);
  visit(Info{"target_z", "likewise to its z"}, point.z);
}

template <LayerOf<WaveLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint of the chain"), layer.from);
  visit(jointField("to", "last joint of the chain"), layer.to);
  visit(Info{"axis", "to turn about, each joint's own"}, layer.axis);
  visit(Info{"angle", "largest turn of a joint, degrees", 0, 180}, layer.angle);
  visit(Info{"frequency", "waves a second", 0, 20}, layer.frequency);
  visit(Info{"phase", "from one joint to the next, degrees", -360, 360}, layer.phase);
  visit(Info{"growth", "of the turn from one joint to the next", -1, 1}, layer.growth);
}

template <LayerOf<BreathingLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("chest", "the joint that widens"), layer.chest);
  visit(Info{"per_minute", "breaths", 0, 120}, layer.perMinute);
  visit(Info{"depth", "share by which the chest widens", 0, 0.5f}, layer.depth);
  visit(Info{"lift", "degrees by which it turns back", -30, 30}, layer.lift);
  visit(Info{"axis", "that it turns about, its own"}, layer.axis);
}

template <LayerOf<LookAtLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint that turns (neck)"), layer.from);
  visit(jointField("to", "the joint that looks (head)"), layer.to);
  visit(Info{"forward", "where that joint looks, its own axes"}, layer.forward);
  visitPoint(layer.target, "what is looked at, model space", visit);
  visit(Info{"reach", "degrees it turns away from where the pose looks, at most", 0, 170},
        layer.reach);
}

template <LayerOf<FormulaLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("joint", "the joint that moves"), layer.joint);
  visit(Info{"part", "turn (degrees), move (model units) or scale (share added)", 0, 0,
             kFormulaWords},
        layer.part);
  visit(Info{"axis", "of the turn, way or stretch, the joint's own"}, layer.axis);
  visit(Info{"formula", "of the time t in seconds"}, layer.formula);
}

void apply(const WaveLayer& layer, WaveLayer::State& state, const LayerInput& input, Pose& out);
void apply(const BreathingLayer& layer, BreathingLayer::State& state, const LayerInput& input,
           Pose& out);
void apply(const LookAtLayer& layer, LookAtLayer::State& state, const LayerInput& input, Pose& out);
void apply(const FormulaLayer& layer, FormulaLayer::State& state, const LayerInput& input,
           Pose& out);

// What is wrong with a layer on this model; empty if nothing is.
std::string problemOf(const Model& model, const WaveLayer& layer);
std::string problemOf(const Model& model, const BreathingLayer& layer);
std::string problemOf(const Model& model, const LookAtLayer& layer);
std::string problemOf(const Model& model, const FormulaLayer& layer);

} // namespace sinew
