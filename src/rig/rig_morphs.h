// Morph targets of a model over the vertices of its rig.
#pragma once

#include "rig/rig.h"

namespace sinew {

// Fills rig.morphs; the rig has all vertices. Where a target brings no normals, they are found by
// finite differences: the normal of the surface that the whole target has moved, less the one in
// the bind pose, each the area-weighted mean around the vertex, and that rotation applied to the
// vertex's own normal. Vertices at one place with one normal share it, so that no seam opens.
void appendMorphs(const Model& model, Rig& rig);

} // namespace sinew
