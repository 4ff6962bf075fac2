// Velocity skinning (Rohmer, Tarini, Kalyanasundaram, Moshfeghifar, Cani, Zordan: Velocity Skinning
// for Real-time Stylized Skeletal Animation, Eurographics 2021): skin lags behind the joints that
// move it (drag), and stretches along their motion and becomes thinner across it (squash).
//
//   d(p) = sum_j a_j psi_j(p),   psi_j = drag and squash by the velocity of node j,
//
// a_j: the vertex's weights of j and of all below it. All lengths are in units of the model's size,
// so that a character has the same look in metres and in centimetres.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"
#include "skinning/bone_palette.h"

#include <array>
#include <span>
#include <vector>

namespace sinew {

// How fast a node moves relative to its parent, from two poses a short time apart. Both in model
// space: translation of the node's origin as its parent sees it, in units of length a
// second, and rotation about that origin in radians a second.
struct JointVelocity {
  vec3 linear{0.0f};
  vec3 angular{0.0f};
};

// One per node. `modelFromNode`: F at the moment in between. `seconds`: from `before` to `after`;
// without a positive time nothing moves. Changes of scale are no velocity.
void jointVelocities(const Hierarchy& hierarchy, const Pose& before, const Pose& after,
                     double seconds, std::span<const mat4> modelFromNode,
                     std::vector<JointVelocity>& out);

// The paper's k_drag and k_squash; 0 leaves the skin as it is. Authors' examples: 0.4 and 0.1.
struct VelocityStrength {
  float drag = 0.0f;   // seconds; for rotations radians per size a second
  float squash = 0.0f; // seconds

  bool moves() const { return drag > 0.0f || squash > 0.0f; }
  bool operator==(const VelocityStrength&) const = default;
};

// A moving node, for the formulas: model space.
struct MovingNode {
  vec3 origin{0.0f};   // p_j
  vec3 centroid{0.0f}; // centroid of all skin that follows the node
  JointVelocity velocity;
  VelocityStrength strength;
  float size = 1.0f; // the model's size
};

// psi_j at a point: the formulas as they are in the paper, with limits that keep a jump of the
// animation from tearing the skin. A value below half its limit is exact (softLimit()).
vec3 nodeDisplacement(const MovingNode& node, const vec3& point);
// Its four parts.
vec3 linearDrag(const MovingNode& node);
vec3 linearSquash(const MovingNode& node, const vec3& point);
vec3 angularDrag(const MovingNode& node, const vec3& point);
vec3 angularSquash(const MovingNode& node, const vec3& point);

inline constexpr float kDragLimit = 0.3f;      // fraction of the model's size
inline constexpr float kDragAngleLimit = 1.6f; // radians
inline constexpr float kSquashLimit = 1.0f;    // an elongation to twice the length

// x below half the limit; then smoothly towards the limit.
float softLimit(float x, float limit);

// Where the skin of every joint is, found once: its middle, and six points about it that have its
// extent (their mean and variance are those of an even distribution).
struct VelocitySkin {
  static constexpr std::size_t kSamples = 6;
  struct Region {
    float area = 0.0f; // area of the joint's skin; 0: no skin of its own
    vec3 centroid{0.0f};
    std::array<vec3, 3> axes{}; // from the centroid to three of the points; the others lie opposite
  };
  std::vector<Region> regions; // one per joint of the rig, bind space
  float size = 1.0f;           // size of the skin at rest, model space
  // One per node of the hierarchy; 1 where empty.
  std::vector<VelocityStrength> factors;
};
VelocitySkin makeVelocitySkin(const Rig& rig, const Hierarchy& hierarchy);

// D of every joint of the rig: three rows, and d(p) of a vertex with all weight on that joint is
// D (p, 1). For each joint it is the affine map that is closest to the sum of psi over its
// ancestors on the joint's own skin, in the mean square. Linear drag and squash are affine, so they
// are exact. Rotations bend: there a joint has the slope, and a chain of joints the bend. All zero,
// exactly, for a joint above which nothing moves.
void jointDisplacements(const VelocitySkin& skin, const Rig& rig, const Hierarchy& hierarchy,
                        std::span<const mat4> modelFromNode,
                        std::span<const JointVelocity> velocities, const VelocityStrength& strength,
                        std::vector<MatrixRows>& out);

// d(p) of vertices at `positions` by the formulas, without the affine map: what the map is measured
// against. Takes as long as the number of ancestors of all a vertex's joints.
std::vector<vec3>
exactDisplacements(const VelocitySkin& skin, const Rig& rig, const Hierarchy& hierarchy,
                   std::span<const mat4> modelFromNode, std::span<const JointVelocity> velocities,
                   const VelocityStrength& strength, std::span<const vec3> positions);

} // namespace sinew
