#include "model/morph_targets.h"

#include "core/error.h"
#include "core/text.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <map>
#include <numeric>
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

namespace {

void append(const MorphOffsets& from, std::size_t entry, std::uint32_t vertex, MorphOffsets& to) {
  to.vertices.push_back(vertex);
  to.positions.push_back(from.positions[entry]);
  if (!from.normals.empty()) to.normals.push_back(from.normals[entry]);
}

// The entries in the order of their vertices.
MorphOffsets sorted(const MorphOffsets& morph) {
  std::vector<std::size_t> order(morph.vertices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return morph.vertices[a] < morph.vertices[b]; });
  MorphOffsets out{morph.target, {}, {}, {}};
  for (const std::size_t entry : order)
    append(morph, entry, morph.vertices[entry], out);
  return out;
}

} // namespace

MorphOffsets sparseOffsets(std::uint32_t target, std::span<const vec3> positions,
                           std::span<const vec3> normals) {
  MorphOffsets out{target, {}, {}, {}};
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    const bool turned = !normals.empty() && normals[v] != vec3(0.0f);
    if (positions[v] == vec3(0.0f) && !turned) continue;
    out.vertices.push_back(v);
    out.positions.push_back(positions[v]);
    if (!normals.empty()) out.normals.push_back(normals[v]);
  }
  return out;
}

void keepVertices(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> sources,
                  std::size_t oldCount) {
  if (morphs.empty()) return;
  const auto newByOld = gatherLists<std::uint32_t>(oldCount, [&](const auto& each) {
    for (std::uint32_t v = 0; v < sources.size(); ++v)
      each(sources[v], v);
  });
  for (MorphOffsets& morph : morphs) {
    MorphOffsets out{morph.target, {}, {}, {}};
    for (std::size_t entry = 0; entry < morph.vertices.size(); ++entry)
      for (const std::uint32_t vertex : newByOld.of(morph.vertices[entry]))
        append(morph, entry, vertex, out);
    morph = sorted(out);
  }
}

void appendMean(std::vector<MorphOffsets>& morphs, std::span<const std::uint32_t> corners,
                std::uint32_t vertex, float normalLength) {
  const float each = 1.0f / static_cast<float>(corners.size());
  for (MorphOffsets& morph : morphs) {
    vec3 position(0.0f);
    vec3 normal(0.0f);
    bool moves = false;
    for (const std::uint32_t corner : corners) {
      const auto found = std::lower_bound(morph.vertices.begin(), morph.vertices.end(), corner);
      if (found == morph.vertices.end() || *found != corner) continue;
      const auto entry = static_cast<std::size_t>(found - morph.vertices.begin());
      moves = true;
      position += each * morph.positions[entry];
      if (!morph.normals.empty()) normal += each * morph.normals[entry];
    }
    if (!moves) continue;
    const bool hasNormals = !morph.normals.empty();
    morph.vertices.push_back(vertex);
    morph.positions.push_back(position);
    if (hasNormals) morph.normals.push_back(normalLength > 0.0f ? normal / normalLength : normal);
  }
}

void transformOffsets(const mat3& linear, const mat3& normalMatrix, Mesh& mesh) {
  for (MorphOffsets& morph : mesh.morphs) {
    for (vec3& p : morph.positions)
      p = linear * p;
    for (std::size_t i = 0; i < morph.normals.size(); ++i) {
      const float length = glm::length(normalMatrix * mesh.normals[morph.vertices[i]]);
      if (length > 0.0f) morph.normals[i] = normalMatrix * morph.normals[i] / length;
    }
  }
}

} // namespace sinew
