// Implicit Laplacian smoothing over the surface of a rig: (I + lambda L)^-rounds applied to values
// at its vertices, with L = I - A and A the mean of the neighbours along the triangles' edges
// (uniform weights). The result is the same as by solving the equations of every round. It is found
// without a factorisation: L's eigenvalues are in [0, 2], where a Chebyshev series in L of some
// twenty terms, each one product with A, is exact to nine digits. A term reaches one edge farther
// than the one before, so values that are 0 far away are smoothed near their own points alone.
#pragma once

#include "core/lists.h"
#include "rig/rig.h"

namespace sinew {

struct SmoothingStrength {
  double lambda = 0.0; // >= 0: how far a round spreads, the square of so many edges
  int rounds = 0;      // >= 0; 0 leaves everything as it is
};

class SurfaceSmoothing {
 public:
  explicit SurfaceSmoothing(const Rig& rig);

  // Vertices at one position are one point (rig/welded_vertices): their number, the point of a
  // vertex of the rig, and one vertex of a point.
  std::size_t pointCount() const { return vertexAt_.size(); }
  std::uint32_t getPoint(std::size_t vertex) const { return pointOf_[vertex]; }
  std::uint32_t vertexAt(std::size_t point) const { return vertexAt_[point]; }
  std::span<const std::uint32_t> neighbours(std::size_t point) const {
    return neighbours_.of(point);
  }

  // values: `width` numbers of every point, 1, 4 or 10, one point after another. Threads may call
  // it at once.
  void smooth(SmoothingStrength strength, std::size_t width, std::vector<double>& values) const;

  // `width` numbers for each of some points, all different; elsewhere they are 0. Returns the
  // points that smoothing reaches, the given ones first. From the same points a weaker smoothing
  // reaches the first of those that a stronger one does.
  struct LocalValues {
    std::vector<std::uint32_t> points;
    std::vector<double> values;
  };
  LocalValues smoothNear(SmoothingStrength strength, std::size_t width, LocalValues local) const;

 private:
  std::vector<std::uint32_t> pointOf_;
  std::vector<std::uint32_t> vertexAt_;
  Lists<std::uint32_t> neighbours_; // points
};

} // namespace sinew
