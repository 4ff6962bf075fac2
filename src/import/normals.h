// Normals for meshes that come without, or with some that are no directions.
#pragma once

#include "model/mesh.h"

namespace sinew {

// Gives every corner its own vertex (influences and the rest copied) and each the area-weighted
// mean of the triangle normals around its place, leaving out those across an edge sharper than
// `creaseCosine`. Morph targets lose their normals. Weld afterwards.
void makeNormals(Mesh& mesh, float creaseCosine);

// Makes normals unit; those that are zero or not finite are computed from the triangles. Returns
// how many.
std::size_t repairNormals(Mesh& mesh);

// The fraction of triangle corners whose normal points behind their triangle, [0, 1]. Smooth
// normals of coarse meshes do so at a few sharp edges (below 0.02 on good files); normals that
// belong to another shape do it all over; near 1 the triangles wind the other way.
double fractionBehind(const Mesh& mesh);

} // namespace sinew
