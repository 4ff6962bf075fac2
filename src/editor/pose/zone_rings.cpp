#include "editor/pose/zone_rings.h"

#include "core/directions.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr float kLeast = 0.01f;       // shortest side of a zone, share of its bone
constexpr std::size_t kEnough = 8;    // vertices from which the thickness of the skin is estimated
constexpr float kShareOfSkin = 0.8f;  // share of the vertices inside the ring
constexpr float kMostlyTheirs = 0.5f; // weight of the two bones at a vertex
constexpr int kRingPieces = 64;

float sumShare(const Rig& rig, std::size_t vertex, std::uint32_t joint, std::uint32_t parent) {
  float share = 0.0f;
  for (const Influence& influence : rig.influences.of(vertex))
    if (influence.joint == joint || influence.joint == parent) share += influence.weight;
  return share;
}

// How far the skin of the two bones is from the axis, about `along`: within a slab that grows until
// it holds enough of it.
float skinRadius(const Rig& rig, const ZoneShape& shape, float along) {
  std::vector<vec2> skin; // distances along, from the slab's middle, and across
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    if (sumShare(rig, v, shape.joint, shape.parent) < kMostlyTheirs) continue;
    const vec3 arm = rig.positions[v] - shape.axis.center;
    const float s = glm::dot(arm, shape.axis.direction);
    skin.emplace_back(std::abs(s - along), glm::length(arm - s * shape.axis.direction));
  }
  const float length = 0.5f * (shape.axis.length + shape.axis.parentLength);
  if (skin.size() < kEnough) return 0.2f * length;
  std::sort(skin.begin(), skin.end(), [](vec2 a, vec2 b) { return a.x < b.x; });
  std::size_t count = kEnough;
  while (count < skin.size() && skin[count].x < 0.08f * length)
    ++count;
  std::vector<float> across;
  for (std::size_t i = 0; i < count; ++i)
    across.push_back(skin[i].y);
  const auto at =
      across.begin() + static_cast<std::ptrdiff_t>(kShareOfSkin * static_cast<float>(count - 1));
  std::nth_element(across.begin(), at, across.end());
  return 1.1f * *at;
}

mat4 modelFromBind(const Rig& rig, std::span<const mat4> modelFromNode, std::uint32_t joint) {
  return modelFromNode[rig.joints[joint].node] * rig.joints[joint].jointFromBind;
}

ZoneRing ringAt(const ZoneShape& shape, const mat4& model, float along, float radius) {
  const vec3 direction = mat3(model) * shape.axis.direction;
  const float scale = glm::length(direction);
  const vec3 center = transformPoint(model, shape.axis.center + along * shape.axis.direction);
  const float volume = std::abs(glm::determinant(mat3(model)));
  const float across = scale > 0.0f ? std::sqrt(volume / scale) : 1.0f;
  return {center, scale > 0.0f ? direction / scale : vec3(0, 1, 0), radius * across, scale};
}

std::size_t toIndex(ZoneEnd end) {
  return static_cast<std::size_t>(end);
}

} // namespace

std::optional<std::uint32_t> zoneJoint(const Rig& rig, std::uint32_t node) {
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    if (rig.joints[j].node == node && rig.joints[j].parent != kNoNode) return j;
  return std::nullopt;
}

ZoneShape zoneShape(const Rig& rig, const BoneAxis& axis, const Zone& zone, std::uint32_t joint) {
  const std::uint32_t parent = rig.joints[joint].parent;
  ZoneShape shape{joint, parent != kNoNode ? parent : joint, axis, zone, {}};
  shape.radius = {skinRadius(rig, shape, zone.min), skinRadius(rig, shape, 0.0f),
                  skinRadius(rig, shape, zone.max)};
  return shape;
}

std::vector<std::uint32_t> zoneVertices(const Rig& rig, const ZoneShape& shape) {
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    const float along = glm::dot(rig.positions[v] - shape.axis.center, shape.axis.direction);
    if (along < shape.zone.min || along > shape.zone.max) continue;
    if (sumShare(rig, v, shape.joint, shape.parent) >= kMostlyTheirs) vertices.push_back(v);
  }
  return vertices;
}

std::array<ZoneRing, 3> posedRings(const ZoneShape& shape, const Rig& rig,
                                   std::span<const mat4> modelFromNode) {
  const mat4 parent = modelFromBind(rig, modelFromNode, shape.parent);
  const mat4 joint = modelFromBind(rig, modelFromNode, shape.joint);
  std::array<ZoneRing, 3> rings{ringAt(shape, parent, shape.zone.min, shape.radius[0]),
                                ringAt(shape, joint, 0.0f, shape.radius[1]),
                                ringAt(shape, joint, shape.zone.max, shape.radius[2])};
  // The joint's own ring halves the bend.
  const vec3 middle = rings[0].axis + rings[2].axis;
  if (glm::length(middle) > 0.1f) rings[1].axis = glm::normalize(middle);
  return rings;
}

vec3 zoneRingPoint(const ZoneRing& ring, float angle) {
  const mat3 frame = frameAlong(ring.axis);
  return ring.center + ring.radius * (std::cos(angle) * frame[1] + std::sin(angle) * frame[2]);
}

std::optional<ZoneEnd> pickZoneRing(const std::array<ZoneRing, 3>& rings, const View& view,
                                    vec2 mouse, float reach) {
  std::optional<ZoneEnd> best;
  for (const ZoneEnd end : {ZoneEnd::min, ZoneEnd::max})
    for (int i = 0; i < kRingPieces; ++i) {
      const float angle = 6.2831853f * static_cast<float>(i) / kRingPieces;
      const vec3 place = screenFromWorld(view, zoneRingPoint(rings[toIndex(end)], angle));
      const float distance = glm::length(vec2(place) - mouse);
      if (distance > reach || place.z > 1.0f) continue;
      reach = distance;
      best = end;
    }
  return best;
}

ZoneDrag startZoneDrag(const ZoneShape& shape, const std::array<ZoneRing, 3>& rings, ZoneEnd end,
                       const View& view, vec2 mouse) {
  ZoneDrag drag{end, rings[toIndex(end)], shape.zone, 0.0f};
  drag.start = nearestOnLine(rayAt(view, mouse), drag.ring.center, drag.ring.axis).value_or(0.0f);
  return drag;
}

Zone dragZone(const ZoneDrag& drag, const BoneAxis& axis, const View& view, vec2 mouse) {
  const auto now = nearestOnLine(rayAt(view, mouse), drag.ring.center, drag.ring.axis);
  if (!now || drag.ring.scale <= 0.0f) return drag.zone;
  const float moved = (*now - drag.start) / drag.ring.scale;
  Zone zone = drag.zone;
  (drag.end == ZoneEnd::min ? zone.min : zone.max) += moved;
  return limitedZone(axis, zone);
}

Zone limitedZone(const BoneAxis& axis, Zone zone) {
  zone.min = std::clamp(zone.min, -axis.parentLength, -kLeast * axis.parentLength);
  zone.max = std::clamp(zone.max, kLeast * axis.length, axis.length);
  return zone;
}

} // namespace sinew
