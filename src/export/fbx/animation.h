// Clips as animation stacks of an FBX file.
#pragma once

#include "export/fbx/geometry.h"
#include "export/fbx/layout.h"
#include "export/fbx/scene.h"

namespace sinew {

// An animation stack, by its name and last moment.
struct FbxStackTime {
  std::string name;
  std::int64_t stop = 0; // ticks
};

// nodes: ids of the models of all nodes; those of nodes that the file has not are the root's. Keys
// keep every vertex within 5e-6 of the model's size for each joint that moves it.
std::vector<FbxStackTime> addFbxClips(const Model& model, const std::vector<std::int64_t>& nodes,
                                      const std::vector<FbxShapeChannel>& shapes, FbxScene& scene);

} // namespace sinew
