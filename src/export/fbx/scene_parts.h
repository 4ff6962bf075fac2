// Cameras, lights and custom properties of nodes as objects and properties of an FBX file.
#pragma once

#include "export/fbx/scene.h"
#include "model/scene_parts.h"

namespace sinew {

// How cameras (which look along +X there) and lights (along -Y) stand in a model of the file that
// has no further rotation.
quat fbxModelFromCamera();
quat fbxModelFromLight();

// The attribute of a model, whose subtype is "Camera" or "Light".
void addFbxCamera(const SceneCamera& camera, std::int64_t model, FbxScene& scene);
void addFbxLight(const SceneLight& light, std::int64_t model, FbxScene& scene);

// The members of a JSON object; what the format has no type for becomes its text.
void addFbxUserProperties(const std::string& extras, FbxRecord& properties);

} // namespace sinew
