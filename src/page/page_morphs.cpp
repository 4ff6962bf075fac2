#include "page/page_morphs.h"

#include "page/page_drawing.h"
#include "render/vertex_layout.h"

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Share of an attribute's largest offset, at half the weight: more is not linear.
constexpr float kLargestBend = 0.25f;

bool isFloat(const Attribute& attribute) {
  return !isInteger(attribute.format) && !isFetched(attribute.format) &&
         attribute.format != AttributeFormat::unorm16x4;
}

// The differences of an attribute at the vertices from one binding to another.
std::vector<float> collectOffsets(const Attribute& from, const Attribute& to,
                                  std::span<const std::uint32_t> vertices) {
  std::vector<float> out;
  for (const std::uint32_t v : vertices) {
    const vec4 offset = readFloat(to, v) - readFloat(from, v);
    for (int c = 0; c < componentCount(from.format); ++c)
      out.push_back(offset[c]);
  }
  return out;
}

bool isLinear(const std::vector<float>& whole, const std::vector<float>& half) {
  float largest = 0.0f, bend = 0.0f;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    largest = std::max(largest, std::abs(whole[i]));
    bend = std::max(bend, std::abs(half[i] - 0.5f * whole[i]));
  }
  return bend <= kLargestBend * largest;
}

MorphWeights withTarget(MorphWeights weights, std::uint32_t target, float weight) {
  weights[target] = weight;
  return weights;
}

// What the target adds to the attributes of a method's binding.
void addAttributeOffsets(const Workbench& workbench, const PageMorphs& morphs, const Binding& base,
                         std::uint32_t target, std::size_t method, PageMorph& out) {
  const BoundMethod& bound = workbench.bound[method];
  if (bound.method->morph == nullptr || (out.method && out.method != method)) return;
  const auto at = [&](float weight) {
    return bindingAt(workbench, method,
                     morphedAt(workbench, method, withTarget(morphs.base, target, weight)));
  };
  const Binding half = at(0.5f), whole = at(1.0f);
  const std::size_t located =
      locatedCount(base, takesTangents(workbench.rig, *bound.method, bound.binding));
  for (std::size_t a = 0; a < located; ++a) {
    if (!isFloat(base.attributes[a]) || base.attributes[a].data == whole.attributes[a].data)
      continue;
    std::vector<float> offsets =
        collectOffsets(base.attributes[a], whole.attributes[a], out.vertices);
    if (isLinear(offsets, collectOffsets(base.attributes[a], half.attributes[a], out.vertices)))
      out.attributes.push_back({method, a, std::move(offsets)});
  }
}

Json addMorph(PageMorph& morph, std::span<const Binding> bindings, bool exact,
              PackedArrays& arrays) {
  Json out{{"vertices", arrays.add(std::span<const std::uint32_t>(morph.vertices))},
           {"positions", addFloats(floatsIn(morph.positions), 3, exact, arrays)},
           {"normals", addFloats(floatsIn(morph.normals), 3, exact, arrays)},
           {"attributes", Json::array()}};
  if (morph.method) out["method"] = *morph.method;
  for (PageMorphAttribute& each : morph.attributes) {
    const Attribute& attribute = bindings[each.method].attributes[each.attribute];
    const auto components = static_cast<std::size_t>(componentCount(attribute.format));
    out["attributes"].push_back({{"method", each.method},
                                 {"attribute", each.attribute},
                                 {"values", addFloats(each.offsets, components, exact, arrays)}});
  }
  return out;
}

} // namespace

std::vector<PageTarget> pageTargets(const Workbench& workbench) {
  std::vector<PageTarget> out;
  for (const RigMorph& morph : workbench.rig.morphs)
    out.push_back({&morph});
  for (std::size_t m = 0; m < workbench.bound.size(); ++m) {
    const auto& standIn = workbench.bound[m].method->shows;
    for (std::size_t k = workbench.rig.morphs.size(); standIn && k < standIn->rig().morphs.size();
         ++k)
      out.push_back({&standIn->rig().morphs[k], m});
  }
  return out;
}

PageMorphs movingMorphs(const Workbench& workbench, std::span<const PageClip> clips, bool all) {
  const std::vector<PageTarget> targets = pageTargets(workbench);
  PageMorphs out;
  out.base.assign(targets.size(), 0.0f);
  const auto getWeight = [](const PagePose& pose, std::uint32_t target) {
    return target < pose.morphWeights.size() ? pose.morphWeights[target] : 0.0f;
  };
  std::size_t moved = 0;
  for (std::uint32_t target = 0; target < out.base.size(); ++target) {
    // The page's vertices are those of all methods.
    const float first =
        targets[target].method ? 0.0f : getWeight(clips.front().poses.front(), target);
    const bool moves =
        (all && !targets[target].method) || std::ranges::any_of(clips, [&](const PageClip& clip) {
          return std::ranges::any_of(
              clip.poses, [&](const PagePose& pose) { return getWeight(pose, target) != first; });
        });
    if (!moves) {
      out.base[target] = first;
      continue;
    }
    out.moving.push_back(target);
    moved += targets[target].morph->vertices.size();
  }
  if (moved <= kMaxMovedVertices) return out;
  out = stillMorphs(workbench, out);
  out.tooMany = moved;
  return out;
}

PageMorphs stillMorphs(const Workbench& workbench, const PageMorphs& moving) {
  PageMorphs out{workbench.morphed.weights, {}, moving.moving.size(), 0};
  out.base.resize(pageTargets(workbench).size(), 0.0f);
  return out;
}

MorphWeights weightsAt(const PageMorphs& morphs, const PagePose& pose) {
  MorphWeights out = morphs.base;
  for (const std::uint32_t target : morphs.moving)
    out[target] = target < pose.morphWeights.size() ? pose.morphWeights[target] : 0.0f;
  return out;
}

MorphedVertices morphedAt(const Workbench& workbench, std::size_t method,
                          std::span<const float> weights) {
  const auto& standIn = workbench.bound[method].method->shows;
  const std::vector<PageTarget> targets = pageTargets(workbench);
  MorphWeights own;
  for (std::size_t target = 0; target < targets.size(); ++target)
    if (targets[target].method.value_or(method) == method) own.push_back(weights[target]);
  MorphedVertices out;
  applyMorphs(standIn ? standIn->rig() : workbench.rig, own, out);
  return out;
}

Binding bindingAt(const Workbench& workbench, std::size_t method, const MorphedVertices& morphed) {
  const BoundMethod& bound = workbench.bound[method];
  std::optional<MorphedBinding> cached;
  return morphBinding(*bound.method, workbench.rig, bound.binding, morphed, cached);
}

Json addMorphs(const Workbench& workbench, const PageMorphs& morphs, bool exact,
               PackedArrays& arrays, std::vector<PageMorph>& read) {
  Json out = Json::array();
  read.clear();
  if (morphs.moving.empty()) return out;
  std::vector<Binding> bindings;
  for (std::size_t method = 0; method < workbench.bound.size(); ++method)
    bindings.push_back(bindingAt(workbench, method, morphedAt(workbench, method, morphs.base)));
  const std::vector<PageTarget> targets = pageTargets(workbench);
  const std::vector<std::string> labels = morphLabels(workbench.model);
  for (const std::uint32_t target : morphs.moving) {
    const RigMorph& of = *targets[target].morph;
    PageMorph& morph = read.emplace_back(
        PageMorph{of.vertices, of.positions, of.normals, {}, targets[target].method});
    for (std::size_t method = 0; method < workbench.bound.size(); ++method)
      addAttributeOffsets(workbench, morphs, bindings[method], target, method, morph);
    out.push_back(addMorph(morph, bindings, exact, arrays));
    if (target < labels.size()) out.back()["name"] = labels[target];
  }
  return out;
}

MorphedVertices morphedRead(const std::vector<PageMorph>& morphs, std::size_t method,
                            const Rig& rig, std::span<const float> weights) {
  MorphedVertices out;
  for (std::size_t k = 0; k < morphs.size(); ++k) {
    if (weights[k] == 0.0f || morphs[k].method.value_or(method) != method) continue;
    if (out.positions.empty()) {
      out.positions = rig.positions;
      out.normals = rig.normals;
    }
    for (std::size_t i = 0; i < morphs[k].vertices.size(); ++i) {
      const std::uint32_t v = morphs[k].vertices[i];
      out.positions[v] += weights[k] * morphs[k].positions[i];
      out.normals[v] += weights[k] * morphs[k].normals[i];
      out.vertices.push_back(v);
    }
  }
  for (const std::uint32_t v : out.vertices)
    if (const float length = glm::length(out.normals[v]); length > 1e-6f) out.normals[v] /= length;
  return out;
}

Binding morphedRead(const std::vector<PageMorph>& morphs, std::size_t method, Binding binding,
                    std::span<const float> weights) {
  for (std::size_t k = 0; k < morphs.size(); ++k)
    for (const PageMorphAttribute& each : morphs[k].attributes) {
      if (each.method != method || weights[k] == 0.0f) continue;
      Attribute& attribute = binding.attributes[each.attribute];
      auto from = each.offsets.begin();
      for (const std::uint32_t v : morphs[k].vertices) {
        vec4 value = readFloat(attribute, v);
        for (int c = 0; c < componentCount(attribute.format); ++c)
          value[c] += weights[k] * *from++;
        write(attribute, v, value);
      }
    }
  updateParts(binding);
  return binding;
}

void updateParts(Binding& binding) {
  for (BindingPart& part : binding.parts)
    for (std::size_t a = 0; a < part.binding.attributes.size(); ++a)
      part.binding.attributes[a].data = findAttribute(binding, part.names[a]).data;
}

} // namespace sinew
