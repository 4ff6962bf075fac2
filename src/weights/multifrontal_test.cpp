#include "core/random.h"
#include "core/test_effort.h"
#include "weights/multifrontal.h"

#include <Eigen/SparseCholesky>
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

// The Laplacian of a graph with edges of random strength between random vertices that are near in
// number, plus a little on the diagonal; in pieces where edges are few.
struct RandomSystem {
  Matrix lower;
  std::vector<vec3> positions;
};

RandomSystem randomSystem(Random& random, std::uint32_t n, std::uint32_t edges, std::uint32_t reach,
                          bool flat) {
  RandomSystem out;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::uint32_t v = 0; v < n; ++v) {
    const std::uint32_t row = v / 7;
    out.positions.push_back(flat ? vec3(0.0f)
                                 : vec3(static_cast<float>(v % 7), static_cast<float>(row),
                                        random.uniform(0.0f, 3.0f)));
    entries.emplace_back(v, v, 1e-3 + static_cast<double>(random.uniform()));
  }
  for (std::uint32_t e = 0; e < edges; ++e) {
    const std::uint32_t a = random.below(n);
    const std::uint32_t b = std::min(a + random.below(reach + 1), n - 1);
    if (a == b) continue;
    const double strength = static_cast<double>(random.uniform(0.01f, 10.0f));
    entries.emplace_back(b, a, -strength);
    entries.emplace_back(a, a, strength);
    entries.emplace_back(b, b, strength);
  }
  out.lower.resize(n, n);
  out.lower.setFromTriplets(entries.begin(), entries.end());
  return out;
}

template <class Check>
void forEachSystem(const Check& check) {
  Random random(5);
  for (int round = 0; round < test::rounds(200, 40); ++round) {
    const std::uint32_t n = 1 + random.below(round % 4 == 0 ? 3000 : 200);
    const std::uint32_t edges = random.below(5 * n);
    const std::uint32_t reach = round % 5 == 0 ? n : 1 + random.below(20);
    CAPTURE(round);
    CAPTURE(n);
    check(randomSystem(random, n, edges, reach, round % 7 == 0), random);
  }
}

} // namespace

TEST_CASE("nested dissection: halves touch each other only through what comes later") {
  forEachSystem([](const RandomSystem& system, Random&) {
    const Dissection dissection = nestedDissection(system.lower, system.positions);
    std::vector<std::uint32_t> sorted = dissection.order;
    std::ranges::sort(sorted);
    for (std::uint32_t v = 0; v < sorted.size(); ++v)
      REQUIRE(sorted[v] == v);
    REQUIRE(sorted.size() == system.positions.size());

    std::vector<std::uint32_t> partByColumn(sorted.size());
    std::uint32_t next = 0;
    for (std::uint32_t p = 0; p < dissection.parts.size(); ++p) {
      const DissectionPart& part = dissection.parts[p];
      REQUIRE(part.first == next);
      REQUIRE(part.count >= 1);
      REQUIRE((part.parent > p || p + 1 == dissection.parts.size()));
      for (std::uint32_t i = part.first; i < part.first + part.count; ++i)
        partByColumn[dissection.order[i]] = p;
      next += part.count;
    }
    REQUIRE(next == sorted.size());
    for (Eigen::Index column = 0; column < system.lower.outerSize(); ++column)
      for (Matrix::InnerIterator entry(system.lower, column); entry; ++entry) {
        const std::uint32_t row = partByColumn[static_cast<std::size_t>(entry.row())];
        const std::uint32_t other = partByColumn[static_cast<std::size_t>(entry.col())];
        std::uint32_t part = std::min(row, other);
        const std::uint32_t later = std::max(row, other);
        while (part < later)
          part = dissection.parts[part].parent;
        CHECK(part == later);
      }
  });
}

TEST_CASE("multifrontal: solves as Eigen's factorisation does") {
  forEachSystem([](const RandomSystem& system, Random& random) {
    const MultifrontalCholesky solver(system.lower, system.positions);
    REQUIRE(solver.succeeded());
    const Eigen::SimplicialLLT<Matrix, Eigen::Lower> reference(system.lower);
    Eigen::MatrixXd sides(system.lower.rows(), 1 + random.below(9));
    for (Eigen::Index i = 0; i < sides.size(); ++i)
      sides.data()[i] = static_cast<double>(random.uniform(-1.0f, 1.0f));
    const Eigen::MatrixXd wanted = reference.solve(sides);
    solver.solve(sides);
    CHECK((sides - wanted).cwiseAbs().maxCoeff() <= 1e-9 * wanted.cwiseAbs().maxCoeff());
  });
}

TEST_CASE("multifrontal: what is not positive definite is refused, and a run can be cancelled") {
  Random random(8);
  RandomSystem system = randomSystem(random, 500, 2000, 15, false);
  const Progress cancel = [](float fraction, std::string_view) { return fraction < 0.5f; };
  ProgressMeter meter(cancel);
  meter.startStage("factorising", 1.0f);
  CHECK_THROWS_AS(MultifrontalCholesky(system.lower, system.positions, &meter), Cancelled);
  Eigen::MatrixXd none(0, 3);
  MultifrontalCholesky(Matrix(0, 0), {}).solve(none);
  system.lower.coeffRef(250, 250) = -1.0;
  CHECK_FALSE(MultifrontalCholesky(system.lower, system.positions).succeeded());
}

} // namespace sinew
