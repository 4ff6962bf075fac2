// The steps of reading an FBX file, after its nodes.
#pragma once

#include "import/fbx/blend_shapes.h"
#include "import/fbx/materials.h"
#include "import/fbx/nodes.h"
#include "import/polygon_mesh.h"
#include "model/model.h"

namespace sinew {

// Puts cameras, lights and custom properties at the nodes of the hierarchy.
void readFbxSceneParts(const FbxDocument& document, FbxNodes& nodes);

// Whether a light (a node attribute; in version 6, a model) has a kind that glTF has too.
bool isFbxLightUsed(const FbxProperties& light);

// A mesh: control points, polygons, and what their corners have. texcoordSet: by name; the first
// one where there is none of it. Layers that do not fit the mesh are left out with a line in
// warnings; polygons with points that do not exist are dropped. Throws FbxError where points and
// polygons are no such.
PolygonMesh readFbxGeometry(const FbxElement& element, const std::string& name,
                            const std::string& texcoordSet, RepairLog& repairs,
                            std::vector<std::string>& warnings);

// Appends meshes, skins and morph targets to the model: one mesh for each material of each visible
// model, or of each where none is visible. Vertices of skinned meshes are in model space as they
// were bound; those without weights follow the mesh's own node. Returns the channels of the morph
// targets. Throws FbxError, and Error with ErrorCause::limit beyond the options' number of
// vertices.
std::vector<FbxMorph> readFbxMeshes(const FbxDocument& document, const FbxNodes& nodes,
                                    FbxMaterials& materials, RepairLog& repairs, Model& model);

// Appends a clip for each stack that moves nodes or blend shapes. Its time starts at the stack's
// start. The curves are sampled so that a posed vertex is within about 1e-6 of the model's size of
// where the curves put it, for each node above it. Model::warnings and the repairs tell what could
// not be sampled so, what is damaged and what is not followed. model: has its meshes and morph
// targets.
void readFbxClips(const FbxAnimation& animation, const std::vector<FbxMotion>& motions,
                  const FbxNodes& nodes, const std::vector<FbxMorph>& morphs, RepairLog& repairs,
                  Model& model);

} // namespace sinew
