#include "rig/welded_vertices.h"

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

// A vertex by the bits of its position and a joint. Integers sort several times faster than floats.
struct VertexKey {
  std::uint64_t xy = 0;
  std::uint64_t zJoint = 0;

  bool operator==(const VertexKey&) const = default;
  bool operator<(const VertexKey& other) const {
    return xy != other.xy ? xy < other.xy : zJoint < other.zJoint;
  }
};

VertexKey keyOf(const vec3& position, std::uint32_t joint) {
  const vec3 p = position + 0.0f; // -0 is 0
  const auto bits = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  return {bits(p.x) << 32 | bits(p.y), bits(p.z) << 32 | joint};
}

// Vertices with equal keys are welded to the lowest of them.
template <class KeyOfVertex>
std::vector<std::uint32_t> firstsOf(std::size_t count, const KeyOfVertex& keyOfVertex) {
  std::vector<std::pair<VertexKey, std::uint32_t>> order(count);
  for (std::uint32_t v = 0; v < count; ++v)
    order[v] = {keyOfVertex(v), v};
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> firsts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool same = i > 0 && order[i].first == order[i - 1].first;
    firsts[order[i].second] = same ? firsts[order[i - 1].second] : order[i].second;
  }
  return firsts;
}

std::uint32_t firstJoint(std::span<const Influence> influences) {
  std::uint32_t first = kNoNode;
  for (const Influence& influence : influences)
    first = std::min(first, influence.joint);
  return first;
}

} // namespace

std::vector<std::uint32_t> weldVertices(std::span<const vec3> positions) {
  return firstsOf(positions.size(), [&](std::uint32_t v) { return keyOf(positions[v], 0); });
}

std::vector<std::uint32_t> weldVertices(const Rig& rig) {
  return firstsOf(rig.positions.size(), [&](std::uint32_t v) {
    return keyOf(rig.positions[v], firstJoint(rig.influences.of(v)));
  });
}

std::vector<std::uint32_t> surfaceVertices(const Rig& rig) {
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  const std::vector<bool> inserted = insertedVertices(rig);
  std::vector<bool> seen(welded.size(), false);
  std::vector<std::uint32_t> out;
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    if (inserted[v] || seen[welded[v]]) continue;
    seen[welded[v]] = true;
    out.push_back(v);
  }
  return out;
}

} // namespace sinew
