#include "editor/pose/pick.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

struct Candidate {
  float pixels = 0.0f;
  float depth = 0.0f;
  std::uint32_t node = 0;
};

// Distance from p to the segment a-b on the screen, and the depth there. Behind the eye there is
// nothing to point at.
std::optional<Candidate> distanceTo(const vec3& a, const vec3& b, vec2 p, std::uint32_t node) {
  if (a.z < 0.0f || a.z > 1.0f || b.z < 0.0f || b.z > 1.0f) return std::nullopt;
  const vec2 ab = vec2(b) - vec2(a);
  const float length2 = glm::dot(ab, ab);
  const float t =
      length2 > 0.0f ? std::clamp(glm::dot(p - vec2(a), ab) / length2, 0.0f, 1.0f) : 0.0f;
  return Candidate{glm::length(p - (vec2(a) + t * ab)), glm::mix(a.z, b.z, t), node};
}

bool better(const Candidate& a, const Candidate& b) {
  // Half a pixel decides nothing: a bone seen end on lies over the one behind it.
  if (std::abs(a.pixels - b.pixels) > 0.5f) return a.pixels < b.pixels;
  return a.depth < b.depth;
}

} // namespace

std::optional<std::uint32_t> pickJoint(const Model& model, std::span<const mat4> modelFromNode,
                                       const View& view, vec2 mouse, float radius,
                                       std::span<const std::uint8_t> hidden) {
  const std::vector<std::uint32_t> joints = jointNodes(model);
  std::optional<Candidate> best;
  const auto offer = [&](const std::optional<Candidate>& candidate) {
    if (candidate && candidate->pixels <= radius && (!best || better(*candidate, *best)))
      best = candidate;
  };
  const auto isHidden = [&](std::uint32_t node) {
    return hidden.size() == model.hierarchy.nodes.size() && hidden[node] != 0;
  };
  std::vector<std::optional<vec3>> screen(model.hierarchy.nodes.size());
  for (const std::uint32_t node : joints) {
    screen[node] = screenFromWorld(view, vec3(modelFromNode[node][3]));
    if (isHidden(node)) continue;
    offer(distanceTo(*screen[node], *screen[node], mouse, node));
    // The bone between a joint and the next one above it belongs to the upper one.
    std::uint32_t above = model.hierarchy.nodes[node].parent;
    while (above != kNoNode && !screen[above])
      above = model.hierarchy.nodes[above].parent;
    if (above != kNoNode && !isHidden(above))
      offer(distanceTo(*screen[above], *screen[node], mouse, above));
  }
  if (!best) return std::nullopt;
  return best->node;
}

} // namespace sinew
