#include "animation/layers/ik_layers.h"

#include "animation/ik/ik_path.h"
#include "animation/layers/joint_limit_text.h"
#include "animation/layers/layer_joints.h"

#include <glm/trigonometric.hpp>

namespace sinew {

static void makeState(const TwoBoneIkLayer& layer, const Model& model,
                      TwoBoneIkLayer::State& state) {
  const Hierarchy& hierarchy = model.hierarchy;
  const auto upper = namedChain(hierarchy, layer.root, layer.middle);
  const auto lower = namedChain(hierarchy, layer.middle, layer.tip);
  if (upper.size() < 2 || lower.size() < 2)
    throw usageError("root, middle and tip are not three joints");
  state.chain = {upper.front(), lower.front(), lower.back()};
  state.path = makePath(layer.target);
  state.limits = limitsOfText(hierarchy, layer.limits);
}

static void makeState(const CcdLayer& layer, const Model& model, CcdLayer::State& state) {
  state.chain = namedChain(model.hierarchy, layer.from, layer.to);
  if (state.chain.size() < 2) throw usageError("'from' and 'to' are the same joint");
  state.path = makePath(layer.target);
  state.limits = limitsOfText(model.hierarchy, layer.limits);
}

static void makeState(const SpringLayer& layer, const Model& model, SpringLayer::State& state) {
  state.spring.chain = namedChain(model.hierarchy, layer.from, layer.to);
  state.spring.frequency = layer.frequency;
  state.spring.damping = layer.damping;
  state.spring.gravity = layer.gravity;
  state.spring.maxAngle = glm::radians(layer.maxAngle);
}

namespace {

IkTarget makeTarget(const LayerInput& input, const PointPath& path, bool hold, std::uint32_t tip) {
  IkTarget target{path(input.time), {}};
  if (hold) {
    const IkPath alone = makePath(input.model.hierarchy, {}, input.below, tip, tip);
    target.orientation = computeOrientation(alone, 0);
  }
  return target;
}

} // namespace

void apply(const TwoBoneIkLayer& layer, TwoBoneIkLayer::State& state, const LayerInput& input,
           Pose& out) {
  updateState(layer, input.model, state);
  const auto pole = layer.usePole ? std::optional<vec3>(layer.pole) : std::nullopt;
  state.target = makeTarget(input, state.path, layer.holdTip, state.chain.tip);
  state.result =
      solveTwoBone(input.model.hierarchy, state.limits, state.chain, state.target, pole, 1.0f, out);
}

void apply(const CcdLayer& layer, CcdLayer::State& state, const LayerInput& input, Pose& out) {
  updateState(layer, input.model, state);
  state.target = makeTarget(input, state.path, layer.holdTip, state.chain.back());
  state.result =
      solveChain(input.model.hierarchy, state.limits, state.chain, state.target, 1.0f, out);
}

void apply(const SpringLayer& layer, SpringLayer::State& state, const LayerInput& input,
           Pose& out) {
  updateState(layer, input.model, state);
  if (input.fresh) state.masses = {};
  applySpringChain(input.model.hierarchy, state.spring, input.dt, 1.0f, state.masses, out);
}

std::string findProblem(const Model& model, const TwoBoneIkLayer& layer) {
  return problemOfState(model, layer);
}
std::string findProblem(const Model& model, const CcdLayer& layer) {
  return problemOfState(model, layer);
}
std::string findProblem(const Model& model, const SpringLayer& layer) {
  return problemOfState(model, layer);
}

} // namespace sinew
