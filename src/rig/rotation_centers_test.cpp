#include "animation/random_model.h"
#include "core/stopwatch.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "rig/rotation_centers.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace sinew;

namespace {

using Weights = std::map<std::uint32_t, double>;

double getWeight(const Weights& weights, std::uint32_t joint) {
  const auto found = weights.find(joint);
  return found != weights.end() ? found->second : 0.0;
}

// The paper's equation to the letter, over all ordered pairs.
double similarity(const Weights& a, const Weights& b) {
  double sum = 0.0;
  for (const auto& [j, aj] : a)
    for (const auto& [k, ak] : a) {
      if (j == k) continue;
      const double bj = getWeight(b, j);
      const double bk = getWeight(b, k);
      const double off = aj * bk - ak * bj;
      sum += aj * ak * bj * bk * std::exp(-off * off / 0.01);
    }
  return sum;
}

Weights collectWeights(const Rig& rig, std::uint32_t v) {
  Weights out;
  for (const Influence& influence : rig.influences.of(v))
    out[influence.joint] = static_cast<double>(influence.weight);
  return out;
}

struct Corner {
  glm::dvec3 position;
  Weights weights;
};

Corner middle(const Corner& a, const Corner& b) {
  Corner out{0.5 * (a.position + b.position), {}};
  for (const auto* of : {&a.weights, &b.weights})
    for (const auto& [joint, weight] : *of)
      out.weights[joint] += 0.5 * weight;
  return out;
}

double difference(const Corner& a, const Corner& b) {
  double largest = 0.0;
  for (const auto* of : {&a.weights, &b.weights})
    for (const auto& [joint, weight] : *of)
      largest =
          std::max(largest, std::abs(getWeight(a.weights, joint) - getWeight(b.weights, joint)));
  return largest;
}

struct Piece {
  double area;
  Corner center;
};

// Halved in all three edges until its corners agree: another way of splitting than the program's.
void split(const Corner& a, const Corner& b, const Corner& c, double area, double step,
           std::vector<Piece>& out) {
  if (std::max({difference(a, b), difference(b, c), difference(c, a)}) <= step) {
    Corner center{(a.position + b.position + c.position) / 3.0, {}};
    for (const Corner* corner : {&a, &b, &c})
      for (const auto& [joint, weight] : corner->weights)
        center.weights[joint] += weight / 3.0;
    out.push_back({area, center});
    return;
  }
  const Corner ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
  split(a, ab, ca, 0.25 * area, step, out);
  split(ab, b, bc, 0.25 * area, step, out);
  split(ca, bc, c, 0.25 * area, step, out);
  split(ab, bc, ca, 0.25 * area, step, out);
}

// The largest difference from the naive sum over pieces, relative to the model's size.
float largestError(const Rig& rig, double step) {
  std::vector<Piece> pieces;
  for (const Triangle& t : rig.triangles) {
    std::array<Corner, 3> c;
    for (std::size_t i = 0; i < 3; ++i)
      c[i] = {glm::dvec3(rig.positions[t[i]]), collectWeights(rig, t[i])};
    const double area =
        0.5 * glm::length(glm::cross(c[1].position - c[0].position, c[2].position - c[0].position));
    split(c[0], c[1], c[2], area, step, pieces);
  }
  const std::vector<vec3> found = rotationCenters(rig, rig.influences);
  const float size = computeBounds(rig.positions).size();
  float largest = 0.0f;
  for (std::uint32_t v = 0; v < found.size(); v += 5) {
    const Weights weights = collectWeights(rig, v);
    glm::dvec3 moment(0.0);
    double mass = 0.0;
    for (const Piece& piece : pieces) {
      const double s = piece.area * similarity(weights, piece.center.weights);
      mass += s;
      moment += s * piece.center.position;
    }
    const vec3 expected = mass > 0.0 ? vec3(moment / mass) : rig.positions[v];
    largest = std::max(largest, glm::length(found[v] - expected) / size);
  }
  return largest;
}

} // namespace

TEST_CASE("centres of rotation are the naive sum over the surface") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.vertices = 60;
    options.joints = 8;
    options.influences = 3;
    options.rigidMesh = false;
    CHECK(largestError(buildRig(randomModel(seed, options)), 0.05) < 0.01f);
  }
  CHECK(largestError(buildRig(findDemo("arm").make()), 0.1) < 2e-3f);
}

TEST_CASE("centres of rotation stay in the surface's box, and where one joint has the vertex") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Rig rig = buildRig(randomModel(seed));
    const Bounds box = computeBounds(rig.positions);
    const std::vector<vec3> centers = rotationCenters(rig, rig.influences);
    REQUIRE(centers.size() == rig.positions.size());
    for (std::size_t v = 0; v < centers.size(); ++v) {
      if (rig.influences.of(v).size() == 1) CHECK(centers[v] == rig.positions[v]);
      for (int c = 0; c < 3; ++c) {
        CHECK(centers[v][c] >= box.min[c] - 1e-5f);
        CHECK(centers[v][c] <= box.max[c] + 1e-5f);
      }
    }
  }
  Rig bare = buildRig(randomModel(3));
  bare.triangles.clear();
  CHECK(rotationCenters(bare, bare.influences) == bare.positions);
}

TEST_CASE("centres of rotation of 100,000 vertices" * doctest::skip(!test::kThorough)) {
  // A tube along many joints, four of which each vertex follows.
  constexpr std::uint32_t kRings = 2000, kSides = 50, kJoints = 60;
  Rig rig;
  for (std::uint32_t ring = 0; ring < kRings; ++ring) {
    const float along = static_cast<float>(ring) * (kJoints - 5.0f) / kRings;
    for (std::uint32_t side = 0; side < kSides; ++side) {
      const float angle = 6.2831853f * static_cast<float>(side) / kSides;
      rig.positions.emplace_back(along, std::cos(angle), std::sin(angle));
      std::vector<Influence> near;
      float sum = 0.0f;
      for (std::uint32_t j = 0; j < kJoints; ++j) {
        const float off = std::abs(static_cast<float>(j) - along - 1.5f - 0.3f * std::sin(angle));
        if (off < 2.0f) near.push_back({j, (2.0f - off) * (2.0f - off)});
        if (off < 2.0f) sum += near.back().weight;
      }
      for (Influence& influence : near)
        influence.weight /= sum;
      rig.influences.append(near);
      if (ring + 1 == kRings) continue;
      const std::uint32_t a = ring * kSides + side, b = ring * kSides + (side + 1) % kSides;
      rig.triangles.push_back({a, b, a + kSides});
      rig.triangles.push_back({b, b + kSides, a + kSides});
    }
  }
  const Clock::time_point start = Clock::now();
  const std::vector<vec3> centers = rotationCenters(rig, rig.influences);
  SINEW_FIGURE(secondsSince(start) << " s");
  for (std::size_t v = 0; v < centers.size(); v += 97)
    CHECK(glm::length(vec2(centers[v].y, centers[v].z)) < 0.7f);
}
