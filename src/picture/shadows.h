// Two shadows that a model casts, computed without the GPU.
//
// The contact shadow on the ground (view/contact_shadow.h) of a bound method: its surface, thinned
// where it is dense, is skinned by the method's CPU reference once a pose. So it is right under
// every method and costs the GPU a few triangles.
//
// Ambient occlusion in the rest pose: how much of the surroundings the model's own surface hides
// from each vertex, by rays.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "cpu_skin/reference_slices.h"
#include "view/contact_shadow.h"

#include <cstdint>
#include <vector>

namespace sinew {

// A surface with few vertices in the place of the rig's surface.
struct ThinnedSurface {
  std::vector<std::uint32_t> vertices; // indices into the rig's vertices, ascending
  std::vector<Triangle> triangles;     // indices into `vertices`
  float size = 0.0f;                   // size of the model in the rest pose
};

// One vertex per cube of 1/80 of the model's size, in the rest pose. Keeps all of a small mesh.
ThinnedSurface thinnedSurface(const Workbench& workbench);

struct GroundShadow {
  ThinnedSurface surface;
  BindSource bound; // binding of the surface's vertices
  SkinnedMesh posed;
  ContactShadow shadow;
  Overlay overlay;
  float ground = 0.0f;
  bool laid = false; // surface and bound are those of the method
  bool stale = true; // the pose has changed
};

// The shadow of a method's current pose on the plane y = ground.
const Overlay& groundShadow(GroundShadow& shadow, const Workbench& workbench,
                            const BoundMethod& bound, float ground);

// Meshes with more vertices have none: the rays would take longer than a second.
inline constexpr std::size_t kMaxHiddenVertices = 200'000;

// 0 to 1 of each vertex of the rig, from what is nearer than an eighth of the model's size. Empty
// where there is no surface, or too large a one.
std::vector<float> hiddenShares(const Workbench& workbench);

} // namespace sinew
