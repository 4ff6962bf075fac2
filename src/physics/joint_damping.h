// Damping of joints by the relative velocity of their bodies, which Lovrović 2015 (section 4) names
// as the next feature: it stands for what resists in a body, friction and muscle. Plain data and no
// engine.
#pragma once

#include "physics/severity_solver.h"

#include <span>

namespace sinew {

// At every joint, one after another, the child's spin relative to the parent's loses the fraction
// `lost`, 0 to 1, about its own axis, by equal and opposite angular impulses: angular momentum
// stays, and the kinetic energy never grows.
void dampJoints(std::span<RigidBody> bodies, std::span<const SolverJoint> joints, double lost);

// The fraction lost in `seconds` of what loses the fraction `perSecond` in a second.
double lostWithin(double perSecond, double seconds);

} // namespace sinew
