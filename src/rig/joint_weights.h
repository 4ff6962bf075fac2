// Converts bone weights, as in artists' files, to joint weights, as used by bones blending and
// arc-splines (docs/methods.md, section 7). A joint is the edge from a bone to its parent bone; it
// has the index of the bone that begins at it.
#pragma once

#include "core/lists.h"
#include "rig/rig.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct JointAttachment {
  std::uint32_t joint = 0; // index into Rig::joints
  float weight = 0.0f;
  float blendFactor = 1.0f; // t_w: 0 follows the joint's parent, 1 the joint
};

// Every vertex has at least one, by falling weight; weights sum to 1.
using JointAttachments = Lists<JointAttachment>;

// The share of a bone's weight that one of its children's joints takes, before anything else.
struct TakenShare {
  std::uint32_t joint = 0;
  float share = 0.0f; // > 0; those of one bone sum to at most 1
};
using TakenShares = Lists<TakenShare>; // one list per vertex

// Each bone's weight is divided among the joints at its ends in proportion to the weight of the
// bone beyond; without any, its own joint takes it. Keeps the `limit` largest joints, renormalised.
// taken: what the joints take first; empty: nothing.
JointAttachments attachToJoints(const Rig& rig, std::uint32_t limit, const TakenShares& taken = {});

// Every joint's parent; itself for a joint without one, so that it does not move relative to it.
std::vector<std::uint32_t> parentOrSelf(const Rig& rig);

} // namespace sinew
