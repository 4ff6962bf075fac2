// What becomes of the nodes and meshes of a model in an FBX file: which nodes are joints of a
// skeleton, which show a mesh, and which are left out.
#pragma once

#include "model/model.h"

#include <glm/mat4x4.hpp>

namespace sinew {

// Meshes of the model that are one geometry with several materials in the file: parts of the same
// mesh at the same node, by the same skin.
struct FbxMeshGroup {
  std::string name;
  std::vector<const Mesh*> parts;
  std::uint32_t node = 0;
  std::optional<std::uint32_t> skin;
  bool isNode =
      false; // the node is this mesh; else the mesh stands below it or, skinned, at the top
};

// sceneRoot: stands for the root that every file has. none: showed a skinned mesh alone, which
// stands at the top.
enum class FbxNodeRole : std::uint8_t { sceneRoot, none, null, joint, mesh };

struct FbxLayout {
  std::vector<FbxNodeRole> roles; // per node
  std::vector<FbxMeshGroup> groups;
  // Where the file's bind space puts each node: joints as their skins bind them, others as they
  // rest in their parent.
  std::vector<glm::dmat4> bind;
  std::vector<glm::dmat4> bindFromSkin; // per skin, from its own bind space
  // Per node that is a joint, the place of the node that the whole skeleton stands below.
  std::vector<glm::dmat4> skeleton;
};

FbxLayout fbxLayout(const Model& model);

} // namespace sinew
