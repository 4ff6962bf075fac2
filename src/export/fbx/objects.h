// The parts of a model as objects of an FBX file.
#pragma once

#include "export/fbx/fbx.h"
#include "export/fbx/layout.h"
#include "export/fbx/scene.h"

namespace sinew {

// In centimetres, where the model says how long its unit is, else in its own numbers, as metres.
// All coordinates are converted, those of nodes and bind spaces too: no node is rotated or scaled
// for the conversion.
Model modelInFbxSpace(Model model, FbxUp up);

struct FbxMaterialObjects {
  std::vector<std::int64_t> ids; // per material of the model
  std::vector<FbxImageFile> images;
};

// Materials and textures. imageFolder: FbxOptions::imageFolder. Textures that were not found are
// named as the model's file names them.
FbxMaterialObjects addFbxMaterials(const Model& model, const std::string& imageFolder,
                                   FbxScene& scene);

// The weight of a morph target, which the file has once for each mesh.
struct FbxShapeChannel {
  std::int64_t id = 0;
  std::uint32_t target = 0;
};

// A geometry for the model of the group (id of `shown`), with its skin and blend shapes. nodes: ids
// of the models of all nodes. flipped: triangles are to be wound the other way.
void addFbxGeometry(const Model& model, const FbxLayout& layout, const FbxMeshGroup& group,
                    std::int64_t shown, const std::vector<std::int64_t>& nodes, bool flipped,
                    FbxScene& scene, std::vector<FbxShapeChannel>& channels);

// The materials of a group's parts, each once, in the order in which the geometry counts them.
std::vector<std::uint32_t> listGroupMaterials(const FbxMeshGroup& group);

// How cameras (which look along +X there) and lights (along -Y) stand in a model of the file that
// has no further rotation.
quat fbxModelFromCamera();
quat fbxModelFromLight();

// The attribute of a model, whose subtype is "Camera" or "Light".
void addFbxCamera(const SceneCamera& camera, std::int64_t model, FbxScene& scene);
void addFbxLight(const SceneLight& light, std::int64_t model, FbxScene& scene);

// Custom properties: the members of a JSON object. What the format has no type for becomes its
// text.
void addFbxUserProperties(const std::string& extras, FbxRecord& properties);

// An animation stack, by its name and last moment.
struct FbxStackTime {
  std::string name;
  std::int64_t stop = 0; // ticks
};

// Clips as animation stacks. nodes: ids of the models of all nodes; a node that the file lacks has
// the root's. Keys keep every vertex within 5e-6 of the model's size for each joint that moves the
// vertex.
std::vector<FbxStackTime> addFbxClips(const Model& model, const std::vector<std::int64_t>& nodes,
                                      const std::vector<FbxShapeChannel>& shapes, FbxScene& scene);

} // namespace sinew
