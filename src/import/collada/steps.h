// The steps of reading a Collada file, after its nodes.
#pragma once

#include "import/collada/controllers.h"
#include "import/collada/materials.h"

namespace sinew {

// Cameras and lights, which sinew neither draws nor changes: files that it writes have them. A node
// has the first camera and the first light that it shows.
void readColladaSceneParts(const ColladaDocument& document, ColladaNodes& nodes,
                           UnusedCounts& unused);

// Appends meshes, skins and morph targets to the model: one mesh for each material of a geometry.
// Bones without a node get one. Throws Error with ErrorCause::limit beyond the options' number of
// vertices or the budget.
void readColladaMeshes(ColladaDocument& document, ColladaNodes& nodes, ColladaMaterials& materials,
                       ColladaControllers& controllers, RepairLog& repairs, UnusedCounts& unused,
                       Model& model);

// Appends one clip for each <animation_clip>, and one for animations that none of these plays.
// Components of transforms (a translation's X, a rotation's angle) move as their curves do, within
// 1e-6; keys of whole matrices become those of translation, rotation and scale, linear between
// them. size: the model's.
void readColladaClips(ColladaDocument& document, const ColladaNodes& nodes,
                      const ColladaControllers& controllers, float size, RepairLog& repairs,
                      UnusedCounts& unused, Model& model);

} // namespace sinew
