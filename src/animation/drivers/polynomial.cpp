#include "animation/drivers/polynomial.h"

#include <Eigen/Cholesky>

#include <cstddef>

namespace sinew {

std::vector<std::vector<int>> monomials(int variables, int degree) {
  std::vector<std::vector<int>> out;
  std::vector<std::vector<int>> last{{}};
  for (int d = 1; d <= degree; ++d) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int>& shorter : last)
      for (int v = shorter.empty() ? 0 : shorter.back(); v < variables; ++v) {
        next.push_back(shorter);
        next.back().push_back(v);
      }
    out.insert(out.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return out;
}

void evaluateMonomials(std::span<const std::vector<int>> products, std::span<const float> variables,
                       std::span<float> out) {
  for (std::size_t i = 0; i < products.size(); ++i) {
    out[i] = 1.0f;
    for (const int factor : products[i])
      out[i] *= variables[static_cast<std::size_t>(factor)];
  }
}

std::vector<std::vector<float>> fitPolynomials(std::span<const std::vector<int>> products,
                                               std::span<const std::vector<float>> samples,
                                               std::span<const std::vector<float>> values,
                                               double ridge) {
  const std::size_t outputs = values.empty() ? 0 : values.front().size();
  const auto size = static_cast<Eigen::Index>(products.size());
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(outputs));
  std::vector<float> row(products.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    evaluateMonomials(products, samples[s], row);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXf>(row.data(), size).cast<double>();
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXf>(values[s].data(), static_cast<Eigen::Index>(outputs))
            .cast<double>();
    squares.selfadjointView<Eigen::Lower>().rankUpdate(x);
    right.noalias() += x * y.transpose();
  }
  const double mean = size > 0 ? squares.trace() / static_cast<double>(size) : 0.0;
  // Products that no sample moves have coefficient 0.
  squares.diagonal().array() += ridge * mean + 1e-30;
  const Eigen::MatrixXd solved = squares.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  std::vector<std::vector<float>> out(outputs, std::vector<float>(products.size()));
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t i = 0; i < products.size(); ++i)
      out[o][i] =
          static_cast<float>(solved(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(o)));
  return out;
}

} // namespace sinew
