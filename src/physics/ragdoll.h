// A character that falls: bodies and joints bound to its bones, in a PhysicsWorld.
//
// Bound in the bind pose, so that joints are made as the config has them; collisions between a body
// and its parent, its siblings, and what it overlaps there are off. start() moves it to an animated
// pose with the velocities of the animation, pose() makes bones from bodies (Lovrović 2015, section
// 4, equations 4.1 and 4.2; equation 4.3 with angular velocity as well).
//
// Poses are in the model's space and unit, places, velocities and energies in metres.
#pragma once

#include "animation/pose.h"
#include "physics/joint_math.h"
#include "physics/physics_world.h"
#include "physics/ragdoll_config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Where the model stands in the world: model space's point `origin` is the world's point `at`.
struct RagdollPlacement {
  glm::dvec3 origin{0.0};
  glm::dvec3 at{0.0};
};

// What start() is to do besides.
struct RagdollStart {
  std::string partial;  // a bone: only its body and those below fall, the rest follows the poses
  double powered = 0.0; // strength of the drives towards the poses, 0: none, 1: holds limbs up
};

// What the switch did. Joules: of the animated bodies over the step, as point masses that move from
// one pose to the other; of the rigid bodies where joints leave them of that movement; and with the
// velocities they were given, which are those times the scale. The rest: metres and radians by
// which a body was brought back to its joint, metres it was lifted.
struct RagdollSwitch {
  double animationEnergy = 0.0;
  double jointedEnergy = 0.0;
  double speedScale = 1.0;
  double bodiesEnergy = 0.0;
  double moved = 0.0;
  double turned = 0.0;
  double lifted = 0.0;
};

struct JointState {
  JointErrors errors;
  JointAngles angles;
  double severity = 0.0; // metres
};

struct RagdollState {
  std::vector<JointState> joints; // as the config's
  double kinetic = 0.0;           // joules
  double potential = 0.0;         // joules, above the ground
  double lowest = 0.0;            // metres, of the bodies' surfaces
  double fastest = 0.0;           // metres a second, of any body's centre
  bool finite = true;
  bool resting = false; // all bodies that fall are asleep
};

struct RagdollHit {
  std::size_t body = 0;
  glm::dvec3 point{0.0}; // world
};

class Ragdoll {
 public:
  // Throws inputError where the config does not belong to the model. The world must outlive it.
  Ragdoll(PhysicsWorld& world, const Model& model, RagdollConfig config,
          const RagdollPlacement& placement = {});
  ~Ragdoll();
  Ragdoll(const Ragdoll&) = delete;
  Ragdoll& operator=(const Ragdoll&) = delete;

  const RagdollConfig& config() const;
  double metresPerUnit() const;
  double height() const; // metres, of the bodies in the bind pose

  // The switch: the pose of this moment and the one `seconds` earlier. May be called again.
  RagdollSwitch start(const Pose& before, const Pose& now, double seconds,
                      const RagdollStart& options = {});

  // The animation goes on: for bodies that do not fall, for drives, and for bones without a body.
  // Once before each step; without it these stay as they are. A pose farther off than anything
  // moves in a step is a jump: what falls is taken along.
  void follow(const Pose& animated);
  void setPowered(double strength);

  // The model's pose, between the last two steps (1: as it stands). What start() had to repair
  // fades in over a third of a second, so that nothing jumps.
  Pose pose(double fraction = 1.0) const;

  RagdollState state() const;
  BodyPlace body(std::size_t index) const;
  std::uint64_t hash() const; // of places and velocities, to the bit

  // An impulse (kg m/s) at the centre of a body.
  void push(std::size_t body, const glm::dvec3& impulse);

  // The first body on the way from one point of the world to another; none behind a ball.
  std::optional<RagdollHit> hit(const glm::dvec3& from, const glm::dvec3& to) const;

  // Pulls the body's point that is at `point` (world) towards `target`, until released.
  void drag(std::size_t body, const glm::dvec3& point, const glm::dvec3& target);
  void dragTo(const glm::dvec3& target);
  void release();

  glm::dvec3 worldFromModel(const glm::dvec3& point) const;
  glm::dvec3 modelFromWorld(const glm::dvec3& point) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Back to a clip: from the ragdoll's pose (t = 0) to the animated one (t = 1), slowly at both ends.
Pose crossFade(const Pose& ragdoll, const Pose& animated, double t);

} // namespace sinew
