// The order in which a matrix over the vertices of a surface is eliminated, by nested dissection
// (George 1973): a set of vertices is cut in two by a plane, those along the cut are eliminated
// after both halves, and the halves are cut on. Halves then fill in nothing of each other, so a
// factor of n vertices has O(n log n) entries.
#pragma once

#include "core/transform.h"

#include <Eigen/SparseCore>

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Eliminated together: a separator, or a part that is not cut further.
struct DissectionPart {
  std::uint32_t first = 0;  // index into Dissection::order
  std::uint32_t count = 0;  // at least 1
  std::uint32_t parent = 0; // index of a later part; that of the last one is its own
};

struct Dissection {
  std::vector<std::uint32_t> order;  // vertices, first eliminated first
  std::vector<DissectionPart> parts; // children before their parents, each subtree in a row
};

// lower: a symmetric matrix over the vertices; its lower triangle.
Dissection nestedDissection(const Eigen::SparseMatrix<double>& lower,
                            std::span<const vec3> positions);

} // namespace sinew
