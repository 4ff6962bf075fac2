// A tentacle: a chain of 60 joints in a tapered tube, with rings and suckers as colours. A long
// chain is where errors add up and where a palette gets large.
#pragma once

#include "model/model.h"

namespace sinew {

Model makeTentacle();

} // namespace sinew
