// Joints as people call them: "LowerArm.R" is the right elbow, because that is where it turns.
#pragma once

#include "model/hierarchy.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// "Right elbow", "Left knee", "Hips"; words of other names in order, the side first: "Right thumb
// 2". A name without letters stays as it is.
std::string jointPhrase(std::string_view name);

// The same for every node; where two nodes of `joints` would be called the same, their own names
// follow in brackets.
std::vector<std::string> jointPhrases(const Hierarchy& hierarchy,
                                      const std::vector<std::uint32_t>& joints);

// A clip without what exporters put before every name: "HumanArmature|Man_Death" is "Man_Death".
std::string clipPhrase(std::string_view name);

} // namespace sinew
