// Normals for meshes that come without, or with some that are no directions.
#pragma once

#include "model/mesh.h"

namespace sinew {

// Gives every corner its own vertex (influences and the rest copied) and each the area-weighted
// mean of the triangle normals around its place, leaving out those across an edge sharper than
// `creaseCosine`. Weld afterwards.
void makeNormals(Mesh& mesh, float creaseCosine);

// Whether the normals are not those of the triangles: far off for two corners in five. Some
// exporters turn the positions of a skinned mesh and forget its normals.
bool normalsAskew(const Mesh& mesh);

// Makes normals unit; those that are zero or not finite are computed from the triangles. Returns
// how many.
std::size_t repairNormals(Mesh& mesh);

} // namespace sinew
