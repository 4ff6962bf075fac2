#include "weights/quality.h"

#include "weights/diffusion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace sinew {
namespace {

constexpr float kSome = 0.01f;

using Row = std::span<const Influence>;

const Influence* find(Row row, std::uint32_t joint) {
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const Influence& i) { return i.joint == joint; });
  return found == row.end() ? nullptr : &*found;
}

// Calls visit(a, b) with the weights of every joint that either row names.
template <class Visit>
void forBoth(Row a, Row b, const Visit& visit) {
  for (const Influence& i : a) {
    const Influence* other = find(b, i.joint);
    visit(static_cast<double>(i.weight),
          other != nullptr ? static_cast<double>(other->weight) : 0.0);
  }
  for (const Influence& i : b)
    if (find(a, i.joint) == nullptr) visit(0.0, static_cast<double>(i.weight));
}

double sumOfDifferences(Row a, Row b) {
  double sum = 0.0;
  forBoth(a, b, [&](double x, double y) { sum += std::abs(x - y); });
  return sum;
}

bool isWanted(Row wanted, std::uint32_t joint, std::span<const std::uint32_t> parents) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const Influence& i) {
    return i.weight > kSome &&
           (i.joint == joint || parents[i.joint] == joint || parents[joint] == i.joint);
  });
}

} // namespace

WeightDistance distanceBetween(const Influences& weights, const Influences& wanted,
                               std::span<const std::uint32_t> parents) {
  assert(weights.vertexCount() == wanted.vertexCount());
  WeightDistance out;
  std::size_t count = 0;
  for (std::size_t v = 0; v < wanted.vertexCount(); ++v) {
    if (wanted.of(v).empty()) continue;
    ++count;
    const double distance = sumOfDifferences(weights.of(v), wanted.of(v));
    out.mean += distance;
    out.largest = std::max(out.largest, distance);
    for (const Influence& i : weights.of(v))
      if (!isWanted(wanted.of(v), i.joint, parents)) out.bleeding += static_cast<double>(i.weight);
  }
  if (count > 0) {
    out.mean /= static_cast<double>(count);
    out.bleeding /= static_cast<double>(count);
  }
  return out;
}

WeightSmoothness measureSmoothness(const WeightSurface& surface, const Influences& influences) {
  assert(influences.vertexCount() == surface.weldedOfVertex.size());
  std::vector<Row> rows(surface.positions.size());
  for (std::size_t v = 0; v < surface.weldedOfVertex.size(); ++v)
    rows[surface.weldedOfVertex[v]] = influences.of(v);
  WeightSmoothness out;
  const Laplacian laplacian = cotangentLaplacian(surface);
  std::vector<double> steps;
  for (int column = 0; column < laplacian.stiffness.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(laplacian.stiffness, column); entry;
         ++entry) {
      if (entry.row() == column) continue; // rows sum to 0: the edges suffice
      double sum = 0.0;
      double squares = 0.0;
      forBoth(rows[static_cast<std::size_t>(entry.row())], rows[static_cast<std::size_t>(column)],
              [&](double x, double y) {
                sum += std::abs(x - y);
                squares += (x - y) * (x - y);
              });
      out.dirichlet -= entry.value() * squares;
      steps.push_back(0.5 * sum);
    }
  if (steps.empty()) return out;
  std::sort(steps.begin(), steps.end());
  out.largestStep = steps.back();
  out.steepStep = steps[(steps.size() - 1) * 999 / 1000];
  return out;
}

WeightDifference weightDifference(const Influences& a, const Influences& b) {
  assert(a.vertexCount() == b.vertexCount());
  WeightDifference out;
  double sum = 0.0;
  std::map<std::uint32_t, double> joints;
  for (std::size_t v = 0; v < a.vertexCount(); ++v) {
    joints.clear();
    for (const Influence& influence : a.of(v))
      joints[influence.joint] += static_cast<double>(influence.weight);
    for (const Influence& influence : b.of(v))
      joints[influence.joint] -= static_cast<double>(influence.weight);
    double apart = 0.0;
    for (const auto& [joint, weight] : joints) {
      apart += std::abs(weight);
      if (out.joints.size() <= joint) out.joints.resize(joint + std::size_t{1}, 0.0);
      out.joints[joint] += std::abs(weight);
    }
    sum += apart;
    out.largest = std::max(out.largest, apart);
  }
  if (a.vertexCount() == 0) return out;
  out.mean = sum / static_cast<double>(a.vertexCount());
  for (double& joint : out.joints)
    joint /= static_cast<double>(a.vertexCount());
  return out;
}

} // namespace sinew
