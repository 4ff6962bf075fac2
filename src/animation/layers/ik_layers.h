// Inverse kinematics (ik.h) and springs (spring_chain.h) as layers, and joint limits as text.
#pragma once

#include "animation/ik/ik.h"
#include "animation/ik/joint_limits.h"
#include "animation/layers/procedural_layers.h"
#include "animation/layers/spring_chain.h"

#include <string>
#include <vector>

namespace sinew {

// Two bones in closed form: arm or leg.
struct TwoBoneIkLayer {
  static constexpr std::string_view kKind = "ik-two-bone";
  static constexpr std::string_view kHelp = "an arm or a leg reaches for a point";
  struct State;

  std::string root, middle, tip; // shoulder, elbow, hand
  MovingPoint target = {};
  bool usePole = false;
  vec3 pole{0.0f, 0.0f, 1.0f};
  bool holdTip = false; // the tip keeps its orientation of the pose below
  std::vector<std::string> limits = {};

  bool operator==(const TwoBoneIkLayer&) const = default;
};
struct TwoBoneIkLayer::State {
  std::optional<TwoBoneIkLayer> made;
  TwoBoneChain chain;
  PointPath path;
  JointLimits limits;
  IkTarget target; // the last evaluation's, as is the result
  IkResult result;
};

// A chain of any length.
struct CcdLayer {
  static constexpr std::string_view kKind = "ik-ccd";
  static constexpr std::string_view kHelp = "a chain of any length reaches for a point";
  struct State;

  std::string from, to;
  MovingPoint target = {};
  bool holdTip = false;
  std::vector<std::string> limits = {};

  bool operator==(const CcdLayer&) const = default;
};
struct CcdLayer::State {
  std::optional<CcdLayer> made;
  std::vector<std::uint32_t> chain;
  PointPath path;
  JointLimits limits;
  IkTarget target;
  IkResult result;
};

struct SpringLayer {
  static constexpr std::string_view kKind = "spring";
  static constexpr std::string_view kHelp = "what hangs loose swings after: hair, tails, ears";
  struct State;

  std::string from, to;
  float frequency = 2.0f;
  float damping = 0.25f;
  vec3 gravity{0.0f};
  float maxAngle = 80.0f;

  bool operator==(const SpringLayer&) const = default;
};
struct SpringLayer::State {
  std::optional<SpringLayer> made;
  SpringChain spring;
  SpringState masses;
};

inline constexpr std::string_view kLimitsHelp =
    "one per line: JOINT hinge AX AY AZ BACK FRONT, or JOINT universal DX DY DZ ROTATION BEND";

template <LayerOf<TwoBoneIkLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("root", "shoulder or hip"), layer.root);
  visit(jointField("middle", "elbow or knee"), layer.middle);
  visit(jointField("tip", "hand or foot"), layer.tip);
  visitPoint(layer.target, "target of the tip, model space", visit);
  visit(Info{"use_pole", "the middle joint points to the pole; off: it stays on its side"},
        layer.usePole);
  visit(Info{"pole", "what the middle joint points to, model space", -kFar, kFar}, layer.pole);
  visit(Info{"hold_tip", "the tip keeps its orientation in model space"}, layer.holdTip);
  visit(Info{"limits", kLimitsHelp}, layer.limits);
}

template <LayerOf<CcdLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint of the chain; it rotates"), layer.from);
  visit(jointField("to", "last joint; it reaches the target"), layer.to);
  visitPoint(layer.target, "target of the last joint, model space", visit);
  visit(Info{"hold_tip", "the last joint keeps its orientation in model space"}, layer.holdTip);
  visit(Info{"limits", kLimitsHelp}, layer.limits);
}

template <LayerOf<SpringLayer> L, class Visitor>
void visitFields(L& layer, Visitor&& visit) {
  using Info = FieldInfo;
  visit(jointField("from", "first joint that swings"), layer.from);
  visit(jointField("to", "last joint of the chain"), layer.to);
  visit(Info{"frequency", "swings per second", 0.05f, 30}, layer.frequency);
  visit(Info{"damping", "0: never stops, 1: no overshoot", 0, 3}, layer.damping);
  visit(Info{"gravity", "model units per second squared", -kFar, kFar}, layer.gravity);
  visit(Info{"max_angle", "largest angle of a bone from the pose below, degrees", 0, 170},
        layer.maxAngle);
}

void apply(const TwoBoneIkLayer& layer, TwoBoneIkLayer::State& state, const LayerInput& input,
           Pose& out);
void apply(const CcdLayer& layer, CcdLayer::State& state, const LayerInput& input, Pose& out);
void apply(const SpringLayer& layer, SpringLayer::State& state, const LayerInput& input, Pose& out);

std::string findProblem(const Model& model, const TwoBoneIkLayer& layer);
std::string findProblem(const Model& model, const CcdLayer& layer);
std::string findProblem(const Model& model, const SpringLayer& layer);

// Joint limits, one per line, angles in degrees:
//
//   LowerArm hinge 0 1 0 -150 0        the axis (the joint's own), back and front angle
//   UpperArm universal 1 0 0 60 90     the bone's direction, rotational and bend freedom
//
// One per node of the hierarchy; empty for no lines. A joint's name may contain spaces. Throws
// usageError that quotes the line: unknown joint or kind, too few numbers, a zero axis, back beyond
// front, a negative freedom.
JointLimits limitsOfText(const Hierarchy& hierarchy, const std::vector<std::string>& lines);

std::string toString(const std::string& joint, const JointLimit& limit); // empty: no limit

} // namespace sinew
