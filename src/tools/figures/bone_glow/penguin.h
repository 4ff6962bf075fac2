// The penguin of the bone-glow figures: an egg with a head, a beak, two flippers and two feet.
#pragma once

#include "tools/figures/bone_glow/weight_subject.h"

namespace sinew {

WeightSubject penguinSubject();

} // namespace sinew
