// The humanoid's body as a field: tables of cross-sections for trunk, arm and leg, capsules for
// fingers, ellipsoids for head and feet, smoothly joined.
#pragma once

#include "core/transform.h"

namespace sinew::humanoid {

// Negative inside the left half of the body; p.x >= 0.
float bodyField(const vec3& p);

// Positive on the hair's side of the line from the brow over the ears to the nape; p.x >= 0.
float aboveHairline(const vec3& p);

} // namespace sinew::humanoid
