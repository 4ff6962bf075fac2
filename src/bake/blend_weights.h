// The weights of one vertex: non-negative, of sum 1, at most K of them, by least squares (Le and
// Deng 2012, section 4.2).
#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace sinew {

inline constexpr int kBakeCandidates = 24; // bones that a vertex can choose from

using BlendMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kBakeCandidates, kBakeCandidates>;
using BlendVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kBakeCandidates, 1>;

// The w with the least w^T H w - 2 c^T w, w >= 0, sum w = 1, of which at most `limit` are above 0.
// H is positive definite. Exact without the limit (an active set method); with it the weight that
// costs the least is dropped, one after another.
BlendVector solveBlend(const BlendMatrix& H, const BlendVector& c, std::uint32_t limit);

} // namespace sinew
