// What a camera has to show of a model: its box, and those points that lie farthest in many
// directions. A box alone is larger than what is in it, from most sides by a third.
#pragma once

#include "core/bounds.h"

#include <span>
#include <vector>

namespace sinew {

struct Outline : Bounds {
  // At most one for each of 64 directions; empty: the box's corners count.
  std::vector<glm::vec3> points;

  Outline() = default;
  Outline(const Bounds& box) : Bounds(box) {}

  void include(const glm::vec3& point);
  void include(const Outline& other);
};

// The box is exact; of very many points, only a sample is looked at for the rest.
Outline makeOutline(std::span<const glm::vec3> points);

Outline moved(Outline outline, const glm::vec3& by);

} // namespace sinew
