// What holds in every model: lengths that belong together, indices that name something, parents
// before children, times that rise, numbers that are finite.
#pragma once

#include "model/model.h"

#include <string>

namespace sinew {

// What does not hold, "meshes[2]: a triangle names vertex 9 of 4"; empty where all does.
std::string modelProblem(const Model& model);

} // namespace sinew
