// Procedural animation (procedural.h, expression.h) as layers. Angles are in degrees; joints are
// given by name, a chain by its first and last joint.
#pragma once

#include "animation/layers/expression.h"
#include "animation/layers/layer_kind.h"
#include "animation/layers/procedural.h"

#include <array>
#include <optional>
#include <string>

namespace sinew {

// A sine wave along a chain.
struct WaveLayer {
  static constexpr std::string_view kKind = "wave";
  static constexpr std::string_view kHelp =
      "a sine wave that runs along a chain: tails, snakes, tentacles";
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
  static constexpr std::string_view kHelp = "chest and shoulders rise and fall";
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

// The parsed formulas of a moving point.
struct PointPath {
  vec3 at{0.0f};
  std::array<std::optional<Expression>, 3> added;

  vec3 operator()(double time) const;
};
PointPath makePath(const MovingPoint& point); // throws usageError for an invalid formula

// A head that faces a point, together with its neck.
struct AimLayer {
  static constexpr std::string_view kKind = "aim";
  static constexpr std::string_view kHelp = "the head, with its neck, looks at a point";
  struct State;

  std::string from, to; // neck and head; the same joint where there is only one
  vec3 forward{0.0f, 0.0f, 1.0f};
  MovingPoint target = {};
  float maxAngle = 70.0f;

  bool operator==(const AimLayer&) const = default;
};
struct AimLayer::State {
  std::optional<AimLayer> made;
  Aim aim;
  PointPath path;
};

enum class FormulaPart { rotate, move, scale };

// One joint moved by a formula of time: the tick of a clock.
struct FormulaLayer {
  static constexpr std::string_view kKind = "formula";
  static constexpr std::string_view kHelp = "one joint moves by a formula of time";
  struct State;

  std::string joint;
  FormulaPart part = FormulaPart::rotate;
  vec3 axis{0.0f, 0.0f, 1.0f};
  std::string formula = "10 * sin(2 * pi * t)";

  bool operator==(const FormulaLayer&) const = default;
};
struct FormulaLayer::State {
  std::optional<FormulaLayer> made;
  std::uint32_t node = 0;
  std::optional<Expression> formula;
};

inline constexpr std::string_view kFormulaWords[] = {"rotate", "move", "scale"};
inline constexpr float kFar = 1e6f; // range of an unrestricted coordinate

inline FieldInfo jointField(std::string_view name, std::string_view help) {
  return {name, help, 0, 0, {}, FieldInfo::Of::joint};
}

template <class Point, class Visitor>
void visitPoint(Point& point, std::string_view what, Visitor&& visit) {
  using Info = FieldInfo;
  visit(Info{"target", what, -kFar, kFar}, point.at);
  visit(Info{"target_x", "formula of the time t, added to the target's x; empty: nothing"},
        point.x);
  visit(Info{"target_y", "formula added to the target's y"}, point.y);
  visit(Info{"target_z", "formula added to the target's z"}, point.z);
}

template <LayerOf<WaveLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint of the chain"), layer.from);
  visit(jointField("to", "last joint of the chain"), layer.to);
  visit(Info{"axis", "of rotation, in each joint's own axes"}, layer.axis);
  visit(Info{"angle", "largest angle of a joint, degrees", 0, 180}, layer.angle);
  visit(Info{"frequency", "waves per second", 0, 20}, layer.frequency);
  visit(Info{"phase", "from one joint to the next, degrees", -360, 360}, layer.phase);
  visit(Info{"growth", "of the angle from one joint to the next", -1, 1}, layer.growth);
}

template <LayerOf<BreathingLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("chest", "the joint that expands"), layer.chest);
  visit(Info{"per_minute", "breaths per minute", 0, 120}, layer.perMinute);
  visit(Info{"depth", "fraction by which the chest expands", 0, 0.5f}, layer.depth);
  visit(Info{"lift", "degrees by which it leans back", -30, 30}, layer.lift);
  visit(Info{"axis", "of leaning back, in the joint's own axes"}, layer.axis);
}

template <LayerOf<AimLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint that rotates (neck)"), layer.from);
  visit(jointField("to", "the joint that aims (head)"), layer.to);
  visit(Info{"forward", "direction that aims, in that joint's own axes"}, layer.forward);
  visitPoint(layer.target, "target to aim at, model space", visit);
  visit(Info{"max_angle", "largest angle from the direction of the pose below, degrees", 0, 170},
        layer.maxAngle);
}

template <LayerOf<FormulaLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("joint", "the joint that moves"), layer.joint);
  visit(Info{"part", "rotate (degrees), move (model units) or scale (fraction added)", 0, 0,
             kFormulaWords},
        layer.part);
  visit(Info{"axis", "of the rotation, translation or scale, in the joint's own axes"}, layer.axis);
  visit(Info{"formula", "of the time t in seconds"}, layer.formula);
}

void apply(const WaveLayer& layer, WaveLayer::State& state, const LayerInput& input, Pose& out);
void apply(const BreathingLayer& layer, BreathingLayer::State& state, const LayerInput& input,
           Pose& out);
void apply(const AimLayer& layer, AimLayer::State& state, const LayerInput& input, Pose& out);
void apply(const FormulaLayer& layer, FormulaLayer::State& state, const LayerInput& input,
           Pose& out);

// Why a layer does not fit the model; empty if it does.
std::string findProblem(const Model& model, const WaveLayer& layer);
std::string findProblem(const Model& model, const BreathingLayer& layer);
std::string findProblem(const Model& model, const AimLayer& layer);
std::string findProblem(const Model& model, const FormulaLayer& layer);

} // namespace sinew
