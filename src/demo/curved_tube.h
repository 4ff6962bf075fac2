// A tube that is bent in its bind pose, along one free spline (Forstmann and Ohya 2006, figure 4):
// green before the middle of the spline and blue behind it, in bands of equal x, as halving space
// three times divides it. Its clips straighten it, bend it on and twist it.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeCurvedTube();

} // namespace sinew
