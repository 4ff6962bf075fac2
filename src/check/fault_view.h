// From where a fault of a joint is seen best.
#pragma once

#include "core/transform.h"
#include "model/mesh.h"

#include <cstdint>
#include <span>

namespace sinew {

struct ViewAngles {
  float yaw = 0.0f, pitch = 0.0f; // degrees, as of the camera
};

// The direction in which most of the way between two posed surfaces is across the view and not
// hidden; where they are the same, in which most of the skin is seen. wrong, right: of all
// vertices; what hides is the wrong one. region: the joint's vertices. Slightly from above, so that
// no ground is in the way; of views that show as much the first counterclockwise from the front.
ViewAngles viewOfFault(std::span<const vec3> wrong, std::span<const vec3> right,
                       std::span<const Triangle> triangles, std::span<const std::uint32_t> region);

} // namespace sinew
