// Binds a mesh to a skeleton with weights: one rigged Model.
#pragma once

#include "model/model.h"
#include "weights/skeleton.h"

namespace sinew {

// Transforms a rigid mesh's vertices, normals and windings from its node's space to model space.
void moveToModelSpace(Mesh& mesh, const mat4& modelFromNode);

// All meshes of a model in the bind pose, as rigid meshes in model space below a single node;
// skins, splines and clips are dropped. Vertices keep their order.
Model meshesAlone(Model model);

// The vertices and triangles of all meshes, one mesh after another.
struct JoinedMeshes {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
};
JoinedMeshes joinMeshes(const Model& meshes);

// The result of meshesAlone() bound to the skeleton: its hierarchy and clips, one skin of its
// joints for all meshes. influences: of all vertices in order; joints are indices into
// Skeleton::joints, one list per vertex, with weights that sum to 1. Clips keep the weights of
// morph targets that the meshes have under the same label.
Model bindModel(Model meshes, const Skeleton& skeleton, const Influences& influences);

} // namespace sinew
