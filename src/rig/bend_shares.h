// Which joints bend a vertex, and by what share: a partition of unity over joints, from the bone
// weights (docs/methods.md, section 7).
#pragma once

#include "core/lists.h"
#include "rig/rig.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinew {

struct BendShare {
  std::uint32_t joint = 0; // index into Rig::joints
  float share = 0.0f;
};

// Every pair of bones that a vertex follows bends it at the joints on the way from one to the
// other: a pair counts with the product of its weights, in equal parts for each of these joints.
// Every vertex has at least one joint; shares sum to 1 and are continuous in the weights. A vertex
// of a single bone, which nothing bends, counts for that bone's own joint.
Lists<BendShare> bendShares(const Rig& rig);

// What a joint has at the start of an edge of the surface, in the limit, and by how much it grows
// over all of the edge if it goes on as it begins. The limit is not what a vertex of a single bone
// itself has: as soon as a second bone appears, the joints between them bend it.
struct BendShareRate {
  std::uint32_t joint = 0;
  double share = 0.0, growth = 0.0;
};
using BendShareRates =
    std::function<std::vector<BendShareRate>(std::uint32_t from, std::uint32_t to)>;

// Bone weights change evenly along an edge. Refers to the rig.
BendShareRates bendShareRates(const Rig& rig);

} // namespace sinew
