// The zone of a joint: the stretch of its bone over which the joint's rotation blends in (t_min and
// t_max of Kavan and Zara 2003), and the skin that it takes along. Used by bones blending and
// arc-splines.
#pragma once

#include "rig/blend_curve.h"
#include "rig/bone_axes.h"
#include "rig/joint_weights.h"

#include <vector>

namespace sinew {

// Signed distances from the joint's center along its bone, min < 0 < max.
struct Zone {
  float min = -0.5f;
  float max = 0.5f;
  BlendCurve curve = {}; // maps the blend factor, whatever its source

  bool operator==(const Zone&) const = default;
};

// What determines a vertex's blend factor.
enum class ParameterSource {
  weights, // the artist's bone weights
  zone,    // its distance along the bone within the zone
};

// Where a joint's twist, its rotation about its bone, blends in. Bending belongs near the joint,
// twist along the whole bone.
struct TwistRange {
  enum class Kind {
    zone,  // with the rest of the rotation, as the papers have it
    bone,  // over the bone that the joint twists (skinning/twist_ranges.h)
    given, // over min to max, along the bone as a zone
  };
  Kind kind = Kind::zone;
  float min = 0.0f; // <= 0; farther behind the joint than max is before it: along the parent's bone
  float max = 0.0f; // >= 0

  bool operator==(const TwistRange&) const = default;
};

// Half the length of the bones on either side.
Zone defaultZone(const BoneAxis& axis);

// One per joint, from the artist's weights: the 5th to 95th percentile of the vertices where joint
// and parent both have more than 5 %; limited so that zones on one bone do not overlap, and at
// least a twentieth of a bone. The default zone if there are no such vertices.
std::vector<Zone> zonesFromWeights(const Rig& rig, const std::vector<BoneAxis>& axes);

// The part of the zone that lies before a bind position, by its distance along the bone, 0 to 1.
float zoneFraction(const BoneAxis& axis, const Zone& zone, const vec3& position);

// The blend factor there: the zone's curve of that fraction.
float zoneParameter(const BoneAxis& axis, const Zone& zone, const vec3& position);

// The skin that zones take along: an artist's weights attach a vertex to a joint only where the
// joint's bone and its parent share it. A zone that reaches farther would end there with a tear:
// the skin beyond follows the parent alone, whatever the zone says. So a joint whose blend factor
// comes from a zone that was made wider also takes the parent's skin that continues its own and
// lies within the zone.
//
// By joints for which fromZone is set and whose zone reaches farther into the parent's bone than
// zonesFromWeights() has it. Skin continues a joint's own, the vertices with weight of its bone,
// along edges whose vertices have weight of the parent: in full as far as the zone reaches, fading
// out over as much again. So what merely lies abreast (the other leg, the upper lip) stays. Empty
// without such joints.
TakenShares skinOfZones(const Rig& rig, const std::vector<BoneAxis>& axes,
                        const std::vector<Zone>& zones, const std::vector<bool>& fromZone);

} // namespace sinew
