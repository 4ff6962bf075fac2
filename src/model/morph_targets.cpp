#include "model/morph_targets.h"

#include "core/error.h"
#include "core/text_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace sinew {
namespace {

// The first mesh that a target moves; empty without one.
std::string meshOf(const Model& model, std::uint32_t target) {
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
      if (const std::string mesh = meshOf(model, i); !mesh.empty())
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

std::vector<std::uint32_t> findMorphTargets(const Model& model, std::string_view name) {
  const std::vector<std::string> labels = morphLabels(model);
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
  if (targets.empty())
    throw usageError(fmt::format("no morph target '{}': the model has none", name));
  throw unknownName("morph target", name, labels);
}

} // namespace sinew
