// Polynomials of several variables without a constant term, fitted by ridge regression.
#pragma once

#include <span>
#include <vector>

namespace sinew {

// All products of one to `degree` of the variables, each as the indices of its factors, rising:
// {0}, {1}, {0, 0}, {0, 1}, {1, 1}, ...
std::vector<std::vector<int>> monomials(int variables, int degree);

// The value of each product.
void evaluateMonomials(std::span<const std::vector<int>> products, std::span<const float> variables,
                       std::span<float> out);

// One list of coefficients, as many as products, per output. samples: variables of each sample;
// values: outputs of each sample. ridge: relative to the mean square of the products.
std::vector<std::vector<float>> fitPolynomials(std::span<const std::vector<int>> products,
                                               std::span<const std::vector<float>> samples,
                                               std::span<const std::vector<float>> values,
                                               double ridge);

} // namespace sinew
