#include "rig/zones.h"

#include "rig/joint_weights.h"
#include "rig/surface_smoothing.h"
#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace sinew {
namespace {

constexpr float kNoticeable = 0.05f;   // weight below which a bone does not count
constexpr float kShortestBone = 0.05f; // fraction of a bone's length, either side of the joint

// Per joint the distances along its bone of the vertices it shares with its parent; one for those
// at one position.
std::vector<std::vector<float>> sharedDistances(const Rig& rig, const std::vector<BoneAxis>& axes) {
  std::vector<std::vector<float>> distances(rig.joints.size());
  for (const std::uint32_t v : surfaceVertices(rig)) {
    const auto influences = rig.influences.of(v);
    for (const Influence& influence : influences) {
      const std::uint32_t parent = rig.joints[influence.joint].parent;
      if (parent == kNoNode || influence.weight <= kNoticeable) continue;
      if (getWeight(influences, parent) <= kNoticeable) continue;
      const BoneAxis& axis = axes[influence.joint];
      distances[influence.joint].push_back(
          glm::dot(rig.positions[v] - axis.center, axis.direction));
    }
  }
  return distances;
}

float percentile(const std::vector<float>& sorted, float fraction) {
  const auto last = static_cast<float>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(fraction * last))];
}

} // namespace

Zone defaultZone(const BoneAxis& axis) {
  return {-0.5f * axis.parentLength, 0.5f * axis.length};
}

std::vector<Zone> zonesFromWeights(const Rig& rig, const std::vector<BoneAxis>& axes) {
  std::vector<std::vector<float>> distances = sharedDistances(rig, axes);
  std::vector<Zone> zones;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const Zone widest = defaultZone(axes[j]);
    std::vector<float>& shared = distances[j];
    if (shared.empty()) {
      zones.push_back(widest);
      continue;
    }
    std::sort(shared.begin(), shared.end());
    zones.push_back(
        {std::clamp(percentile(shared, 0.05f), widest.min, -kShortestBone * axes[j].parentLength),
         std::clamp(percentile(shared, 0.95f), kShortestBone * axes[j].length, widest.max)});
  }
  return zones;
}

float zoneFraction(const BoneAxis& axis, const Zone& zone, const vec3& position) {
  const float along = glm::dot(position - axis.center, axis.direction);
  return std::clamp((along - zone.min) / (zone.max - zone.min), 0.0f, 1.0f);
}

float zoneParameter(const BoneAxis& axis, const Zone& zone, const vec3& position) {
  return blendAt(zone.curve, zoneFraction(axis, zone, position));
}

namespace {

constexpr float kChanged = 0.02f; // by less a zone is still the fitted one
constexpr float kFar = std::numeric_limits<float>::infinity();

float getWeight(const Rig& rig, std::size_t vertex, std::uint32_t joint) {
  return getWeight(rig.influences.of(vertex), joint);
}

// Whether some vertex follows the joint and its parent.
bool sharesSkin(const Rig& rig, std::uint32_t joint) {
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    if (getWeight(rig, v, joint) > 0.0f && getWeight(rig, v, rig.joints[joint].parent) > 0.0f)
      return true;
  return false;
}

// Whether no other joint of the bone beside the child's has a part of the vertex: the child's has
// all of the bone's weight there.
bool hasAll(const Rig& rig, std::size_t vertex, std::uint32_t child) {
  const std::uint32_t bone = rig.joints[child].parent;
  bool found = false;
  for (const Influence& influence : rig.influences.of(vertex)) {
    if (influence.joint == child) found = true;
    const bool other = influence.joint == rig.joints[bone].parent ||
                       (influence.joint != child && rig.joints[influence.joint].parent == bone);
    if (other) return false;
  }
  return found;
}

// How far points of the surface are from some of them along edges, up to a limit.
class SurfaceDistances {
 public:
  explicit SurfaceDistances(const Rig& rig)
      : rig_(rig), surface_(rig), distance_(surface_.pointCount(), kFar) {}

  const SurfaceSmoothing& surface() const { return surface_; }

  // The points of the parent's skin nearer than `limit` to the joint's own, with their distances.
  std::vector<std::pair<std::uint32_t, float>> near(const std::vector<std::uint32_t>& own,
                                                    std::uint32_t parent, float limit) {
    for (const std::uint32_t point : own)
      offer(point, 0.0f);
    while (!front_.empty()) {
      const auto [distance, point] = front_.top();
      front_.pop();
      if (distance > distance_[point]) continue; // a nearer path was found since
      const vec3& here = rig_.positions[surface_.vertexAt(point)];
      for (const std::uint32_t next : surface_.neighbours(point)) {
        const std::uint32_t vertex = surface_.vertexAt(next);
        const float reached = distance + glm::distance(here, rig_.positions[vertex]);
        if (reached < limit && getWeight(rig_, vertex, parent) > 0.0f) offer(next, reached);
      }
    }
    std::vector<std::pair<std::uint32_t, float>> out;
    for (const std::uint32_t point : touched_)
      out.emplace_back(point, std::exchange(distance_[point], kFar));
    touched_.clear();
    return out;
  }

 private:
  using Reached = std::pair<float, std::uint32_t>; // distance, point

  void offer(std::uint32_t point, float distance) {
    if (!(distance < distance_[point])) return;
    if (distance_[point] == kFar) touched_.push_back(point);
    distance_[point] = distance;
    front_.emplace(distance, point);
  }

  const Rig& rig_;
  SurfaceSmoothing surface_;
  std::vector<float> distance_;
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> front_;
};

// What a joint may take at a point.
struct Wanted {
  std::uint32_t joint = 0;
  float continues = 0.0f;   // how far the skin continues the joint's own, 0 to 1
  float blendFactor = 0.0f; // by the zone there, before its curve
};

// What a bone's own joint wants at a vertex: the part that has not taken on the bone's motion yet.
float wantedByOwn(const Rig& rig, std::size_t vertex, std::uint32_t bone,
                  const std::vector<BoneAxis>& axes, const std::vector<Zone>& zones,
                  const std::vector<bool>& fromZone) {
  const std::uint32_t parent = rig.joints[bone].parent;
  if (parent == kNoNode) return 0.0f;
  if (fromZone[bone]) return 1.0f - zoneFraction(axes[bone], zones[bone], rig.positions[vertex]);
  const float beyond = getWeight(rig, vertex, parent);
  return beyond > 0.0f ? beyond / (beyond + getWeight(rig, vertex, bone)) : 0.0f;
}

// 1 up to the length, 0 from twice the length on.
float fade(float distance, float length) {
  const float t = std::clamp(2.0f - distance / length, 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

} // namespace

TakenShares skinOfZones(const Rig& rig, const std::vector<BoneAxis>& axes,
                        const std::vector<Zone>& zones, const std::vector<bool>& fromZone) {
  const std::vector<Zone> fitted = zonesFromWeights(rig, axes);
  std::vector<std::uint32_t> wide;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    if (!fromZone[j] || rig.joints[j].parent == kNoNode) continue;
    const float wider = fitted[j].min - zones[j].min;
    const float least = -kChanged * fitted[j].min;
    if (wider > least || (wider < -least && !sharesSkin(rig, j))) wide.push_back(j);
  }
  if (wide.empty()) return {};
  SurfaceDistances distances(rig);
  const SurfaceSmoothing& surface = distances.surface();
  std::vector<std::vector<std::uint32_t>> own(rig.joints.size()); // points
  for (std::uint32_t point = 0; point < surface.pointCount(); ++point)
    for (const Influence& influence : rig.influences.of(surface.vertexAt(point)))
      if (influence.weight > 0.0f) own[influence.joint].push_back(point);
  std::vector<std::vector<Wanted>> wanted(surface.pointCount());
  for (const std::uint32_t j : wide) {
    const std::uint32_t parent = rig.joints[j].parent;
    const float length = -zones[j].min;
    for (const auto& [point, distance] : distances.near(own[j], parent, 2.0f * length)) {
      const Wanted want{j, fade(distance, length),
                        zoneFraction(axes[j], zones[j], rig.positions[surface.vertexAt(point)])};
      if (want.continues * want.blendFactor > 0.0f && !hasAll(rig, surface.vertexAt(point), j))
        wanted[point].push_back(want);
    }
  }
  TakenShares out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::vector<Wanted>& all = wanted[surface.getPoint(v)];
    for (const Wanted& want : all) {
      const std::uint32_t bone = rig.joints[want.joint].parent;
      float sum = want.blendFactor + wantedByOwn(rig, v, bone, axes, zones, fromZone);
      for (const Wanted& other : all)
        if (other.joint != want.joint && rig.joints[other.joint].parent == bone)
          sum += other.continues * other.blendFactor;
      out.values.push_back({want.joint, want.continues * want.blendFactor / sum});
    }
    out.endList();
  }
  return out;
}

} // namespace sinew
