// The influences of skinned vertices as files have them, repaired as a Model needs them.
#pragma once

#include "import/repairs.h"
#include "model/mesh.h"

#include <functional>
#include <vector>

namespace sinew {

// Merges what one vertex says about one joint, makes the weights sum to one and sorts them by
// falling weight. Weights are positive and finite.
void tidyInfluences(std::vector<Influence>& vertex, RepairLog& repairs);

// vertices: as many as mesh.positions, tidy. Those without weights take those of the nearest
// weighted ones along the surface; vertices at one place count as connected. What no weighted
// vertex is connected to follows the fallback joint, which is asked for only then.
void bindUnweighted(const Mesh& mesh, std::vector<std::vector<Influence>>& vertices,
                    const std::function<std::uint32_t()>& fallbackJoint, RepairLog& repairs);

// Whether a matrix cannot be inverted in single precision, or is not finite.
bool isSingular(const mat4& m);

} // namespace sinew
