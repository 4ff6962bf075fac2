// The soft dark spot on the ground under a body that is near it. The heights of its surface are
// drawn from above into a grid of cells, what is nearer to the ground darkens a cell more, and the
// cells are blurred. No light casts it: it shows what touches the ground.
#pragma once

#include "model/mesh.h"
#include "view/overlay.h"

#include <span>
#include <vector>

namespace sinew {

struct ContactShadow {
  float x = 0.0f, z = 0.0f; // middle of the first cell
  float cell = 0.0f;        // distance from one middle to the next
  int columns = 0, rows = 0;
  std::vector<float> dark; // 0 to 1, per cell; along x first
  std::vector<float> pass; // the blur's buffer
};

// Casts the shadow of a surface over the plane y = ground; posed points that are not finite cast
// none. size: the model's, which says what is near and how soft the spot is. Cells are at multiples
// of their size, so the spot does not flicker while a body moves. No cells where nothing is near.
void castContactShadow(ContactShadow& shadow, std::span<const vec3> posed,
                       std::span<const Triangle> triangles, float ground, float size);

// Triangles in the plane. Draw them before what stands on it (Overlay::behind).
void addContactShadow(Overlay& overlay, const ContactShadow& shadow, float ground);

} // namespace sinew
