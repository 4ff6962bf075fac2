#include "rig/morph.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

bool allZero(std::span<const float> weights) {
  return std::all_of(weights.begin(), weights.end(), [](float w) { return w == 0.0f; });
}

// Ascending, without duplicates.
std::vector<std::uint32_t> verticesMoved(const Rig& rig, std::span<const float> weights) {
  std::vector<char> moves(rig.positions.size(), 0);
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (weights[k] != 0.0f)
      for (const std::uint32_t v : rig.morphs[k].vertices)
        moves[v] = 1;
  std::vector<std::uint32_t> out;
  for (std::uint32_t v = 0; v < moves.size(); ++v)
    if (moves[v] != 0) out.push_back(v);
  return out;
}

} // namespace

bool applyMorphs(const Rig& rig, std::span<const float> weights, MorphedVertices& out) {
  assert(weights.size() == rig.morphs.size());
  if (std::ranges::equal(weights, out.weights)) return false;
  const bool none = allZero(weights);
  const bool wasNone = allZero(out.weights);
  out.weights.assign(weights.begin(), weights.end());
  if (none && wasNone) return false;
  if (out.positions.empty()) {
    out.positions = rig.positions;
    out.normals = rig.normals;
  }
  for (const std::uint32_t v : out.vertices) {
    out.positions[v] = rig.positions[v];
    out.normals[v] = rig.normals[v];
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0f) continue;
    const RigMorph& morph = rig.morphs[k];
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
      out.positions[morph.vertices[i]] += weights[k] * morph.positions[i];
      out.normals[morph.vertices[i]] += weights[k] * morph.normals[i];
    }
  }
  out.vertices = verticesMoved(rig, weights);
  for (const std::uint32_t v : out.vertices) {
    const float length = glm::length(out.normals[v]);
    out.normals[v] = length > 1e-6f ? out.normals[v] / length : rig.normals[v];
  }
  return true;
}

} // namespace sinew
