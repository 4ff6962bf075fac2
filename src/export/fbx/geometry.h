// Meshes, skins and blend shapes as objects of an FBX file.
#pragma once

#include "export/fbx/layout.h"
#include "export/fbx/scene.h"

namespace sinew {

// The weight of a morph target, which the file has once for each mesh.
struct FbxShapeChannel {
  std::int64_t id = 0;
  std::uint32_t target = 0;
};

// A geometry for the model of the group (id of `shown`), with what bends it. nodes: ids of the
// models of all nodes. flipped: triangles are to be wound the other way.
void addFbxGeometry(const Model& model, const FbxLayout& layout, const FbxMeshGroup& group,
                    std::int64_t shown, const std::vector<std::int64_t>& nodes, bool flipped,
                    FbxScene& scene, std::vector<FbxShapeChannel>& channels);

// The materials of a group's parts, each once, in the order in which the geometry counts them.
std::vector<std::uint32_t> listGroupMaterials(const FbxMeshGroup& group);

} // namespace sinew
