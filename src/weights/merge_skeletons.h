// The joints of two skeletons by their names, and one skeleton with joints of the other.
#pragma once

#include "weights/skeleton.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

// Per joint of `from` the joint of `to` with the same name.
using SameJoints = std::vector<std::optional<std::uint32_t>>;
SameJoints sameJoints(const Skeleton& from, const Skeleton& to);

// Adds to `to` the wanted joints of `from` that it lacks, and the joints above them, where they are
// in the bind pose; one without a joint above hangs at the first node. Bones and clips stay.
// wanted: per joint of `from`. Returns sameJoints() of the result.
SameJoints addJoints(const Skeleton& from, const std::vector<bool>& wanted, Skeleton& to);

} // namespace sinew
