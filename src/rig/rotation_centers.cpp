#include "rig/rotation_centers.h"

#include "core/parallel.h"
#include "rig/welded_vertices.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sinew {
namespace {

constexpr double kSigma = 0.1;
constexpr float kLargestStep = 0.1f; // between the weights of a triangle's corners
// Pieces of the surface whose two weights are in one cell of this grid count as one, at their mean:
// off by the square of a 25th of sigma.
constexpr std::uint32_t kCells = 128;

std::uint64_t pairKey(std::uint32_t j, std::uint32_t k) {
  return std::uint64_t{j} << 32 | k;
}

// Part of the surface as the sum over one pair of joints sees it: `mass` is area times b_j b_k.
struct PairMass {
  double mass = 0.0;
  double j = 0.0, k = 0.0; // the weights, times mass
  glm::dvec3 moment{0.0};  // centroid times mass
};

// The sum over pairs taken apart: s is a function of two weights at a time, so the surface is put
// together by pairs of joints once, and each vertex looks at its own pairs alone.
class SurfaceByPairs {
 public:
  // Lists the pairs that some vertex follows.
  explicit SurfaceByPairs(const Influences& weights) {
    for (std::size_t v = 0; v < weights.vertexCount(); ++v)
      forEachPair(weights.of(v), [&](const Influence& a, const Influence& b) {
        if (pairs_.try_emplace(pairKey(a.joint, b.joint), masses_.size()).second)
          masses_.emplace_back();
      });
  }

  bool empty() const { return masses_.empty(); }

  // In the order of joints.
  template <class Visit>
  static void forEachPair(std::span<const Influence> vertex, const Visit& visit) {
    for (std::size_t i = 0; i < vertex.size(); ++i)
      for (std::size_t m = i + 1; m < vertex.size(); ++m)
        vertex[i].joint < vertex[m].joint ? visit(vertex[i], vertex[m])
                                          : visit(vertex[m], vertex[i]);
  }

  void add(double area, const glm::dvec3& centroid, std::span<const Influence> weights) {
    forEachPair(weights, [&](const Influence& a, const Influence& b) {
      const auto pair = pairs_.find(pairKey(a.joint, b.joint));
      if (pair == pairs_.end()) return;
      const auto cell = [](float weight) {
        return static_cast<std::uint64_t>(weight * static_cast<float>(kCells));
      };
      const std::uint64_t key =
          (pair->second * (kCells + 1) + cell(a.weight)) * (kCells + 1) + cell(b.weight);
      std::vector<PairMass>& masses = masses_[pair->second];
      const auto [found, fresh] = cells_.try_emplace(key, masses.size());
      if (fresh) masses.emplace_back();
      PairMass& sum = masses[found->second];
      const double mass = area * static_cast<double>(a.weight) * static_cast<double>(b.weight);
      sum.mass += mass;
      sum.j += mass * static_cast<double>(a.weight);
      sum.k += mass * static_cast<double>(b.weight);
      sum.moment += mass * centroid;
    });
  }

  // The weights become those of a mass; call it once, after the last add().
  void finish() {
    for (std::vector<PairMass>& masses : masses_) {
      std::erase_if(masses, [](const PairMass& m) { return !(m.mass > 0.0); });
      for (PairMass& m : masses) {
        m.j /= m.mass;
        m.k /= m.mass;
      }
    }
  }

  // The centre of a vertex; w is the sum of masses, 0 where nothing is alike.
  glm::dvec4 center(std::span<const Influence> weights) const {
    glm::dvec3 moment(0.0);
    double mass = 0.0;
    forEachPair(weights, [&](const Influence& a, const Influence& b) {
      const double j = static_cast<double>(a.weight);
      const double k = static_cast<double>(b.weight);
      glm::dvec3 pairMoment(0.0);
      double pairMass = 0.0;
      for (const PairMass& m : masses_[pairs_.at(pairKey(a.joint, b.joint))]) {
        const double off = (j * m.k - k * m.j) / kSigma;
        if (off * off > 40.0) continue; // exp() is less than rounding
        const double alike = std::exp(-off * off);
        pairMass += alike * m.mass;
        pairMoment += alike * m.moment;
      }
      mass += j * k * pairMass;
      moment += j * k * pairMoment;
    });
    return mass > 0.0 ? glm::dvec4(moment / mass, mass) : glm::dvec4(0.0);
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> pairs_;
  std::unordered_map<std::uint64_t, std::size_t> cells_;
  std::vector<std::vector<PairMass>> masses_;
};

// A joint's weights at the corners of a triangle.
struct CornerWeights {
  std::uint32_t joint = 0;
  vec3 at{0.0f};
};

void findCornerWeights(const Influences& weights, const Triangle& triangle,
                       std::vector<CornerWeights>& out) {
  out.clear();
  for (int c = 0; c < 3; ++c)
    for (const Influence& influence : weights.of(triangle[static_cast<std::size_t>(c)])) {
      auto found = std::ranges::find(out, influence.joint, &CornerWeights::joint);
      if (found == out.end()) found = out.insert(out.end(), {influence.joint, vec3(0.0f)});
      found->at[c] = influence.weight;
    }
}

// Into how many parts each edge is split.
int countSplits(std::span<const CornerWeights> corners) {
  float largest = 0.0f;
  for (const CornerWeights& w : corners)
    largest =
        std::max(largest, std::max({w.at.x, w.at.y, w.at.z}) - std::min({w.at.x, w.at.y, w.at.z}));
  return std::max(1, static_cast<int>(std::ceil(largest / kLargestStep - 1e-3f)));
}

// Calls visit(barycentric coordinates of the centroid) for each of the n^2 triangles of equal area.
template <class Visit>
void forEachPart(int n, const Visit& visit) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < 2 * (n - row) - 1; ++column) {
      // Thirds of a step: upward triangles have their centroid at (1, 1) thirds, others at (2, 2).
      const int third = column % 2 == 0 ? 1 : 2;
      const int cell = column / 2;
      const float x = static_cast<float>(3 * cell + third) / static_cast<float>(3 * n);
      const float y = static_cast<float>(3 * row + third) / static_cast<float>(3 * n);
      visit(vec3(1.0f - x - y, x, y));
    }
}

void addTriangles(const Rig& rig, const Influences& weights, SurfaceByPairs& surface) {
  std::vector<CornerWeights> corners;
  std::vector<Influence> mean;
  for (const Triangle& triangle : rig.triangles) {
    findCornerWeights(weights, triangle, corners);
    if (corners.size() < 2) continue;
    const glm::dvec3 a(rig.positions[triangle[0]]);
    const glm::dvec3 b(rig.positions[triangle[1]]);
    const glm::dvec3 c(rig.positions[triangle[2]]);
    const double area = 0.5 * glm::length(glm::cross(b - a, c - a));
    if (!(area > 0.0)) continue;
    const int n = countSplits(corners);
    forEachPart(n, [&](const vec3& at) {
      mean.clear();
      for (const CornerWeights& w : corners)
        if (const float weight = glm::dot(w.at, at); weight > 0.0f)
          mean.push_back({w.joint, std::min(weight, 1.0f)});
      const glm::dvec3 bary(at);
      surface.add(area / (n * n), bary.x * a + bary.y * b + bary.z * c, mean);
    });
  }
}

bool sameWeights(std::span<const Influence> a, std::span<const Influence> b) {
  return std::ranges::equal(a, b, [](const Influence& x, const Influence& y) {
    return x.joint == y.joint && x.weight == y.weight;
  });
}

} // namespace

std::vector<vec3> rotationCenters(const Rig& rig, const Influences& weights) {
  std::vector<vec3> centers = rig.positions;
  SurfaceByPairs surface(weights);
  if (surface.empty()) return centers;
  addTriangles(rig, weights, surface);
  surface.finish();
  // A vertex that a seam repeats with the same weights has the center of the first.
  std::vector<std::uint32_t> like = weldVertices(rig);
  for (std::uint32_t v = 0; v < like.size(); ++v)
    if (!sameWeights(weights.of(v), weights.of(like[v]))) like[v] = v;
  forEachPieceInParallel(centers.size(), 1024, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (like[v] != v) continue;
      if (const glm::dvec4 found = surface.center(weights.of(v)); found.w > 0.0)
        centers[v] = vec3(found);
    }
  });
  for (std::size_t v = 0; v < centers.size(); ++v)
    centers[v] = centers[like[v]];
  return centers;
}

} // namespace sinew
