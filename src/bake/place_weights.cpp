#include "bake/place_weights.h"

#include "bake/blend_weights.h"
#include "core/parallel.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Share of the model's size. Linear blending itself is that far from the model's own weights, which
// a Binding rounds to 16 bits.
constexpr float kExact = 1e-5f;
constexpr double kOpen = 1e-10;        // share of its square by which a weight stays, per pose
constexpr std::size_t kJointsMax = 12; // at most so many candidates are joints

std::vector<std::uint32_t> listCandidates(const BakeProblem& problem, std::uint32_t place) {
  std::vector<std::uint32_t> out = problem.joints[place];
  out.resize(std::min(out.size(), kJointsMax));
  const std::size_t joints = problem.workbench->rig.joints.size();
  for (const std::uint32_t joint : problem.bentBy[place])
    for (std::size_t b = joints; b < problem.bones.size() && out.size() < kBakeCandidates; ++b)
      if (problem.bones[b].joint == joint) out.push_back(static_cast<std::uint32_t>(b));
  return out;
}

bool isExact(const BakeProblem& problem, const BakeShapes& shapes, std::uint32_t place) {
  for (std::size_t pose = 0; pose < shapes.count(); ++pose)
    if (!(glm::distance(blendedPlace(problem, shapes, pose, place),
                        shapes.targets[place * shapes.count() + pose]) <= kExact * problem.size))
      return false;
  return true;
}

void solvePlace(BakeProblem& problem, const BakeShapes& shapes, std::uint32_t place,
                std::uint32_t limit) {
  if (problem.weights[place].count <= limit && isExact(problem, shapes, place)) return;
  const std::vector<std::uint32_t> bones = listCandidates(problem, place);
  const auto n = static_cast<Eigen::Index>(bones.size());
  if (n < 2) return;
  BlendMatrix H = BlendMatrix::Zero(n, n);
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kBakeCandidates> apart(3, n);
  double whole = 0.0;
  for (std::size_t pose = 0; pose < shapes.count(); ++pose) {
    const std::size_t at = place * shapes.count() + pose;
    const vec4 v(placeInBind(problem, shapes, pose, place), 1.0f);
    for (Eigen::Index i = 0; i < n; ++i) {
      const vec3 to = shapes.modelFromBind[pose][bones[static_cast<std::size_t>(i)]] * v;
      for (int k = 0; k < 3; ++k)
        apart(k, i) = static_cast<double>(to[k]) - static_cast<double>(shapes.targets[at][k]);
    }
    const double emphasis =
        shapes.emphasis.empty() ? 1.0 : static_cast<double>(shapes.emphasis[at]);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index k = 0; k <= i; ++k)
        H(i, k) += emphasis * (apart(0, i) * apart(0, k) + apart(1, i) * apart(1, k) +
                               apart(2, i) * apart(2, k));
    whole += emphasis;
  }
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = i + 1; k < n; ++k)
      H(i, k) = H(k, i);
  const double size = static_cast<double>(problem.size);
  const double stay = kOpen * size * size * std::max(whole, 1e-6);
  BlendVector c = BlendVector::Zero(n);
  const PlaceWeights& original = problem.original[place];
  for (std::uint32_t i = 0; i < original.count; ++i)
    for (Eigen::Index k = 0; k < n; ++k)
      if (bones[static_cast<std::size_t>(k)] == original.bones[i])
        c[k] += stay * static_cast<double>(original.weights[i]);
  for (Eigen::Index i = 0; i < n; ++i)
    H(i, i) += stay;
  if (!H.allFinite()) return;
  const BlendVector w = solveBlend(H, c, limit);
  std::vector<std::pair<float, std::uint32_t>> sorted;
  for (Eigen::Index i = 0; i < n; ++i)
    if (w[i] > 0.0)
      sorted.emplace_back(static_cast<float>(w[i]), bones[static_cast<std::size_t>(i)]);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  PlaceWeights& out = problem.weights[place];
  out = {};
  for (const auto& [weight, bone] : sorted) {
    out.bones[out.count] = bone;
    out.weights[out.count++] = weight;
  }
}

} // namespace

void solveWeights(BakeProblem& problem, const BakeShapes& shapes,
                  std::span<const std::uint32_t> places, std::uint32_t limit) {
  forEachPieceInParallel(places.size(), 32, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      solvePlace(problem, shapes, places[i], limit);
  });
}

std::vector<float> computeErrors(const BakeProblem& problem, const BakeShapes& shapes) {
  std::vector<float> out(shapes.targets.size());
  forEachPieceInParallel(problem.positions.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place)
      for (std::size_t pose = 0; pose < shapes.count(); ++pose) {
        const std::size_t at = place * shapes.count() + pose;
        const float d =
            glm::distance(blendedPlace(problem, shapes, pose, place), shapes.targets[at]);
        out[at] = d / problem.size;
      }
  });
  return out;
}

} // namespace sinew
