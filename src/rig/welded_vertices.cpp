#include "rig/welded_vertices.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew {
namespace {

// Vertices with equal keys are welded to the lowest of them.
template <class Key>
std::vector<std::uint32_t> firstsOf(std::size_t count, const Key& keyOf) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(keyOf(a), a) < std::pair(keyOf(b), b);
  });
  std::vector<std::uint32_t> firsts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool same = i > 0 && keyOf(order[i]) == keyOf(order[i - 1]);
    firsts[order[i]] = same ? firsts[order[i - 1]] : order[i];
  }
  return firsts;
}

std::array<float, 3> coordinates(const vec3& p) {
  return {p.x, p.y, p.z};
}

std::uint32_t firstJoint(std::span<const Influence> influences) {
  std::uint32_t first = kNoNode;
  for (const Influence& influence : influences)
    first = std::min(first, influence.joint);
  return first;
}

} // namespace

std::vector<std::uint32_t> weldVertices(std::span<const vec3> positions) {
  return firstsOf(positions.size(), [&](std::uint32_t v) { return coordinates(positions[v]); });
}

std::vector<std::uint32_t> weldVertices(const Rig& rig) {
  return firstsOf(rig.positions.size(), [&](std::uint32_t v) {
    return std::pair(coordinates(rig.positions[v]), firstJoint(rig.influences.of(v)));
  });
}

} // namespace sinew
