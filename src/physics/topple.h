// What falls does not stand. A limp figure that is exactly in balance, or that its legs prop up, is
// pushed over: where all of it has been still with its centre of mass high, each body gets a small
// acceleration across the narrow side of what it stands on, first the way it leans already.
#pragma once

#include <glm/vec3.hpp>

namespace sinew {

struct RagdollParts;

// Of the centre of mass, as a fraction of the height of the bodies in the bind pose: lower is
// lying.
inline constexpr double kLyingHeight = 0.25;

class Topple {
 public:
  // Before a step. Only what falls as a whole, without a drive and not dragged, is pushed; a few
  // times, then it rests as it is.
  void push(RagdollParts& ragdoll, double seconds);

 private:
  int pushes_ = 0;
  double left_ = 0.0; // seconds of the push under way
  glm::dvec3 along_{0.0};
};

} // namespace sinew
