#include "animation/layers/ik_layers.h"

#include "animation/ik/ik_path.h"
#include "animation/layers/layer_joints.h"
#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

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

namespace {

Error wrong(const std::string& line, std::string_view what) {
  return usageError(fmt::format("limit '{}': {}", line, what),
                    "JOINT hinge AX AY AZ BACK FRONT or JOINT universal DX DY DZ ROTATION BEND");
}

std::array<float, 5> parseNumbers(const std::string& line, const std::string& text) {
  std::array<float, 5> numbers{};
  std::size_t count = 0;
  for (std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (count == numbers.size()) throw wrong(line, fmt::format("'{}' is unexpected", word));
    if (word.starts_with('+')) word.remove_prefix(1);
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, numbers[count]);
    if (error != std::errc() || end != last || !std::isfinite(numbers[count])) break;
    ++count;
  }
  if (count < numbers.size()) throw wrong(line, "five numbers are needed");
  return numbers;
}

JointLimit parseLimit(const std::string& line, bool hinge, const std::string& text) {
  const auto [x, y, z, a, b] = parseNumbers(line, text);
  if (!(glm::length(vec3(x, y, z)) > 0.0f)) throw wrong(line, "the axis has no direction");
  const vec3 axis = glm::normalize(vec3(x, y, z));
  if (hinge && a > b) throw wrong(line, "the back angle is beyond the front one");
  if (hinge && (a < -360.0f || b > 360.0f)) throw wrong(line, "more than 360 degrees");
  if (hinge) return HingeLimit{axis, glm::radians(a), glm::radians(b)};
  if (a < 0.0f || b < 0.0f) throw wrong(line, "a freedom must not be negative");
  return UniversalLimit{axis, glm::radians(a), glm::radians(b)};
}

} // namespace

JointLimits limitsOfText(const Hierarchy& hierarchy, const std::vector<std::string>& lines) {
  JointLimits limits;
  for (const std::string& line : lines) {
    const std::size_t hinge = line.rfind(" hinge ");
    const std::size_t universal = line.rfind(" universal ");
    const std::size_t at = hinge != std::string::npos ? hinge : universal;
    if (at == std::string::npos) throw wrong(line, "is neither hinge nor universal");
    const std::uint32_t node = namedJoint(hierarchy, line.substr(0, at));
    const std::size_t word = hinge != std::string::npos ? 7 : 11;
    limits.resize(hierarchy.nodes.size());
    limits[node] = parseLimit(line, hinge != std::string::npos, line.substr(at + word));
  }
  return limits;
}

std::string toString(const std::string& joint, const JointLimit& limit) {
  const auto deg = [](float radians) { return glm::degrees(radians); };
  if (const auto* hinge = std::get_if<HingeLimit>(&limit))
    return fmt::format("{} hinge {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}", joint, hinge->axis.x,
                       hinge->axis.y, hinge->axis.z, deg(hinge->back), deg(hinge->front));
  if (const auto* free = std::get_if<UniversalLimit>(&limit))
    return fmt::format("{} universal {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}", joint, free->direction.x,
                       free->direction.y, free->direction.z, deg(free->rotation), deg(free->bend));
  return {};
}

} // namespace sinew
