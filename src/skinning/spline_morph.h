// Morph targets on splines: a vertex keeps its x and takes the offset in the frame that its spline
// has there in the bind pose (docs/methods.md, "Morph targets").
#pragma once

#include "skinning/spline.h"

namespace sinew {

// As Method::morph. With storage=transform the binding holds nothing of the vertices: the shader
// finds their coordinates, x too, from the moved position.
void morphSplines(const Curve& curve, const Rig& rig, const Binding& bound,
                  const MorphedVertices& morphed, Binding& out);

} // namespace sinew
