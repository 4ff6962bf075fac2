// A chain of joints bound as the bones-blending paper binds it: every vertex that should change
// when a joint turns is attached to the bone that begins there, also those just behind it, and its
// parameter grows evenly over the joint's zone (Kavan and Zara 2003, section 3). An artist's
// weights attach fewer vertices, where the zone is wider than what they smooth.
#pragma once

#include "figures/scene.h"
#include "rig/subdivide.h"

namespace sinew {

struct NamedZone {
  std::string_view joint;
  Zone zone;
};

struct ZoneBound {
  Model model;             // weights 1 - t of the parent and t of the joint
  std::vector<Zone> zones; // one per joint of its rig

  Choice choice(std::string_view method) const {
    return {method, "parameter-source=zone,attachments=1", zones};
  }
};

// Joints from the root outwards, on one skinned mesh; a vertex before all zones follows the root.
ZoneBound bindByZones(Model model, std::span<const NamedZone> zones);

// The arm with an elbow whose zone reaches `half` to both sides, shoulder and wrist as wide as the
// demo's weights.
ZoneBound paperArm(float half);
ZoneBound paperArm(const Model& arm, float half);

// The same arm for a parameter that grows smoothly over the elbow's zone, which the paper leaves to
// future work: weights by a smooth step, to be read with parameter-source=weights.
Model smoothArm(float half);

// The triangles connected to the elbow divided.
Model divideElbow(const Model& arm, Subdivision kind);

// The elbow turned about +Z (bend) and its own bone (twist), degrees.
Pose elbowPose(const Model& arm, float bend, float twist);

} // namespace sinew
