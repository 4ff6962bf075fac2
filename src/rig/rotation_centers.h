// Where each vertex rotates: p* of Le and Hodgins 2016 (Real-time Skeletal Skinning with Optimized
// Centers of Rotation, equation 4), the mean of the surface weighted by area and by how alike its
// weights are to the vertex'.
//
// With weights a and b,
//
//   s(a, b) = sum over pairs j != k of  a_j a_k b_j b_k exp(-(a_j b_k - a_k b_j)^2 / sigma^2)
//
// and sigma = 0.1. Triangles whose corners' weights differ by more than 0.1 are split for the sum.
#pragma once

#include "rig/rig.h"

namespace sinew {

// In bind space, one per vertex of the rig; its own position where the surface has nothing alike,
// as where it follows one joint. weights: those of the rig's vertices, with the sum 1.
std::vector<vec3> rotationCenters(const Rig& rig, const Influences& weights);

} // namespace sinew
