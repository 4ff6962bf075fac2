// The contact shadow (view/contact_shadow.h) of a bound method: its surface, thinned where it is
// dense, is skinned by the method's CPU reference once a pose. So it is right under every method
// and costs the GPU a few triangles.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "cpu_skin/reference_slices.h"
#include "view/contact_shadow.h"

#include <cstdint>
#include <vector>

namespace sinew {

// Of each vertex of the rig in the rest pose, in model space, as its heaviest joint carries it.
std::vector<vec3> roughRestPositions(const Workbench& workbench);

// A surface of few vertices that lies where that of a rig does.
struct ThinnedSurface {
  std::vector<std::uint32_t> vertices; // of the rig, ascending
  std::vector<Triangle> triangles;     // of these
  float size = 0.0f;                   // of the model in the rest pose
};

// One vertex for each cube of an 80th of the model's size, in the rest pose; a small mesh is whole.
ThinnedSurface thinnedSurface(const Workbench& workbench);

struct GroundShadow {
  ThinnedSurface surface;
  BindSource bound; // of its vertices
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

} // namespace sinew
