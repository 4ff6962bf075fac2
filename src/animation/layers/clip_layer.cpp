#include "animation/layers/clip_layer.h"

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include <utility>

namespace sinew {
namespace {

void samplePose(ClipLayer::State& state, const Model& model, double time, Pose& out) {
  if (state.play)
    sample(model, *state.play, time, state.memory, out);
  else
    out = state.held;
}

// The start of the range, in reverse as well.
double getStart(const ClipLayer& layer) {
  return static_cast<double>(layer.map.begin);
}

void make(const ClipLayer& layer, const Model& model, ClipLayer::State& state) {
  state = {};
  if (layer.clip == "bind")
    state.held = bindPose(model);
  else if (layer.clip == "none")
    state.held = restPose(model);
  else
    state.play = ClipPlay{findClip(model, layer.clip), layer.map, layer.root};
  state.reference = restPose(model);
  if (layer.additive && layer.reference == Reference::firstFrame)
    samplePose(state, model, getStart(layer), state.reference);
  state.made = layer;
}

} // namespace

void apply(const ClipLayer& layer, ClipLayer::State& state, const LayerInput& input, Pose& out) {
  if (state.made != layer) make(layer, input.model, state);
  const double time = getStart(layer) + static_cast<double>(layer.offset) +
                      static_cast<double>(layer.speed) * input.time;
  samplePose(state, input.model, time, layer.additive ? state.sampled : out);
  if (layer.additive) addDifference(state.sampled, state.reference, out);
}

std::string findProblem(const Model& model, const ClipLayer& layer) {
  if (layer.clip == "none" || layer.clip == "bind") return {};
  const float seconds = model.clips[findClip(model, layer.clip)].seconds;
  const auto [begin, end] = std::pair(layer.map.begin, layer.map.end);
  if (begin <= seconds && end <= seconds && (end == 0.0f || end > begin)) return {};
  return fmt::format("'begin' {:g} to 'end' {:g} is no part of the clip, which has {:g} s", begin,
                     end, seconds);
}

void addDifference(const Pose& added, const Pose& reference, Pose& pose) {
  for (std::size_t i = 0; i < pose.parentFromNode.size(); ++i) {
    const Transform& to = added.parentFromNode[i];
    const Transform& from = reference.parentFromNode[i];
    if (to == from) continue;
    Transform& t = pose.parentFromNode[i];
    t.translation += to.translation - from.translation;
    t.rotation = glm::normalize(to.rotation * glm::conjugate(from.rotation) * t.rotation);
    for (int axis = 0; axis < 3; ++axis)
      if (from.scale[axis] != 0.0f) t.scale[axis] *= to.scale[axis] / from.scale[axis];
  }
  for (std::size_t i = 0; i < pose.morphWeights.size(); ++i)
    pose.morphWeights[i] += added.morphWeights[i] - reference.morphWeights[i];
}

} // namespace sinew
