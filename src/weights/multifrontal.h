// A Cholesky factorisation of a sparse matrix by dense fronts (Duff and Reid 1983, "The
// multifrontal solution of indefinite sparse symmetric linear equations"; Liu 1992): the vertices
// of a part of a nested dissection are eliminated together, in a dense matrix of them and of the
// later vertices that they touch. What that leaves for the latter is added to the front of the
// part's parent.
#pragma once

#include "core/progress.h"
#include "weights/nested_dissection.h"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class MultifrontalCholesky {
 public:
  // lower: positive definite; its lower triangle. positions: of its vertices, finite; they guide
  // the order of elimination alone. Throws Cancelled, and std::bad_alloc.
  MultifrontalCholesky(const Eigen::SparseMatrix<double>& lower, std::span<const vec3> positions,
                       ProgressMeter* meter = nullptr);

  // Whether the matrix was positive definite; otherwise solve() must not be called.
  bool succeeded() const { return succeeded_; }

  std::size_t entries() const; // entries of the factor

  // The solution replaces the right-hand sides, one a column; a row for every vertex. Several
  // threads may call it at a time.
  void solve(Eigen::Ref<Eigen::MatrixXd> sides) const;

  struct Front {
    std::uint32_t first = 0, count = 0; // range in the order of elimination
    std::vector<std::uint32_t> later;   // places in that order that it touches, ascending
    Eigen::MatrixXd factor;             // (count + later) x count; its lower triangle
  };

 private:
  std::vector<std::uint32_t> place_; // per vertex, its place in the order of elimination
  std::vector<Front> fronts_;        // one per part of the dissection
  bool succeeded_ = true;
};

} // namespace sinew
