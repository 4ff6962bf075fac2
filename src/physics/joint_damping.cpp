#include "physics/joint_damping.h"

#include "physics/most_severe_first.h"

#include <cmath>

namespace sinew {

void dampJoints(std::span<RigidBody> bodies, std::span<const SolverJoint> joints, double lost) {
  for (const SolverJoint& joint : joints) {
    RigidBody& parent = bodies[joint.parent];
    RigidBody& child = bodies[joint.child];
    if (!(parent.inverseMass + child.inverseMass > 0.0)) continue;
    const glm::dvec3 impulse = angularImpulseFor(parent, child, -lost * (child.spin - parent.spin));
    child.spin += inverseInertiaTimes(child, impulse);
    parent.spin -= inverseInertiaTimes(parent, impulse);
  }
}

double lostWithin(double perSecond, double seconds) {
  return 1.0 - std::pow(1.0 - perSecond, seconds);
}

} // namespace sinew
