// A character that falls: bodies and joints bound to its bones, in a PhysicsWorld.
//
// It is bound in the bind pose, where the config defines the joints; collisions between a body and
// its parent, its siblings and the bodies that it overlaps there are off. start() moves it to an
// animated pose with the velocities of the animation, pose() computes bones from bodies (Lovrović
// 2015, section 4, equations 4.1 and 4.2; equation 4.3 with angular velocity as well).
//
// Poses are in the model's space and unit; transforms, velocities and energies in metres.
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

// Where the model is in the world: model space's point `origin` is the world's point `at`.
struct RagdollPlacement {
  glm::dvec3 origin{0.0};
  glm::dvec3 at{0.0};
};

// Options of start().
struct RagdollStart {
  std::string partial; // a bone: only its body and those below fall, the rest follows the poses
  double motorStrength =
      0.0; // strength of the drives towards the poses, 0: none, 1: holds limbs up
};

// What the switch did. Energies in joules: the animated bodies' over the step, as point masses that
// move from one pose to the other; the rigid bodies' with the part of that motion that the joints
// allow; and with the velocities they were given, which are those times the scale. The rest: metres
// and radians by which a body was moved back to its joint, metres it was lifted.
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
  double lowest = 0.0;            // the bodies' lowest surface point, metres
  double fastest = 0.0;           // speed of the fastest body's centre, metres a second
  bool finite = true;
  bool resting = false; // all bodies that fall are asleep
};

struct RagdollHit {
  std::size_t body = 0;
  glm::dvec3 point{0.0}; // world
};

struct RagdollParts; // physics/ragdoll_parts.h

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
  double height() const; // the bodies' in the bind pose, metres

  // Switches to the ragdoll from the current pose and the one `seconds` earlier. May be called
  // again.
  RagdollSwitch start(const Pose& before, const Pose& now, double seconds,
                      const RagdollStart& options = {});

  // Advances the animation: for bodies that do not fall, for drives, and for bones without a body.
  // Call it once before each step; otherwise these do not move. A pose farther away than a
  // plausible motion within a step is a jump: falling bodies are moved with it.
  void follow(const Pose& animated);
  void setMotorStrength(double strength);

  // The model's pose, between the last two steps (1: after the last). The corrections of start()
  // fade in over a third of a second, so that nothing jumps.
  Pose pose(double fraction = 1.0) const;

  RagdollState state() const;
  RigidTransform body(std::size_t index) const;
  std::uint64_t hash() const; // covers positions, rotations and velocities, bit-exact

  // An impulse (kg m/s) at the centre of a body.
  void push(std::size_t body, const glm::dvec3& impulse);

  // The first body on the segment between two points of the world; none behind a ball.
  std::optional<RagdollHit> hit(const glm::dvec3& from, const glm::dvec3& to) const;

  // Pulls the body's point that is at `point` (world) towards `target`, until released.
  void drag(std::size_t body, const glm::dvec3& point, const glm::dvec3& target);
  void dragTo(const glm::dvec3& target);
  void release();

  glm::dvec3 worldFromModel(const glm::dvec3& point) const;
  glm::dvec3 modelFromWorld(const glm::dvec3& point) const;

 private:
  std::unique_ptr<RagdollParts> parts_;
};

// Back to a clip: from the ragdoll's pose (t = 0) to the animated one (t = 1), slowly at both ends.
Pose crossFade(const Pose& ragdoll, const Pose& animated, double t);

} // namespace sinew
