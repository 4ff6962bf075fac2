// Bounces: Newton's law of restitution at the contacts that Bullet has solved. Bullet's own
// restitution sees contacts ahead of the touch and takes the way that is left out of the rebound,
// so that bodies bounce lower than they should, by an amount that depends on the step.
#pragma once

#include "physics/bullet.h"

#include <utility>
#include <vector>

namespace sinew {

// Below this approaching speed nothing bounces, metres a second: what rests stays at rest.
inline constexpr double kBounceSpeed = 0.2;

// A body's velocities, and where it is.
struct BodyMotion {
  btVector3 velocity{0.0, 0.0, 0.0};
  btVector3 spin{0.0, 0.0, 0.0};
  btVector3 position{0.0, 0.0, 0.0};
};

// Remembers the velocities of every body of a world before a step, and after it gives each contact
// that bore load the separating speed that its two bodies' restitutions (their product) demand.
// Several contacts of jointed bodies may demand more energy than there was; then all speeds that
// they add are scaled down together.
class Bounces {
 public:
  void rememberSpeeds(const btDiscreteDynamicsWorld& world);
  void apply(btDiscreteDynamicsWorld& world);

 private:
  std::vector<BodyMotion> before_; // by the order of the world's objects
};

} // namespace sinew
