// What a glTF file holds and sinew does not use.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/nodes.h"

#include <string>
#include <vector>

namespace sinew {

// A line for Model::warnings each: parts, extensions, other scenes. Animations report their own.
std::vector<std::string> unusedParts(const GltfDocument& document, const GltfNodes& nodes);

} // namespace sinew
