// Left and right in the names of joints, as modelling programs write them: LeftArm, arm_l, Arm.L,
// Bip01_R_Thigh, rShoulder, Foot.L_end.
#pragma once

#include "model/hierarchy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class Side { none, left, right };

// A name with its side exchanged. A name may be read in several ways ("L_Lower_R"): the right one
// is that whose other name exists.
struct SideName {
  std::string other;
  Side side = Side::none; // side in the given name
};
std::vector<SideName> sideNames(std::string_view name);

// Per node its partner on the other side, or kNoNode; the relation is symmetric. Names may differ
// in case, and in a trailing number added by exporters (b_LeftHand_011).
struct SidePartners {
  std::vector<std::uint32_t> partner;
  std::vector<Side> side; // Side::none without a partner
};
SidePartners partnersByName(const Hierarchy& hierarchy);

} // namespace sinew
