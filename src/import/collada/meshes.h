// The meshes that the nodes of a Collada file show, with their skins and morph targets.
#pragma once

#include "import/collada/controllers.h"
#include "import/collada/materials.h"

namespace sinew {

// Appends meshes, skins and morph targets to the model: one mesh for each material of a geometry.
// Bones without a node get one. Throws Error with ErrorCause::limit beyond the options' number of
// vertices or the budget.
void readColladaMeshes(ColladaDocument& document, ColladaNodes& nodes, ColladaMaterials& materials,
                       ColladaControllers& controllers, RepairLog& repairs, UnusedCounts& unused,
                       Model& model);

} // namespace sinew
