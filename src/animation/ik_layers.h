// Inverse kinematics (ik.h) and springs (spring_chain.h) as layers.
#pragma once

#include "animation/ik.h"
#include "animation/rule_layers.h"
#include "animation/spring_chain.h"

namespace sinew {

// Two bones in closed form: arm or leg.
struct TwoBoneLayer {
  static constexpr std::string_view kKind = "two-bone";
  struct State;

  std::string root, middle, tip; // shoulder, elbow, hand
  MovingPoint target = {};
  bool usePole = false;
  vec3 pole{0.0f, 0.0f, 1.0f};
  bool holdTip = false; // the tip keeps the orientation it has below
  std::vector<std::string> limits = {};

  bool operator==(const TwoBoneLayer&) const = default;
};
struct TwoBoneLayer::State {
  std::optional<TwoBoneLayer> made;
  TwoBoneChain chain;
  PointPath path;
  JointLimits limits;
  IkTarget target; // of the last evaluation, as is what came of it
  IkResult result;
};

// A chain of any length.
struct ReachLayer {
  static constexpr std::string_view kKind = "reach";
  struct State;

  std::string from, to;
  MovingPoint target = {};
  bool holdTip = false;
  std::vector<std::string> limits = {};

  bool operator==(const ReachLayer&) const = default;
};
struct ReachLayer::State {
  std::optional<ReachLayer> made;
  std::vector<std::uint32_t> chain;
  PointPath path;
  JointLimits limits;
  IkTarget target;
  IkResult result;
};

struct SpringLayer {
  static constexpr std::string_view kKind = "spring";
  struct State;

  std::string from, to;
  float frequency = 2.0f;
  float damping = 0.25f;
  vec3 gravity{0.0f};
  float reach = 80.0f;

  bool operator==(const SpringLayer&) const = default;
};
struct SpringLayer::State {
  std::optional<SpringLayer> made;
  SpringChain spring;
  SpringState masses;
};

inline constexpr std::string_view kLimitsHelp =
    "a line each: JOINT hinge AX AY AZ BACK FRONT, or JOINT universal DX DY DZ ROTATION BEND";

template <LayerOf<TwoBoneLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("root", "shoulder or hip"), layer.root);
  visit(jointField("middle", "elbow or knee"), layer.middle);
  visit(jointField("tip", "hand or foot"), layer.tip);
  visitPoint(layer.target, "where the tip is to be, model space", visit);
  visit(Info{"use_pole", "the middle joint points to the pole; off: stays on its side"},
        layer.usePole);
  visit(Info{"pole", "what the middle joint points to, model space", -kFar, kFar}, layer.pole);
  visit(Info{"hold_tip", "the tip keeps its orientation in the room"}, layer.holdTip);
  visit(Info{"limits", kLimitsHelp}, layer.limits);
}

template <LayerOf<ReachLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint of the chain: it turns"), layer.from);
  visit(jointField("to", "last joint: it comes to the target"), layer.to);
  visitPoint(layer.target, "where the last joint is to be, model space", visit);
  visit(Info{"hold_tip", "the last joint keeps its orientation in the room"}, layer.holdTip);
  visit(Info{"limits", kLimitsHelp}, layer.limits);
}

template <LayerOf<SpringLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint that swings"), layer.from);
  visit(jointField("to", "last joint of the chain"), layer.to);
  visit(Info{"frequency", "at which it swings, a second", 0.05f, 30}, layer.frequency);
  visit(Info{"damping", "0: swings for ever, 1: does not swing over", 0, 3}, layer.damping);
  visit(Info{"gravity", "model units a second squared", -kFar, kFar}, layer.gravity);
  visit(Info{"reach", "degrees a bone swings from where the pose has it, at most", 0, 170},
        layer.reach);
}

void apply(const TwoBoneLayer& layer, TwoBoneLayer::State& state, const LayerInput& input,
           Pose& out);
void apply(const ReachLayer& layer, ReachLayer::State& state, const LayerInput& input, Pose& out);
void apply(const SpringLayer& layer, SpringLayer::State& state, const LayerInput& input, Pose& out);

std::string problemOf(const Model& model, const TwoBoneLayer& layer);
std::string problemOf(const Model& model, const ReachLayer& layer);
std::string problemOf(const Model& model, const SpringLayer& layer);

} // namespace sinew
