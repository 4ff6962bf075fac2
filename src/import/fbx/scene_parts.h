// Cameras, lights and custom properties of an FBX file's models: what its hierarchy has beside the
// places of its nodes.
#pragma once

#include "import/fbx/nodes.h"

namespace sinew {

// Puts them at the nodes of the hierarchy.
void readFbxSceneParts(const FbxDocument& document, FbxNodes& nodes);

// Whether a light (a node attribute, of version 6 a model) has a kind that glTF has too.
bool isFbxLightUsed(const FbxProperties& light);

// The custom properties of an object as a JSON object; empty where it has none.
std::string fbxUserProperties(const FbxElement& object);

} // namespace sinew
