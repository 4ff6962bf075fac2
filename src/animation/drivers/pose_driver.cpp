#include "animation/drivers/pose_driver.h"

#include "animation/drivers/driver_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::size_t kJointValues = 9; // outputs of a polynomial driver per driven joint

std::string problemOfKeys(const PoseDriver& driver, const RbfDriver& rbf) {
  for (std::size_t i = 0; i < rbf.keys.size(); ++i) {
    const DriverKey& key = rbf.keys[i];
    if (key.rotations.size() != rbf.inputs.size())
      return fmt::format("key {} has {} rotations for {} inputs", i + 1, key.rotations.size(),
                         rbf.inputs.size());
    if (key.joints.size() != driver.joints.size() || key.morphs.size() != driver.morphs.size())
      return fmt::format("key {} has {} joints and {} morph targets for {} and {}", i + 1,
                         key.joints.size(), key.morphs.size(), driver.joints.size(),
                         driver.morphs.size());
  }
  return {};
}

std::string problemOfCoefficients(const PoseDriver& driver, const PolynomialDriver& polynomial) {
  if (polynomial.degree < 1 || polynomial.degree > 3)
    return fmt::format("degree {}; it goes from 1 to 3", polynomial.degree);
  if (polynomial.inputs.size() > 8) return "more than eight inputs";
  const std::size_t outputs = driver.joints.size() * kJointValues + driver.morphs.size();
  if (polynomial.coefficients.size() != outputs)
    return fmt::format("{} lists of coefficients, not {}", polynomial.coefficients.size(), outputs);
  const std::size_t count =
      monomials(3 * static_cast<int>(polynomial.inputs.size()), polynomial.degree).size();
  for (const std::vector<float>& list : polynomial.coefficients)
    if (list.size() != count)
      return fmt::format("{} coefficients in a list, not {}", list.size(), count);
  return {};
}

bool isUnit(const vec3& axis) {
  return std::abs(glm::length(axis) - 1.0f) < 1e-3f;
}

std::string problemOfNames(const Model& model, const PoseDriver& driver) {
  const std::vector<std::string> labels = morphLabels(model);
  if (getInputs(driver).empty()) return "has no input";
  if (driver.joints.empty() && driver.morphs.empty()) return "drives nothing";
  for (const DriverInput& input : getInputs(driver)) {
    if (!findNode(model.hierarchy, input.joint))
      return fmt::format("input '{}': the model has no such joint", input.joint);
    if (input.part != RotationPart::whole && !isUnit(input.axis))
      return fmt::format("input '{}': the axis is not of length 1", input.joint);
  }
  for (const std::string& joint : driver.joints) {
    if (!findNode(model.hierarchy, joint))
      return fmt::format("drives '{}', which is no joint of the model", joint);
    for (const DriverInput& input : getInputs(driver))
      if (input.joint == joint) return fmt::format("drives '{}', which is its own input", joint);
  }
  for (const std::string& morph : driver.morphs)
    if (!indexOfLabel(labels, morph))
      return fmt::format("drives '{}', which is no morph target of the model", morph);
  return {};
}

} // namespace

std::span<const DriverInput> getInputs(const PoseDriver& driver) {
  if (const auto* rbf = std::get_if<RbfDriver>(&driver.kind)) return rbf->inputs;
  if (const auto* polynomial = std::get_if<PolynomialDriver>(&driver.kind))
    return polynomial->inputs;
  return {&std::get<ShareDriver>(driver.kind).input, 1};
}

std::string_view kindWord(const PoseDriver& driver) {
  if (std::holds_alternative<RbfDriver>(driver.kind)) return "rbf";
  if (std::holds_alternative<PolynomialDriver>(driver.kind)) return "polynomial";
  const RotationPart part = std::get<ShareDriver>(driver.kind).input.part;
  if (part == RotationPart::twist) return "twist";
  return part == RotationPart::swing ? "swing" : "rotation";
}

std::string problemOfParts(const Model& model, const PoseDriver& driver) {
  if (std::string problem = problemOfNames(model, driver); !problem.empty()) return problem;
  if (const auto* rbf = std::get_if<RbfDriver>(&driver.kind)) return problemOfKeys(driver, *rbf);
  if (const auto* polynomial = std::get_if<PolynomialDriver>(&driver.kind))
    return problemOfCoefficients(driver, *polynomial);
  return {};
}

DriverKey keyFromPose(const Model& model, const PoseDriver& driver, const Pose& pose) {
  const auto at = [&](const std::string& joint) -> const Transform& {
    return pose.parentFromNode[*findNode(model.hierarchy, joint)];
  };
  DriverKey key;
  for (const DriverInput& input : getInputs(driver))
    key.rotations.push_back(at(input.joint).rotation);
  for (const std::string& joint : driver.joints)
    key.joints.push_back(at(joint));
  const MorphWeights weights = getMorphWeights(model, pose);
  const std::vector<std::string> labels = morphLabels(model);
  for (const std::string& morph : driver.morphs)
    key.morphs.push_back(weights[*indexOfLabel(labels, morph)]);
  return key;
}

} // namespace sinew
