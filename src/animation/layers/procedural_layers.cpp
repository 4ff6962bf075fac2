#include "animation/layers/procedural_layers.h"

#include "animation/layers/layer_joints.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace sinew {

static void makeState(const WaveLayer& layer, const Model& model, WaveLayer::State& state) {
  state.wave.chain = namedChain(model.hierarchy, layer.from, layer.to);
  state.wave.axis = unitAxis(layer.axis, "axis");
  state.wave.amplitude = glm::radians(layer.angle);
  state.wave.frequency = layer.frequency;
  state.wave.phase = glm::radians(layer.phase);
  state.wave.growth = layer.growth;
}

static void makeState(const BreathingLayer& layer, const Model& model,
                      BreathingLayer::State& state) {
  state.breathing.chest = namedJoint(model.hierarchy, layer.chest);
  state.breathing.perMinute = layer.perMinute;
  state.breathing.depth = layer.depth;
  state.breathing.lift = glm::radians(layer.lift);
  state.breathing.axis = unitAxis(layer.axis, "axis");
}

static void makeState(const AimLayer& layer, const Model& model, AimLayer::State& state) {
  state.aim.chain = namedChain(model.hierarchy, layer.from, layer.to);
  state.aim.forward = unitAxis(layer.forward, "forward");
  state.aim.maxAngle = glm::radians(layer.maxAngle);
  state.path = makePath(layer.target);
}

static void makeState(const FormulaLayer& layer, const Model& model, FormulaLayer::State& state) {
  state.node = namedJoint(model.hierarchy, layer.joint);
  unitAxis(layer.axis, "axis");
  state.formula.emplace(layer.formula);
}

vec3 PointPath::operator()(double time) const {
  vec3 point = at;
  for (std::size_t i = 0; i < added.size(); ++i)
    if (added[i]) point[static_cast<int>(i)] += static_cast<float>(added[i]->at(time));
  return point;
}

PointPath makePath(const MovingPoint& point) {
  PointPath path{point.at, {}};
  const std::string* texts[] = {&point.x, &point.y, &point.z};
  for (std::size_t i = 0; i < 3; ++i)
    if (!texts[i]->empty()) path.added[i].emplace(*texts[i]);
  return path;
}

void apply(const WaveLayer& layer, WaveLayer::State& state, const LayerInput& input, Pose& out) {
  updateState(layer, input.model, state);
  applySineWave(state.wave, input.time, 1.0f, out);
}

void apply(const BreathingLayer& layer, BreathingLayer::State& state, const LayerInput& input,
           Pose& out) {
  updateState(layer, input.model, state);
  applyBreathing(input.model.hierarchy, state.breathing, input.time, 1.0f, out);
}

void apply(const AimLayer& layer, AimLayer::State& state, const LayerInput& input, Pose& out) {
  updateState(layer, input.model, state);
  state.aim.target = state.path(input.time);
  applyAim(input.model.hierarchy, state.aim, 1.0f, out);
}

void apply(const FormulaLayer& layer, FormulaLayer::State& state, const LayerInput& input,
           Pose& out) {
  updateState(layer, input.model, state);
  const auto value = static_cast<float>(state.formula->at(input.time));
  Transform& local = out.parentFromNode[state.node];
  switch (layer.part) {
  case FormulaPart::rotate:
    local.rotation = glm::normalize(
        local.rotation * glm::angleAxis(glm::radians(value), glm::normalize(layer.axis)));
    break;
  case FormulaPart::move:
    local.translation += local.rotation * (value * layer.axis);
    break;
  case FormulaPart::scale:
    local.scale *= vec3(1.0f) + value * layer.axis;
    break;
  }
}

std::string findProblem(const Model& model, const WaveLayer& layer) {
  return problemOfState(model, layer);
}
std::string findProblem(const Model& model, const BreathingLayer& layer) {
  return problemOfState(model, layer);
}
std::string findProblem(const Model& model, const AimLayer& layer) {
  return problemOfState(model, layer);
}
std::string findProblem(const Model& model, const FormulaLayer& layer) {
  return problemOfState(model, layer);
}

} // namespace sinew
