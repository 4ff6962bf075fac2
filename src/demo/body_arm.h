// The body-arm of "Fast Skeletal Animation by skinned Arc-Spline based Deformation" (Forstmann and
// Ohya 2006, figures 5 and 6): a body with one arm, 12,864 vertices as in the paper, coloured by
// what moves it: body red, arm green, elbow blue.
//
// Joints are laid for the paper's three straight splines: the body's from Body through Upper to
// Top; the arm's from Top (the body's upper control point) through Arm; the elbow's from the arm's
// end through Elbow towards Hand. Top itself moves no skin.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeBodyArm();

} // namespace sinew
