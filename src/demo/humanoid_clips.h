// The humanoid's motion.
#pragma once

#include "model/model.h"

#include <vector>

namespace sinew::humanoid {

std::vector<Clip> makeClips(const Model& model);

} // namespace sinew::humanoid
