#include "rig/welded_vertices.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew {
namespace {

// Sum of the differences of weights up to which vertices at one position are one: files round
// weights to 8 bits.
constexpr float kSameWeights = 0.02f;

// A vertex by the bits of its position and a joint.
struct VertexKey {
  std::uint64_t xy = 0;
  std::uint64_t zJoint = 0;

  bool operator==(const VertexKey&) const = default;

  // The finisher of splitmix64 (Steele et al. 2014), so that places on a grid are spread.
  std::size_t hash() const {
    std::uint64_t h = xy ^ zJoint * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(h ^ h >> 31);
  }
};

VertexKey makeKey(const vec3& position, std::uint32_t joint) {
  const vec3 p = position + 0.0f; // -0 is 0
  const auto bits = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  return {bits(p.x) << 32 | bits(p.y), bits(p.z) << 32 | joint};
}

// Vertices with equal keys, and alike by alike(v, first), are welded to the lowest of them. A table
// that is never more than half full finds them: sorting takes several times as long.
template <class KeyOfVertex, class Alike>
std::vector<std::uint32_t> mapToFirstEqual(std::size_t count, const KeyOfVertex& keyOfVertex,
                                           const Alike& alike) {
  constexpr std::uint32_t kFree = ~0u;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * count + 1), kFree);
  std::vector<VertexKey> keys(count);
  std::vector<std::uint32_t> firsts(count);
  for (std::uint32_t v = 0; v < count; ++v) {
    keys[v] = keyOfVertex(v);
    std::size_t at = keys[v].hash() & (table.size() - 1);
    while (table[at] != kFree && !(keys[table[at]] == keys[v] && alike(v, table[at])))
      at = (at + 1) & (table.size() - 1);
    if (table[at] == kFree) table[at] = v;
    firsts[v] = table[at];
  }
  return firsts;
}

std::uint32_t firstJoint(std::span<const Influence> influences) {
  std::uint32_t first = kNoNode;
  for (const Influence& influence : influences)
    first = std::min(first, influence.joint);
  return first;
}

bool haveSameWeights(std::span<const Influence> a, std::span<const Influence> b) {
  float apart = 0.0f, shared = 0.0f;
  for (const Influence& influence : a) {
    const auto at = std::ranges::find(b, influence.joint, &Influence::joint);
    const float other = at != b.end() ? at->weight : 0.0f;
    apart += std::abs(influence.weight - other);
    shared += other;
  }
  for (const Influence& influence : b)
    apart += influence.weight;
  return apart - shared <= kSameWeights;
}

} // namespace

std::vector<std::uint32_t> weldVertices(std::span<const vec3> positions) {
  return mapToFirstEqual(
      positions.size(), [&](std::uint32_t v) { return makeKey(positions[v], 0); },
      [](std::uint32_t, std::uint32_t) { return true; });
}

std::vector<std::uint32_t> weldVertices(const Rig& rig) {
  return mapToFirstEqual(
      rig.positions.size(),
      [&](std::uint32_t v) { return makeKey(rig.positions[v], firstJoint(rig.influences.of(v))); },
      [&](std::uint32_t v, std::uint32_t first) {
        return haveSameWeights(rig.influences.of(v), rig.influences.of(first));
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
