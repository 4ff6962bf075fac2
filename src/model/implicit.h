// Surfaces given as the zero set of a field (negative inside), and the meshes made from them.
#pragma once

#include "model/shapes.h"

#include <functional>

namespace sinew {

// Roughly the signed distance; only its zero set and the direction of its gradient matter.
using Field = std::function<float(const vec3&)>;

// Both bodies with a fillet of about the given radius where they meet (polynomial smooth minimum,
// Quilez 2008); radius > 0.
float smoothUnion(float a, float b, float radius);
float smoothIntersection(float a, float b, float radius);

float ellipsoidField(const vec3& p, const vec3& center, const vec3& radii);

// A capsule from a to b whose radius runs from radiusA to radiusB.
float taperedCapsule(const vec3& p, const vec3& a, const vec3& b, float radiusA, float radiusB);

// Gradient by central differences over the given step.
vec3 gradient(const Field& field, const vec3& p, float step);

// The nearby point of the zero set, by a few damped Newton steps along the gradient.
vec3 projectTo(const Field& field, vec3 p);

// A block of nodes x * y * z, at any coordinates that ascend along the axes.
struct NodeGrid {
  std::uint32_t x = 0, y = 0, z = 0;
  std::function<vec3(std::uint32_t, std::uint32_t, std::uint32_t)> node;
};

// Naive surface nets (Gibson 1998): a vertex in every cell the surface passes, in the middle of
// its edges' crossings; a quad about every edge it crosses. Open where it leaves the grid.
// Texture coordinates are left (0, 0).
Shape surfaceNets(const NodeGrid& grid, const Field& field);

// Evens out the mesh: each round moves every vertex partly to the middle of its neighbours and
// back onto the field. `keep` may put a moved vertex elsewhere (on a plane of symmetry, say).
void relax(std::vector<vec3>& positions, std::span<const std::vector<std::uint32_t>> neighbours,
           const Field& field, int rounds,
           const std::function<vec3(std::uint32_t, const vec3&)>& keep);

// Makes the zero set of `cut` run along edges of the mesh: vertices near it move onto it (staying
// on the field), and edges it still crosses are split. Afterwards every triangle lies on one side.
void cutAlong(std::vector<vec3>& positions, std::vector<Triangle>& triangles, const Field& field,
              const Field& cut);

} // namespace sinew
