#include "animation/layers/layer_stack.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// Calls visit.template operator()<Kind>() for every kind.
template <std::size_t I = 0, class Visitor>
void eachKind(Visitor&& visit) {
  if constexpr (I < std::variant_size_v<LayerKind>) {
    visit.template operator()<std::variant_alternative_t<I, LayerKind>>();
    eachKind<I + 1>(visit);
  }
}

void applyKind(const LayerKind& kind, LayerState& state, const LayerInput& input, Pose& out) {
  std::visit(
      [&](const auto& layer) {
        using State = typename std::decay_t<decltype(layer)>::State;
        State* of = std::get_if<State>(&state.kind);
        if (of == nullptr) of = &state.kind.template emplace<State>();
        apply(layer, *of, input, out);
      },
      kind);
}

void blendInto(const Pose& made, float weight, const std::vector<float>& mask, Pose& pose) {
  for (std::size_t i = 0; i < pose.parentFromNode.size(); ++i) {
    const float factor = mask.empty() ? weight : weight * mask[i];
    if (factor <= 0.0f) continue;
    Transform& t = pose.parentFromNode[i];
    t = factor >= 1.0f ? made.parentFromNode[i] : interpolate(t, made.parentFromNode[i], factor);
    const auto node = static_cast<std::uint32_t>(i);
    const float twist = twistAt(pose, node);
    const float wanted = twistAt(made, node);
    if (wanted != twist) setTwistAt(pose, node, twist + std::min(factor, 1.0f) * (wanted - twist));
  }
  if (mask.empty()) pose.morphWeights = blend(pose.morphWeights, made.morphWeights, weight);
}

} // namespace

void evaluate(const Model& model, const LayerStack& stack, LayerStackState& state, double time,
              double dt, Pose& pose) {
  if (stack.layers.empty()) return;
  const bool jump = !(dt >= 0.0 && dt <= kMaxStep);
  state.layers.resize(stack.layers.size());
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    const Layer& layer = stack.layers[i];
    LayerState& memory = state.layers[i];
    const float weight = weightAt(layer, time);
    const bool fresh = jump || !memory.applied;
    memory.applied = weight > 0.0f;
    if (!memory.applied) continue;
    if (memory.mask != layer.mask) {
      memory.weights = maskWeights(model.hierarchy, layer.mask);
      memory.mask = layer.mask;
    }
    state.made = pose;
    const double since = time - static_cast<double>(layer.start);
    applyKind(layer.kind, memory, {model, pose, since, fresh ? 0.0 : dt, fresh}, state.made);
    blendInto(state.made, weight, memory.weights, pose);
  }
}

bool dependsOnHistory(const LayerStack& stack) {
  return std::any_of(stack.layers.begin(), stack.layers.end(), [](const Layer& layer) {
    return layer.on && (std::holds_alternative<SpringLayer>(layer.kind) ||
                        std::holds_alternative<SpringBoneLayer>(layer.kind));
  });
}

LayerStack ownLayers(const Model& model, std::string& warning) {
  OwnSprings springs = ownSprings(model);
  LayerStack stack;
  for (std::size_t i = 0; i < springs.layers.size(); ++i) {
    Layer& layer = stack.layers.emplace_back();
    layer.name = std::move(springs.names[i]);
    layer.kind = std::move(springs.layers[i]);
  }
  if (springs.tooMany)
    warning = "the springs of the file are not simulated: they are too many";
  else if (springs.leftOut > 0)
    warning = fmt::format("{} of {} springs do not fit the joints: not simulated", springs.leftOut,
                          model.springBones.springs.size());
  return stack;
}

void copyHistory(const LayerStackState& from, LayerStackState& to) {
  to.layers.resize(from.layers.size());
  for (std::size_t i = 0; i < from.layers.size(); ++i) {
    to.layers[i].applied = from.layers[i].applied;
    if (std::holds_alternative<SpringLayer::State>(from.layers[i].kind) ||
        std::holds_alternative<SpringBoneLayer::State>(from.layers[i].kind))
      to.layers[i].kind = from.layers[i].kind;
  }
}

float weightAt(const Layer& layer, double time) {
  const auto since = static_cast<float>(time - static_cast<double>(layer.start));
  if (!layer.on || since < 0.0f) return 0.0f;
  float weight = std::clamp(layer.weight, 0.0f, 1.0f);
  if (layer.fadeIn > 0.0f) weight *= smoothStep(since / layer.fadeIn);
  if (!(layer.seconds > 0.0f)) return weight;
  const float left = layer.seconds - since;
  if (left <= 0.0f) return 0.0f;
  return layer.fadeOut > 0.0f ? weight * smoothStep(left / layer.fadeOut) : weight;
}

std::vector<float> maskWeights(const Hierarchy& hierarchy, const Mask& mask) {
  if (mask.empty()) return {};
  const std::vector<Node>& nodes = hierarchy.nodes;
  std::vector<float> weights(nodes.size(), 0.0f);
  for (const MaskEntry& entry : mask) {
    const auto top = findNode(hierarchy, entry.joint);
    if (!top) throw usageError(fmt::format("the model has no joint '{}'", entry.joint));
    std::vector<bool> in(nodes.size(), false);
    in[*top] = true;
    for (std::size_t i = *top; i < nodes.size(); ++i) {
      if (entry.branch && nodes[i].parent != kNoNode && in[nodes[i].parent]) in[i] = true;
      if (in[i]) weights[i] = entry.weight;
    }
  }
  return weights;
}

std::string_view kindWord(const LayerKind& kind) {
  return std::visit([](const auto& layer) { return std::decay_t<decltype(layer)>::kKind; }, kind);
}

std::string_view kindHelp(const LayerKind& kind) {
  return std::visit([](const auto& layer) { return std::decay_t<decltype(layer)>::kHelp; }, kind);
}

std::vector<std::string_view> kindWords() {
  std::vector<std::string_view> words;
  eachKind([&]<class Kind>() { words.push_back(Kind::kKind); });
  return words;
}

LayerKind parseLayerKind(std::string_view word) {
  std::optional<LayerKind> found;
  eachKind([&]<class Kind>() {
    if (Kind::kKind == word) found = Kind{};
  });
  if (!found) throw unknownName("kind of layer", word, kindWords());
  return *found;
}

} // namespace sinew
