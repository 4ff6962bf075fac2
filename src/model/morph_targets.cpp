#include "model/morph_targets.h"

#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace sinew {
namespace {

// The first mesh that a target moves; empty without one.
std::string findMeshName(const Model& model, std::uint32_t target) {
  for (const Mesh& mesh : model.meshes)
    for (const MorphOffsets& morph : mesh.morphs)
      if (morph.target == target) return mesh.name;
  return {};
}

} // namespace

MorphWeights restWeights(const Model& model) {
  MorphWeights weights;
  weights.reserve(model.morphTargets.size());
  for (const MorphTarget& target : model.morphTargets)
    weights.push_back(target.weight);
  return weights;
}

std::vector<std::string> morphLabels(const Model& model) {
  std::map<std::string, std::size_t> uses;
  for (const MorphTarget& target : model.morphTargets)
    ++uses[target.name];
  std::vector<std::string> labels;
  std::set<std::string> taken;
  for (std::uint32_t i = 0; i < model.morphTargets.size(); ++i) {
    const std::string& name = model.morphTargets[i].name;
    std::string label = name;
    if (uses[name] > 1)
      if (const std::string mesh = findMeshName(model, i); !mesh.empty())
        label = fmt::format("{}/{}", mesh, name);
    const std::string base = label;
    for (int n = 2; !taken.insert(label).second; ++n)
      label = fmt::format("{} ({})", base, n);
    labels.push_back(std::move(label));
  }
  return labels;
}

std::optional<std::uint32_t> indexOfLabel(std::span<const std::string> labels,
                                          std::string_view label) {
  const auto at = std::find(labels.begin(), labels.end(), label);
  if (at == labels.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - labels.begin());
}

namespace {

// Empty without one.
std::vector<std::uint32_t> targetsNamed(const Model& model, std::string_view name,
                                        const std::vector<std::string>& labels) {
  const auto where = [&](auto matches) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < labels.size(); ++i)
      if (matches(i)) out.push_back(i);
    return out;
  };
  const auto& targets = model.morphTargets;
  for (const auto& found :
       {where([&](std::uint32_t i) { return targets[i].name == name; }),
        where([&](std::uint32_t i) { return labels[i] == name; }),
        where([&](std::uint32_t i) { return equalWithoutCase(targets[i].name, name); }),
        where([&](std::uint32_t i) { return equalWithoutCase(labels[i], name); })})
    if (!found.empty()) return found;
  return {};
}

Error noTarget(const Model& model, std::string_view name, const std::vector<std::string>& known) {
  if (model.morphTargets.empty())
    return usageError(fmt::format("no morph target '{}': the model has none", name));
  return unknownName("morph target", name, known);
}

const MorphPose* morphPoseNamed(const Model& model, std::string_view name) {
  const auto exact = std::ranges::find(model.morphPoses, name, &MorphPose::name);
  if (exact != model.morphPoses.end()) return &*exact;
  const auto found = std::ranges::find_if(
      model.morphPoses, [&](const MorphPose& pose) { return equalWithoutCase(pose.name, name); });
  return found != model.morphPoses.end() ? &*found : nullptr;
}

} // namespace

float shownStrength(const MorphPose& pose, float strength) {
  if (!pose.binary) return strength;
  return strength > 0.5f ? 1.0f : 0.0f;
}

std::vector<MorphPoseWeight> findMorphWeights(const Model& model, std::string_view name,
                                              float strength) {
  constexpr std::string_view kPose = "pose:";
  std::vector<std::string> labels = morphLabels(model);
  std::vector<MorphPoseWeight> weights;
  for (const std::uint32_t target : targetsNamed(model, name, labels))
    weights.push_back({target, strength});
  if (!weights.empty()) return weights;
  const bool isPose = name.starts_with(kPose);
  if (const MorphPose* pose = morphPoseNamed(model, isPose ? name.substr(kPose.size()) : name)) {
    for (const MorphPoseWeight& each : pose->weights)
      weights.push_back({each.target, shownStrength(*pose, strength) * each.weight});
    return weights;
  }
  for (const MorphPose& pose : model.morphPoses)
    labels.push_back(fmt::format("{}{}", kPose, pose.name));
  throw noTarget(model, name, labels);
}

} // namespace sinew
