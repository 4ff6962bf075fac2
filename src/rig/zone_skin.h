// The skin that zones take along. An artist's weights attach a vertex to a joint only where the
// joint's bone and its parent share it. A zone that reaches farther would end there with a tear:
// the skin beyond follows the parent alone, whatever the zone says. So a joint whose blend factor
// comes from a zone that was made wider also takes the parent's skin that continues its own and
// lies within the zone.
#pragma once

#include "rig/joint_weights.h"
#include "rig/zones.h"

namespace sinew {

// By joints for which fromZone is set and whose zone reaches farther into the parent's bone than
// zonesFromWeights() has it. Skin continues a joint's own, the vertices with weight of its bone,
// along edges whose vertices have weight of the parent: in full as far as the zone reaches, fading
// out over as much again. So what merely lies abreast (the other leg, the upper lip) stays. Empty
// without such joints.
TakenShares skinOfZones(const Rig& rig, const std::vector<BoneAxis>& axes,
                        const std::vector<Zone>& zones, const std::vector<bool>& fromZone);

} // namespace sinew
