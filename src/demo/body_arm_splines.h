// The body-arm of body_arm.h skinned by the paper's own free splines (Forstmann and Ohya 2006),
// with painted weights and attachments as in figure 5: the arm's spline is attached to the body's
// upper end, the elbow's to the arm's end. Every control point is a node; bone weights over these
// nodes serve the methods without splines.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeBodyArmSplines();

} // namespace sinew
