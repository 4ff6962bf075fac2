// The straight arm of "Real Time Skin Deformation with Bones Blending" (Kavan and Zara 2003): a
// left arm stretched along +X, palm down, on a piece of the body, with some 1,500 vertices like the
// paper's model. Its elbow bends and twists as in figures 8 and 9.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeArm();

// The same arm without its thumb in some 200 triangles, about as many as the paper's model has
// there (its 1:4 division of one arm adds 558): what subdivision is for.
Model makeCoarseArm();

} // namespace sinew
