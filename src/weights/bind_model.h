// A mesh, a skeleton and weights as one rigged Model.
#pragma once

#include "model/model.h"
#include "weights/skeleton.h"

namespace sinew {

// A rigid mesh's vertices, normals and windings from its node's space to model space.
void moveToModelSpace(Mesh& mesh, const mat4& modelFromNode);

// All meshes of a model as rigid ones in model space below a single node, as they stand when bound;
// skins, splines and clips are dropped. Vertices keep their order.
Model meshesAlone(Model model);

// The vertices and triangles of all meshes, one mesh after another.
struct JoinedMeshes {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
};
JoinedMeshes joinMeshes(const Model& meshes);

// What meshesAlone() made, bound to the skeleton: its hierarchy and clips, one skin of its joints
// for all meshes. influences: of all vertices in turn; joints are indices into Skeleton::joints.
Model bindModel(Model meshes, const Skeleton& skeleton, const Influences& influences);

} // namespace sinew
