// The humanoid's skin, from its field to a mesh: half a body by surface nets on a grid that narrows
// towards hand and head, evened out, cut along the edges of the clothes, mirrored.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <vector>

namespace sinew::humanoid {

enum class Part : std::uint8_t { skin, hair, shirt, trousers, shoes };
inline constexpr std::size_t kPartCount = 5;

// The whole skin as one closed mesh, mirrored exactly about x = 0.
struct Surface {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<Part> parts; // one per triangle
};

Surface makeSurface();

} // namespace sinew::humanoid
