// The steps of reading a glTF file, after its materials.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/repairs.h"
#include "model/gltf_origin.h"
#include "model/hierarchy.h"
#include "model/model.h"

#include <map>
#include <vector>

namespace sinew {

// The nodes of the scene as a hierarchy. A node is known by its index; names are for people, and
// made unique.
struct GltfNodes {
  Hierarchy hierarchy;
  std::vector<std::uint32_t> nodeByFileNode; // per node of the file; kNoNode: not in the scene
  std::vector<std::size_t> order;            // the file's nodes in the order of the hierarchy
  // Nodes at which the mesh of a node of the file is drawn, instead of at that node.
  std::map<std::size_t, std::vector<std::uint32_t>> instancesByNode;
};

// The default scene, or the first one, or without scenes all nodes; and what the scene's skins name
// elsewhere. Several roots get one above them. Throws GltfError for a node with two parents or with
// itself above it.
GltfNodes readGltfNodes(GltfDocument& document, RepairLog& repairs);

// Puts cameras, lights (KHR_lights_punctual) and extras at the nodes of the hierarchy. Values of
// the wrong type are ignored: no file is refused for what is not drawn.
void readGltfSceneParts(const GltfDocument& document, GltfNodes& nodes);

// Free splines in a glTF file, as export/glb writes them: the format has none, so they are extras.
//
//   {"extras": {"sinew": {"splines": [{"name": NAME, "nodes": [i, j, k],
//                                      "points": [[x, y, z], [x, y, z], [x, y, z]]}]}}}
//
// nodes: indices of the file's; points: in the bind space of the skins that have the nodes as
// joints. The vertices' weights are the attributes _SPLINES_0, _SPLINE_WEIGHTS_0 and so on, like
// JOINTS_0 and WEIGHTS_0; they may sum to less than 1.
//
// Empty where the file has none. What is not usable is left out with a warning of the model.
std::vector<FreeSpline> readGltfSplines(const GltfDocument& document, const GltfNodes& nodes,
                                        Model& model);

// Once skins and meshes are there: drops all splines, with a warning, where a mesh follows one that
// its skin does not bind, or no skin binds one.
void dropUnboundSplines(Model& model);

// The morph targets of a mesh that a node shows: `count` of the model's, from `first` on.
struct GltfMorphs {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
using GltfMorphsOfNodes = std::map<std::size_t, GltfMorphs>; // by the node's index in the file

// Appends meshes, morph targets and skins to the model, whose hierarchy and materials are there:
// one mesh for each primitive that a node shows. A skin of the file is one skin of the model; a
// mesh shown twice with the same skin stands in one place, so once. Every showing has morph targets
// of its own (origin: where they stand in the file), since the file's weights belong to nodes.
// Throws GltfError, and Error with ErrorCause::limit beyond the options' number of vertices.
GltfMorphsOfNodes readGltfMeshes(GltfDocument& document, const GltfNodes& nodes,
                                 const GltfMaterials& materials, RepairLog& repairs, Model& model,
                                 GltfOrigin& origin);

// What a VRM file says of its character: which nodes are the bones of a humanoid, which joints
// swing around which colliders, and poses of morph targets by name. VRM 1.0 (VRMC_vrm,
// VRMC_springBone, VRMC_springBone_extended_collider) and VRM 0 (VRM), which has the same in other
// words: github.com/vrm-c/vrm-specification. What three-vrm reads is read in the same way.
//
// Names the nodes' bones, and appends springs and morph poses to the model. References to what does
// not exist, and values of a wrong type, are left out, with a warning of how many: no file is
// refused for them.
void readVrm(GltfDocument& document, const GltfMorphsOfNodes& morphs, GltfNodes& nodes,
             Model& model);

// Appends the clips that move nodes of the scene or morph targets (by node). Model::warnings say
// what other animations hold. Keys, steps and cubic splines are kept as they are. Throws
// GltfError.
void readGltfAnimations(GltfDocument& document, const GltfNodes& nodes,
                        const GltfMorphsOfNodes& morphs, RepairLog& repairs, Model& model,
                        GltfOrigin& origin);

} // namespace sinew
