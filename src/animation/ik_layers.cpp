#include "animation/ik_layers.h"

#include "animation/ik_path.h"
#include "animation/joint_limit_text.h"
#include "animation/layer_joints.h"

#include <glm/trigonometric.hpp>

namespace sinew {

static void makeState(const TwoBoneLayer& layer, const Model& model, TwoBoneLayer::State& state) {
  const Hierarchy& hierarchy = model.hierarchy;
  const auto upper = namedChain(hierarchy, layer.root, layer.middle);
  const auto lower = namedChain(hierarchy, layer.middle, layer.tip);
  if (upper.size() < 2 || lower.size() < 2)
    throw usageError("root, middle and tip are not three joints");
  state.chain = {upper.front(), lower.front(), lower.back()};
  state.path = pathOf(layer.target);
  state.limits = limitsOfText(hierarchy, layer.limits);
}

static void makeState(const ReachLayer& layer, const Model& model, ReachLayer::State& state) {
  state.chain = namedChain(model.hierarchy, layer.from, layer.to);
  if (state.chain.size() < 2) throw usageError("'from' and 'to' are the same joint");
  state.path = pathOf(layer.target);
  state.limits = limitsOfText(model.hierarchy, layer.limits);
}

static void makeState(const SpringLayer& layer, const Model& model, SpringLayer::State& state) {
  state.spring.chain = namedChain(model.hierarchy, layer.from, layer.to);
  state.spring.frequency = layer.frequency;
  state.spring.damping = layer.damping;
  state.spring.gravity = layer.gravity;
  state.spring.reach = glm::radians(layer.reach);
}

namespace {

IkTarget targetOf(const LayerInput& input, const PointPath& path, bool hold, std::uint32_t tip) {
  IkTarget target{path(input.time), {}};
  if (hold) {
    const IkPath alone = pathOf(input.model.hierarchy, {}, input.below, tip, tip);
    target.orientation = orientationOf(alone, 0);
  }
  return target;
}

} // namespace

void apply(const TwoBoneLayer& layer, TwoBoneLayer::State& state, const LayerInput& input,
           Pose& out) {
  makeOnce(layer, input.model, state);
  const auto pole = layer.usePole ? std::optional<vec3>(layer.pole) : std::nullopt;
  state.target = targetOf(input, state.path, layer.holdTip, state.chain.tip);
  state.result =
      solveTwoBone(input.model.hierarchy, state.limits, state.chain, state.target, pole, 1.0f, out);
}

void apply(const ReachLayer& layer, ReachLayer::State& state, const LayerInput& input, Pose& out) {
  makeOnce(layer, input.model, state);
  state.target = targetOf(input, state.path, layer.holdTip, state.chain.back());
  state.result =
      solveChain(input.model.hierarchy, state.limits, state.chain, state.target, 1.0f, out);
}

void apply(const SpringLayer& layer, SpringLayer::State& state, const LayerInput& input,
           Pose& out) {
  makeOnce(layer, input.model, state);
  if (input.fresh) state.masses = {};
  applySpringChain(input.model.hierarchy, state.spring, input.dt, 1.0f, state.masses, out);
}

std::string problemOf(const Model& model, const TwoBoneLayer& layer) {
  return problemOfMaking(model, layer);
}
std::string problemOf(const Model& model, const ReachLayer& layer) {
  return problemOfMaking(model, layer);
}
std::string problemOf(const Model& model, const SpringLayer& layer) {
  return problemOfMaking(model, layer);
}

} // namespace sinew
