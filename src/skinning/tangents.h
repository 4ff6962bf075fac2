// What the CPU references of skinned tangents share.
#pragma once

#include "skinning/method.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {

// Those of all vertices by one, computeTangent(vertex, bind tangent): w times that of the bind
// tangent.
template <class ComputeTangent>
std::vector<vec4> transformTangents(const BindVertices& vertices,
                                    const ComputeTangent& computeTangent) {
  std::vector<vec4> out;
  out.reserve(vertices.tangents.size());
  for (std::size_t v = 0; v < vertices.tangents.size(); ++v) {
    const vec4 skinned = computeTangent(v, vec3(vertices.tangents[v]));
    out.emplace_back(vec3(skinned), skinned.w * vertices.tangents[v].w);
  }
  return out;
}

// The weighted mean of those by several attachments: unit or zero; w of the first.
inline vec4 meanTangent(std::span<const vec4> tangents, const vec3& weights) {
  vec3 sum(0.0f);
  for (std::size_t i = 0; i < tangents.size(); ++i)
    sum += weights[static_cast<int>(i)] * vec3(tangents[i]);
  const float squared = glm::dot(sum, sum);
  return {squared > 1e-30f ? sum / std::sqrt(squared) : vec3(0.0f), tangents[0].w};
}

} // namespace sinew
