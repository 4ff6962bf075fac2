// Cameras, lights (KHR_lights_punctual) and extras of a glTF file's nodes.
#pragma once

#include "import/gltf/nodes.h"

namespace sinew {

// Puts them at the nodes of the hierarchy. Values of the wrong type are ignored: no file is refused
// for what is not drawn.
void readGltfSceneParts(const GltfDocument& document, GltfNodes& nodes);

} // namespace sinew
