// Joint limits as text, one per line, angles in degrees:
//
//   LowerArm hinge 0 1 0 -150 0        the axis (the joint's own), back and front angle
//   UpperArm universal 1 0 0 60 90     the bone's direction, rotational and bend freedom
#pragma once

#include "animation/ik/joint_limits.h"

#include <string>
#include <vector>

namespace sinew {

// One per node of the hierarchy; empty for no lines. A joint's name may contain spaces. Throws
// usageError that quotes the line: unknown joint or kind, too few numbers, a zero axis, back beyond
// front, a negative freedom.
JointLimits limitsOfText(const Hierarchy& hierarchy, const std::vector<std::string>& lines);

std::string toString(const std::string& joint, const JointLimit& limit); // empty: no limit

} // namespace sinew
