// Free splines in a glTF file, as export/glb writes them: the format has none, so they are extras.
//
//   {"extras": {"sinew": {"splines": [{"name": NAME, "nodes": [i, j, k],
//                                      "points": [[x, y, z], [x, y, z], [x, y, z]]}]}}}
//
// nodes: indices of the file's; points: in the bind space of the skins that have the nodes as
// joints. The vertices' weights are the attributes _SPLINES_0, _SPLINE_WEIGHTS_0 and so on, like
// JOINTS_0 and WEIGHTS_0; they may sum to less than 1.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/nodes.h"
#include "model/model.h"

#include <vector>

namespace sinew {

// Empty where the file has none. What is not usable is left out with a warning of the model.
std::vector<FreeSpline> readGltfSplines(const GltfDocument& document, const GltfNodes& nodes,
                                        Model& model);

// Once skins and meshes are there: drops all splines, with a warning, where a mesh follows one that
// its skin does not bind, or no skin binds one.
void dropUnboundSplines(Model& model);

} // namespace sinew
