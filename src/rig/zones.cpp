#include "rig/zones.h"

#include "rig/joint_weights.h"
#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float kNoticeable = 0.05f;   // weight below which a bone does not count
constexpr float kShortestBone = 0.05f; // of a bone's length, either side of the joint

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

} // namespace sinew
