#include "model/morph_offsets.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <numeric>

namespace sinew {
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
