// A joint's limit as one line of text, angles in degrees:
//
//   LowerArm hinge 0 1 0 -150 0        the axis (the joint's own), back and front angle
//   UpperArm universal 1 0 0 60 90     the bone's direction, rotational and bend freedom
#pragma once

#include "animation/joint_limits.h"

#include <string>
#include <vector>

namespace sinew {

// One per node of the hierarchy; empty for no lines. A joint's name may hold blanks. Throws
// usageError that quotes the line: no such joint, no such kind, too few numbers, an axis without
// direction, back beyond front, a negative freedom.
JointLimits limitsOfText(const Hierarchy& hierarchy, const std::vector<std::string>& lines);

std::string textOf(const std::string& joint, const JointLimit& limit); // empty: turns freely

} // namespace sinew
