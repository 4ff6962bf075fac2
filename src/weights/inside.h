// Whether a segment that leaves a vertex and meets the surface nowhere else lies within it: bone
// heat asks that of the way to a bone (Baran and Popovic 2007; Wareham and Lasenby 2008, section
// 2).
#pragma once

#include "weights/surface.h"

#include <cstdint>
#include <vector>

namespace sinew {

// The triangles about every welded vertex. Keeps a reference to the surface.
class SurfaceSides {
 public:
  explicit SurfaceSides(const WeightSurface& surface);

  // Whether a short step from the vertex towards `to` ends within the surface: behind the nearest
  // of the vertex's triangles, whose windings point outwards. A segment that crosses nothing stays
  // on that side, so this is exact where the surface is closed. At a loose vertex, which has no
  // side, and where both points are the same, true.
  bool leadsInside(std::uint32_t welded, const vec3& to) const;

 private:
  const WeightSurface& surface_;
  std::vector<std::uint32_t> offsets_, triangles_; // of vertex v: from offsets_[v] on
};

} // namespace sinew
