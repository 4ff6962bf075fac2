// A chain of joints bound as in the bones-blending paper: every vertex that should change when a
// joint rotates is attached to the bone that begins there, also those just before it, and its
// parameter is linear over the joint's zone (Kavan and Zara 2003, section 3). An artist's weights
// attach fewer vertices if the zone is wider than their smooth transition.
#pragma once

#include "rig/subdivide.h"
#include "tools/figures/scene.h"

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

// The arm with an elbow whose zone extends by `half` to both sides; shoulder and wrist as wide as
// in the demo's weights.
ZoneBound paperArm(float half);
ZoneBound paperArm(const Model& arm, float half);

// The same with a parameter that is smooth over every zone, so that the rotation's derivative along
// the bone is continuous, which the paper leaves to future work (section 5).
ZoneBound smoothly(ZoneBound bound);

// The arm with the triangles connected to the elbow divided.
Model divideElbow(const Model& arm, Subdivision kind);

// The elbow rotated about +Z (bend) and its own bone (twist), degrees.
Pose elbowPose(const Model& arm, float bend, float twist);

} // namespace sinew
