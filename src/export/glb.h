// A Model as glTF 2.0 in one binary file: scene graph, meshes, skins with all influences,
// materials, textures as PNG, and clips.
//
// Weights are floats that sum to 1, four to a set, in as many sets as the mesh needs. Skinned
// meshes are at the top of the scene, as the format requires; the rest is as the Model has it,
// under the same names.
#pragma once

#include "export/node_constraint.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

struct SkinningData; // export/skinning_data.h

// The bytes of the whole file, with positions in the model's unit. constraints: at most one for a
// node. skinning: the data of a method, or null.
// Throws usageError for a model without nodes, an image that cannot be encoded, and a file of more
// than 4 GB.
std::string toGlb(const Model& model, std::span<const NodeConstraint> constraints = {},
                  const SkinningData* skinning = nullptr);

// The model in metres, glTF's unit, where it says how long its own is.
Model inMetres(Model model);

// What the model has and the format, or this file, has no place for: a line each.
std::vector<std::string> leftOutOfGlb(const Model& model);

} // namespace sinew
