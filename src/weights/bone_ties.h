// What the ends of a skeleton's bones hang on, so that the bones follow joints that are moved,
// added or removed, whatever rule made them.
#pragma once

#include "weights/skeleton.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

// A bone begins at its joint and ends at another one, or at a place of its own.
struct BoneTie {
  std::uint32_t joint = 0;              // index into Skeleton::joints
  std::optional<std::uint32_t> toJoint; // likewise
  vec3 to{0.0f};                        // without: in the joint's own axes
};

// One per bone. A bone that ends where a child joint stands ends at it.
std::vector<BoneTie> tiesOf(const Skeleton& skeleton);

// Makes the bones anew where the joints stand now. A joint with neither bones, parent nor children
// gets one without length.
void tieBones(Skeleton& skeleton, std::span<const BoneTie> ties);

// For a joint that has been added behind all others: it ends a bone of its parent. What ended at a
// place of the parent's own ends here now.
void tieAdded(const Skeleton& skeleton, std::vector<BoneTie>& ties);

// For a joint about to be removed: its bones go, and its children end bones of its parent. The ties
// are those of the skeleton without it.
void tieRemoved(const Skeleton& skeleton, std::uint32_t joint, std::vector<BoneTie>& ties);

} // namespace sinew
