#include "animation/drivers/prepared_drivers.h"

#include "animation/drivers/driver_math.h"
#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <numeric>

namespace sinew {
namespace prepared {

struct PreparedInput {
  std::uint32_t node = 0;
  quat restInverse{1.0f, 0.0f, 0.0f, 0.0f};
  RotationPart part = RotationPart::whole;
  vec3 axis{0.0f};

  quat of(const quat& local) const { return extractPart(restInverse * local, part, axis); }
};

struct Driven {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> targets;
  std::vector<Transform> neutralJoints;
  std::vector<float> neutralMorphs;
};

struct PreparedRbf {
  std::vector<DriverKey> keys; // without the rest pose, which may be behind them in `weights`
  RbfWeights weights;
};

struct PreparedPolynomial {
  std::vector<std::vector<int>> products;
  std::vector<std::vector<float>> coefficients;
};

struct PreparedShare {
  float share = 0.0f;
  std::vector<quat> jointFromInput; // per driven joint, rotations at rest
};

struct PreparedDriver {
  bool on = true;
  std::vector<PreparedInput> inputs;
  Driven driven;
  std::variant<PreparedRbf, PreparedPolynomial, PreparedShare> kind;
};

} // namespace prepared

namespace {

using namespace prepared;

constexpr float kSameRotations = 1e-4f; // radians

// The weighted mean of values and, with what is left of 1, of the neutral one. Rotations are summed
// as quaternions, with the signs of the one that weighs most.
Transform mixed(std::span<const DriverKey> keys, std::size_t joint, std::span<const float> weights,
                const Transform& neutral) {
  float rest = 1.0f;
  std::size_t heaviest = keys.size();
  float largest = 0.0f;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    rest -= weights[k];
    if (weights[k] > largest) {
      largest = weights[k];
      heaviest = k;
    }
  }
  rest = std::max(rest, 0.0f);
  const quat like = largest > rest ? keys[heaviest].joints[joint].rotation : neutral.rotation;
  Transform out{neutral.translation, quat(0.0f, 0.0f, 0.0f, 0.0f), neutral.scale};
  const auto add = [&](const quat& rotation, float weight) {
    out.rotation += rotation * (glm::dot(rotation, like) < 0.0f ? -weight : weight);
  };
  add(neutral.rotation, rest);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Transform& value = keys[k].joints[joint];
    out.translation += weights[k] * (value.translation - neutral.translation);
    out.scale += weights[k] * (value.scale - neutral.scale);
    add(value.rotation, weights[k]);
  }
  out.rotation = glm::normalize(out.rotation);
  return out;
}

// What applying drivers needs between two of them; kept to reuse its memory.
struct Scratch {
  std::vector<quat> rotations;
  std::vector<double> falloffs;
  std::vector<float> weights;
  std::vector<float> variables;
};

void readInputs(const PreparedDriver& driver, const Pose& pose, std::vector<quat>& out) {
  out.clear();
  for (const PreparedInput& input : driver.inputs)
    out.push_back(input.of(pose.parentFromNode[input.node].rotation));
}

std::vector<float> computeVariables(std::span<const quat> rotations) {
  std::vector<float> out;
  for (const quat& rotation : rotations) {
    const vec3 v = rotationVector(rotation);
    out.insert(out.end(), {v.x, v.y, v.z});
  }
  return out;
}

void drive(const PreparedRbf& rbf, const Driven& driven, Scratch& scratch, Pose& pose) {
  scratch.weights.resize(rbf.weights.keyCount());
  evaluateRbf(rbf.weights, scratch.rotations, scratch.falloffs, scratch.weights);
  const std::span<const float> weights(scratch.weights.data(), rbf.keys.size());
  for (std::size_t i = 0; i < driven.nodes.size(); ++i)
    pose.parentFromNode[driven.nodes[i]] = mixed(rbf.keys, i, weights, driven.neutralJoints[i]);
  for (std::size_t i = 0; i < driven.targets.size(); ++i) {
    float value = driven.neutralMorphs[i];
    for (std::size_t k = 0; k < rbf.keys.size(); ++k)
      value += weights[k] * (rbf.keys[k].morphs[i] - driven.neutralMorphs[i]);
    pose.morphWeights[driven.targets[i]] = value;
  }
}

void drive(const PreparedPolynomial& polynomial, const Driven& driven, Scratch& scratch,
           Pose& pose) {
  scratch.variables = computeVariables(scratch.rotations);
  scratch.weights.resize(polynomial.products.size());
  evaluateMonomials(polynomial.products, scratch.variables, scratch.weights);
  auto list = polynomial.coefficients.begin();
  const auto next = [&] {
    const std::vector<float>& coefficients = *list++;
    float sum = 0.0f;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      sum += coefficients[i] * scratch.weights[i];
    return sum;
  };
  const auto nextVector = [&] {
    const float x = next();
    const float y = next();
    return vec3(x, y, next());
  };
  for (std::size_t i = 0; i < driven.nodes.size(); ++i) {
    const Transform& neutral = driven.neutralJoints[i];
    Transform& out = pose.parentFromNode[driven.nodes[i]];
    out.translation = neutral.translation + nextVector();
    out.rotation = glm::normalize(neutral.rotation * fromRotationVector(nextVector()));
    out.scale = neutral.scale + nextVector();
  }
  for (std::size_t i = 0; i < driven.targets.size(); ++i)
    pose.morphWeights[driven.targets[i]] = driven.neutralMorphs[i] + next();
}

void drive(const PreparedShare& share, const Driven& driven, Scratch& scratch, Pose& pose) {
  const quat& rotation = scratch.rotations.front();
  for (std::size_t i = 0; i < driven.nodes.size(); ++i) {
    const Transform& neutral = driven.neutralJoints[i];
    const vec3 turned = share.jointFromInput[i] * rotationVector(rotation);
    pose.parentFromNode[driven.nodes[i]] = {
        neutral.translation,
        glm::normalize(neutral.rotation * fromRotationVector(share.share * turned)), neutral.scale};
  }
  const float ofPi = glm::length(rotationVector(rotation)) / std::numbers::pi_v<float>;
  for (std::size_t i = 0; i < driven.targets.size(); ++i)
    pose.morphWeights[driven.targets[i]] = driven.neutralMorphs[i] + share.share * ofPi;
}

Driven drivenBy(const Model& model, const PoseDriver& driver,
                const std::vector<std::string>& labels) {
  Driven out;
  for (const std::string& joint : driver.joints) {
    out.nodes.push_back(*findNode(model.hierarchy, joint));
    out.neutralJoints.push_back(model.hierarchy.nodes[out.nodes.back()].rest);
  }
  for (const std::string& morph : driver.morphs) {
    out.targets.push_back(*indexOfLabel(labels, morph));
    out.neutralMorphs.push_back(model.morphTargets[out.targets.back()].weight);
  }
  return out;
}

PreparedRbf prepare(const RbfDriver& rbf, const PreparedDriver& driver) {
  std::vector<quat> keys;
  bool restIsKey = false;
  const std::vector<quat> rest(driver.inputs.size(), quat(1.0f, 0.0f, 0.0f, 0.0f));
  for (const DriverKey& key : rbf.keys) {
    std::vector<quat> rotations;
    for (std::size_t i = 0; i < driver.inputs.size(); ++i)
      rotations.push_back(driver.inputs[i].of(key.rotations[i]));
    restIsKey = restIsKey || keyDistance(rotations, rest) < kSameRotations;
    keys.insert(keys.end(), rotations.begin(), rotations.end());
  }
  if (!restIsKey) keys.insert(keys.end(), rest.begin(), rest.end());
  return {rbf.keys, solveRbf(rbf.shape, driver.inputs.size(), std::move(keys))};
}

PreparedPolynomial prepare(const PolynomialDriver& polynomial, const PreparedDriver& driver) {
  return {monomials(3 * static_cast<int>(driver.inputs.size()), polynomial.degree),
          polynomial.coefficients};
}

PreparedShare prepare(const Model& model, const ShareDriver& share, const PreparedDriver& driver) {
  const std::vector<quat> modelFromNode = restRotations(model.hierarchy);
  PreparedShare out{share.share, {}};
  const quat input = modelFromNode[driver.inputs.front().node];
  for (const std::uint32_t node : driver.driven.nodes)
    out.jointFromInput.push_back(glm::conjugate(modelFromNode[node]) * input);
  return out;
}

PreparedDriver prepare(const Model& model, const PoseDriver& driver,
                       const std::vector<std::string>& labels) {
  PreparedDriver out;
  out.on = driver.on;
  for (const DriverInput& input : getInputs(driver)) {
    const std::uint32_t node = *findNode(model.hierarchy, input.joint);
    out.inputs.push_back(
        {node, glm::conjugate(model.hierarchy.nodes[node].rest.rotation), input.part, input.axis});
  }
  out.driven = drivenBy(model, driver, labels);
  if (const auto* rbf = std::get_if<RbfDriver>(&driver.kind))
    out.kind = prepare(*rbf, out);
  else if (const auto* polynomial = std::get_if<PolynomialDriver>(&driver.kind))
    out.kind = prepare(*polynomial, out);
  else
    out.kind = prepare(model, std::get<ShareDriver>(driver.kind), out);
  return out;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

} // namespace

struct PreparedDrivers::Parts {
  std::vector<PreparedDriver> drivers;
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> targets;
};

std::string findProblem(const Model& model, const PoseDriver& driver) {
  std::string problem = problemOfParts(model, driver);
  if (!problem.empty() || !std::holds_alternative<RbfDriver>(driver.kind)) return problem;
  const PreparedDriver prepared = prepare(model, driver, morphLabels(model));
  if (!std::get<PreparedRbf>(prepared.kind).weights.solvable)
    return "two keys have the same rotations, or the radius is too large for all of them";
  return problem;
}

PreparedDrivers::PreparedDrivers(const Model& model, const PoseDrivers& drivers) {
  if (drivers.empty()) return;
  auto parts = std::make_shared<Parts>();
  const std::vector<std::string> labels = morphLabels(model);
  for (const PoseDriver& driver : drivers) {
    if (const std::string problem = findProblem(model, driver); !problem.empty())
      throw usageError(fmt::format("driver '{}': {}", driver.name, problem));
    parts->drivers.push_back(prepare(model, driver, labels));
    if (!driver.on) continue;
    const Driven& driven = parts->drivers.back().driven;
    parts->nodes.insert(parts->nodes.end(), driven.nodes.begin(), driven.nodes.end());
    parts->targets.insert(parts->targets.end(), driven.targets.begin(), driven.targets.end());
  }
  parts->nodes = sorted(std::move(parts->nodes));
  parts->targets = sorted(std::move(parts->targets));
  parts_ = std::move(parts);
}

void PreparedDrivers::apply(const Model& model, Pose& pose) const {
  if (empty()) return;
  if (!parts_->targets.empty()) pose.morphWeights = getMorphWeights(model, pose);
  Scratch scratch;
  for (const PreparedDriver& driver : parts_->drivers) {
    if (!driver.on) continue;
    readInputs(driver, pose, scratch.rotations);
    std::visit([&](const auto& kind) { drive(kind, driver.driven, scratch, pose); }, driver.kind);
  }
}

std::vector<float> PreparedDrivers::keyWeights(std::size_t driver, const Pose& pose) const {
  if (empty() || driver >= parts_->drivers.size()) return {};
  const PreparedDriver& prepared = parts_->drivers[driver];
  const auto* rbf = std::get_if<PreparedRbf>(&prepared.kind);
  if (rbf == nullptr) return {};
  Scratch scratch;
  readInputs(prepared, pose, scratch.rotations);
  std::vector<float> weights(rbf->weights.keyCount());
  evaluateRbf(rbf->weights, scratch.rotations, scratch.falloffs, weights);
  return weights;
}

std::span<const std::uint32_t> PreparedDrivers::nodes() const {
  if (empty()) return {};
  return parts_->nodes;
}

std::span<const std::uint32_t> PreparedDrivers::targets() const {
  if (empty()) return {};
  return parts_->targets;
}

void fitPolynomial(const Model& model, PoseDriver& driver, std::span<const Pose> poses,
                   double ridge) {
  auto& polynomial = std::get<PolynomialDriver>(driver.kind);
  PreparedDriver prepared = prepare(model, driver, morphLabels(model));
  std::vector<std::vector<float>> samples;
  std::vector<std::vector<float>> values;
  std::vector<quat> rotations;
  for (const Pose& pose : poses) {
    readInputs(prepared, pose, rotations);
    samples.push_back(computeVariables(rotations));
    std::vector<float>& value = values.emplace_back();
    const Driven& driven = prepared.driven;
    for (std::size_t i = 0; i < driven.nodes.size(); ++i) {
      const Transform& neutral = driven.neutralJoints[i];
      const Transform& local = pose.parentFromNode[driven.nodes[i]];
      const vec3 moved = local.translation - neutral.translation;
      const vec3 turned = rotationVector(glm::conjugate(neutral.rotation) * local.rotation);
      const vec3 scaled = local.scale - neutral.scale;
      value.insert(value.end(), {moved.x, moved.y, moved.z, turned.x, turned.y, turned.z, scaled.x,
                                 scaled.y, scaled.z});
    }
    const MorphWeights weights = getMorphWeights(model, pose);
    for (std::size_t i = 0; i < driven.targets.size(); ++i)
      value.push_back(weights[driven.targets[i]] - driven.neutralMorphs[i]);
  }
  polynomial.coefficients =
      fitPolynomials(std::get<PreparedPolynomial>(prepared.kind).products, samples, values, ridge);
}

} // namespace sinew
