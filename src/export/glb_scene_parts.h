// Cameras, lights (KHR_lights_punctual) and custom properties of nodes as glTF has them.
#pragma once

#include "export/glb_buffer.h"
#include "model/hierarchy.h"

namespace sinew {

// To the file's first nodes, which are those of the hierarchy. A camera or a light that is turned
// in its node gets a node below it, behind all others.
void addSceneParts(const Hierarchy& hierarchy, GltfJson& file);

} // namespace sinew
