// The zone of a joint: the part of its bone's axis over which its movement grows from none to all
// of it (t_min and t_max of Kavan and Zara 2003). Bones blending and arc-splines share it.
#pragma once

#include "rig/bone_axes.h"

#include <vector>

namespace sinew {

// Signed distances from the joint's centre along its bone, min < 0 < max.
struct Zone {
  float min = -0.5f;
  float max = 0.5f;

  bool operator==(const Zone&) const = default;
};

// Where a vertex takes its share of a joint's movement from.
enum class ParameterSource {
  weights, // the artist's bone weights
  zone,    // its distance along the bone within the zone
};

// Half the length of the bones on either side.
Zone defaultZone(const BoneAxis& axis);

// One per joint, from the artist's weights: where joint and parent both have more than 5 % of a
// vertex, between the 5th and 95th percentile; capped so that zones on one bone do not overlap, and
// never shorter than a twentieth of a bone. The default zone where they share no vertex.
std::vector<Zone> zonesFromWeights(const Rig& rig, const std::vector<BoneAxis>& axes);

// Share of the joint's movement at a bind position by distance along the bone, 0 to 1.
float zoneParameter(const BoneAxis& axis, const Zone& zone, const vec3& position);

} // namespace sinew
