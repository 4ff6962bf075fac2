#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "model/shapes.h"
#include "weights/automatic_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

using namespace sinew;

namespace {

Mesh tube(const vec3& base, float length, float radius, std::uint32_t rings,
          std::uint32_t segments) {
  std::vector<Ring> loops;
  for (std::uint32_t r = 0; r < rings; ++r) {
    const float x = length * (static_cast<float>(r) + 0.5f) / static_cast<float>(rings);
    loops.push_back({base + vec3(x, 0, 0), vec3(0, radius, 0), vec3(0, 0, radius)});
  }
  return toMesh(sweep(base, loops, base + vec3(length, 0, 0), segments), "tube");
}

std::vector<BoneSegment> chain(const vec3& from, const vec3& to, int count) {
  std::vector<BoneSegment> bones;
  bones.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    bones.push_back({from + (to - from) * (static_cast<float>(i) / static_cast<float>(count)),
                     from + (to - from) * (static_cast<float>(i + 1) / static_cast<float>(count))});
  return bones;
}

void join(Mesh& mesh, const Mesh& other) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const auto& [a, b, c] : other.triangles)
    mesh.triangles.push_back({first + a, first + b, first + c});
}

AutomaticWeights computeWeights(const Mesh& mesh, const std::vector<BoneSegment>& bones,
                                const WeightOptions& options = {}) {
  return automaticWeights(mesh.positions, mesh.triangles, bones, options);
}

float getWeight(const AutomaticWeights& weights, std::size_t vertex, std::uint32_t bone) {
  return sinew::getWeight(weights.influences.of(vertex), bone);
}

// What must hold whatever the mesh.
void checkWhole(const AutomaticWeights& weights, std::size_t vertices, std::size_t bones,
                std::uint32_t maxInfluences) {
  REQUIRE(weights.influences.vertexCount() == vertices);
  REQUIRE(weights.fallbacks.size() == vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto of = weights.influences.of(v);
    float sum = 0.0f;
    bool good = !of.empty() && (maxInfluences == 0 || of.size() <= maxInfluences);
    for (std::size_t i = 0; i < of.size(); ++i) {
      good = good && of[i].joint < bones && of[i].weight > 0.0f && of[i].weight <= 1.0f + 1e-6f;
      good = good && (i == 0 || of[i].weight <= of[i - 1].weight);
      sum += of[i].weight;
    }
    CAPTURE(v);
    CHECK(good);
    CHECK(std::abs(sum - 1.0f) < 1e-5f);
  }
}

constexpr WeightAlgorithm kBoth[] = {WeightAlgorithm::boneHeat, WeightAlgorithm::boneGlow};

} // namespace

TEST_CASE("on a tube weights pass from bone to bone along it") {
  const Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 80, 16);
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 4);
  for (const WeightAlgorithm algorithm : kBoth) {
    const AutomaticWeights weights = computeWeights(mesh, bones, {.algorithm = algorithm});
    checkWhole(weights, mesh.positions.size(), bones.size(), 4);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const float x = mesh.positions[v].x;
      const auto bone = static_cast<std::uint32_t>(std::min(x, 3.999f));
      const float inside =
          std::min(x - static_cast<float>(bone), static_cast<float>(bone) + 1.0f - x);
      if (inside > 0.25f) CHECK(getWeight(weights, v, bone) > 0.8f);
      if (inside > 0.01f) CHECK(weights.influences.of(v)[0].joint == bone);
    }
    CHECK(weights.report.fromNearestSurface + weights.report.fromNearestBone == 0);
  }
}

TEST_CASE("weights do not depend on the unit of length") {
  const Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 40, 12);
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 3);
  for (const WeightAlgorithm algorithm : kBoth) {
    const AutomaticWeights plain = computeWeights(mesh, bones, {.algorithm = algorithm});
    for (const float scale : {0.001f, 1000.0f}) {
      Mesh scaled = mesh;
      for (vec3& p : scaled.positions)
        p *= scale;
      auto scaledBones = bones;
      for (BoneSegment& bone : scaledBones)
        bone = {scale * bone.from, scale * bone.to};
      const AutomaticWeights out = computeWeights(scaled, scaledBones, {.algorithm = algorithm});
      float largest = 0.0f;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (std::uint32_t b = 0; b < bones.size(); ++b)
          largest = std::max(largest, std::abs(getWeight(out, v, b) - getWeight(plain, v, b)));
      CHECK(largest < 2e-3f);
    }
  }
}

TEST_CASE("both sides of a seam have the same weights") {
  Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 40, 12);
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 3);
  const AutomaticWeights whole = computeWeights(mesh, bones);
  // Every triangle with vertices of its own.
  Mesh torn;
  std::vector<std::uint32_t> source;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(torn.positions.size());
    for (const std::uint32_t v : t) {
      torn.positions.push_back(mesh.positions[v]);
      source.push_back(v);
    }
    torn.triangles.push_back({first, first + 1, first + 2});
  }
  const AutomaticWeights out = computeWeights(torn, bones);
  CHECK(out.report.repairs.weldedVertices == torn.positions.size() - mesh.positions.size());
  CHECK(out.report.repairs.components == 1);
  std::map<std::uint32_t, std::size_t> first; // vertex of the whole mesh: one of the torn
  for (std::size_t v = 0; v < torn.positions.size(); ++v) {
    const std::size_t same = first.emplace(source[v], v).first->second;
    for (std::uint32_t b = 0; b < bones.size(); ++b) {
      CHECK(getWeight(out, v, b) == getWeight(out, same, b));
      CHECK(std::abs(getWeight(out, v, b) - getWeight(whole, source[v], b)) < 1e-4f);
    }
  }
}

TEST_CASE("a component outside the body takes the weights of the body beneath it") {
  Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 60, 16);
  const std::size_t body = mesh.positions.size();
  Mesh component = tube(vec3(0.5f, 0, 0), 3.0f, 0.21f, 45, 16);
  join(mesh, component);
  join(mesh, tube(vec3(1.0f, 5.0f, 0), 0.3f, 0.1f, 6, 8)); // and one far off
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 4);
  for (const WeightAlgorithm algorithm : kBoth) {
    const AutomaticWeights out = computeWeights(mesh, bones, {.algorithm = algorithm});
    checkWhole(out, mesh.positions.size(), bones.size(), 4);
    CHECK(out.report.repairs.components == 3);
    for (std::size_t v = body; v < body + component.positions.size(); ++v) {
      const float x = mesh.positions[v].x;
      const auto bone = static_cast<std::uint32_t>(x);
      if (std::abs(x - std::round(x)) > 0.3f) CHECK(getWeight(out, v, bone) > 0.8f);
    }
  }
}

TEST_CASE("a skeleton of one bone, of bones without length, or all outside still binds") {
  const Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 20, 8);
  for (const WeightAlgorithm algorithm : kBoth) {
    const WeightOptions options{.algorithm = algorithm};
    for (const auto& bones : {std::vector<BoneSegment>{{vec3(0), vec3(4, 0, 0)}},
                              {{vec3(1, 0, 0), vec3(1, 0, 0)}},
                              {{vec3(1, 0, 0), vec3(1, 0, 0)}, {vec3(3, 0, 0), vec3(3, 0, 0)}},
                              {{vec3(0, 9, 0), vec3(1, 9, 0)}, {vec3(1, 9, 0), vec3(4, 9, 0)}}}) {
      const AutomaticWeights out = computeWeights(mesh, bones, options);
      checkWhole(out, mesh.positions.size(), bones.size(), 4);
      if (bones.size() == 1)
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
          CHECK(getWeight(out, v, 0) == 1.0f);
    }
  }
}

TEST_CASE("a skeleton beyond what single precision relates to the mesh is refused") {
  const Mesh mesh = tube(vec3(0.0f), 1.0f, 0.1f, 10, 8);
  for (const vec3& to : {vec3(1e30f), vec3(0.0f, -1e6f, 0.0f), vec3(std::nanf(""))})
    CHECK_THROWS_WITH_AS(computeWeights(mesh, {{vec3(0.0f), to}}),
                         doctest::Contains("far outside the mesh"), Error);
  CHECK(computeWeights(mesh, {{vec3(0.0f), vec3(100.0f, 0.0f, 0.0f)}}).influences.vertexCount() ==
        mesh.positions.size());
}

TEST_CASE("nothing to bind, or no triangles, is no failure") {
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 2);
  CHECK(automaticWeights({}, {}, bones, {}).influences.vertexCount() == 0);
  const std::vector<vec3> points{{0.5f, 0.1f, 0}, {3.5f, 0.1f, 0}};
  const AutomaticWeights out = automaticWeights(points, {}, bones, {});
  CHECK(getWeight(out, 0, 0) > 0.9f);
  CHECK(getWeight(out, 1, 1) > 0.9f);
}

TEST_CASE("pruning keeps the largest and says what it took") {
  const Mesh mesh = tube(vec3(0), 1.0f, 0.4f, 30, 12);
  const auto bones = chain(vec3(0), vec3(1, 0, 0), 9);
  const AutomaticWeights all = computeWeights(mesh, bones, {.influences = 0});
  const AutomaticWeights two =
      computeWeights(mesh, bones, {.influences = 2, .pruning = Pruning::plain});
  checkWhole(two, mesh.positions.size(), bones.size(), 2);
  CHECK(all.report.largestCut < 1e-6f);
  float largest = 0.0f;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto of = all.influences.of(v);
    float sum = 0.0f;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, of.size()); ++i)
      sum += of[i].weight;
    largest = std::max(largest, 1.0f - sum);
  }
  CHECK(two.report.largestCut == doctest::Approx(largest).epsilon(1e-3));
  CHECK(largest > 0.1f);
}

TEST_CASE("without diffusion weights are the initial weights") {
  const Mesh mesh = tube(vec3(0), 4.0f, 0.2f, 40, 12);
  const auto bones = chain(vec3(0), vec3(4, 0, 0), 2);
  const AutomaticWeights out =
      computeWeights(mesh, bones, {.algorithm = WeightAlgorithm::boneHeat, .diffusion = false});
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (std::abs(mesh.positions[v].x - 2.0f) > 0.01f)
      CHECK(getWeight(out, v, mesh.positions[v].x < 2.0f ? 0 : 1) == 1.0f);
}

namespace {

// A body and a few other pieces, then damaged in every way at once.
Mesh dirtyMesh(Random& random) {
  Mesh mesh =
      tube(vec3(0), 2.0f, random.uniform(0.05f, 0.4f), 6 + random.below(12), 5 + random.below(8));
  for (std::uint32_t i = random.below(4); i > 0; --i)
    join(mesh,
         tube(vec3(random.uniform(-1, 2), random.uniform(-1, 1), 0), random.uniform(0.01f, 1.0f),
              random.uniform(0.001f, 0.3f), 3 + random.below(4), 3 + random.below(5)));
  const auto vertex = [&] {
    return random.below(static_cast<std::uint32_t>(mesh.positions.size()));
  };
  for (std::uint32_t i = random.below(20); i > 0; --i) // holes and flipped triangles
    if (Triangle& t =
            mesh.triangles[random.below(static_cast<std::uint32_t>(mesh.triangles.size()))];
        random.below(2) == 0)
      std::swap(t[0], t[1]);
    else
      t = {vertex(), vertex(), vertex()}; // crosses everything: non-manifold
  for (std::uint32_t i = random.below(8); i > 0; --i)
    mesh.positions[vertex()] = mesh.positions[vertex()]; // zero-length edges, zero areas
  for (std::uint32_t i = random.below(6); i > 0; --i)
    mesh.triangles.push_back(
        {vertex(), vertex(), static_cast<std::uint32_t>(mesh.positions.size()) + random.below(3)});
  for (std::uint32_t i = random.below(6); i > 0; --i)
    mesh.triangles.push_back(
        mesh.triangles[random.below(static_cast<std::uint32_t>(mesh.triangles.size()))]);
  for (std::uint32_t i = random.below(3); i > 0; --i)
    mesh.positions.push_back({random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)});
  if (random.below(3) == 0) mesh.positions[vertex()].y = std::numeric_limits<float>::quiet_NaN();
  if (random.below(5) == 0) mesh.positions[vertex()].x = std::numeric_limits<float>::infinity();
  const float scale = std::pow(10.0f, random.uniform(-4.0f, 4.0f));
  for (vec3& p : mesh.positions)
    p *= scale;
  return mesh;
}

std::vector<BoneSegment> dirtyBones(Random& random, const Mesh& mesh) {
  std::vector<BoneSegment> bones;
  const auto point = [&] {
    const vec3& p = mesh.positions[random.below(static_cast<std::uint32_t>(mesh.positions.size()))];
    return std::isfinite(p.x + p.y + p.z) ? p * random.uniform(0.0f, 1.5f) : vec3(0.0f);
  };
  for (std::uint32_t i = 1 + random.below(8); i > 0; --i) {
    const vec3 from = point();
    bones.push_back({from, random.below(4) == 0 ? from : point()});
  }
  return bones;
}

} // namespace

TEST_CASE("whatever the mesh, every vertex gets weights that sum to 1") {
  for (int seed = 1; seed <= test::rounds(150, 25); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Mesh mesh = dirtyMesh(random);
    const auto bones = dirtyBones(random, mesh);
    for (const WeightAlgorithm algorithm : kBoth)
      for (const bool diffusion : {true, false}) {
        const AutomaticWeights out =
            computeWeights(mesh, bones, {.algorithm = algorithm, .diffusion = diffusion});
        checkWhole(out, mesh.positions.size(), bones.size(), 4);
      }
  }
}

TEST_CASE("weights: progress rises from 0 to 1, and cancelling stops early at every stage") {
  const Mesh mesh = tube({0, 0, 0}, 10.0f, 1.0f, 200, 40);
  const std::vector<BoneSegment> bones = chain({0, 0, 0}, {10, 0, 0}, 12);
  for (const WeightAlgorithm algorithm : {WeightAlgorithm::boneHeat, WeightAlgorithm::boneGlow}) {
    WeightOptions options;
    options.algorithm = algorithm;
    std::vector<float> told;
    std::vector<std::string> stages;
    const auto weights = automaticWeights(mesh.positions, mesh.triangles, bones, options, {},
                                          [&](float fraction, std::string_view what) {
                                            told.push_back(fraction);
                                            if (stages.empty() || stages.back() != what)
                                              stages.emplace_back(what);
                                            return true;
                                          });
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.front() == 0.0f);
    CHECK(told.back() == doctest::Approx(1.0));
    CHECK(told.size() > 12);
    CHECK(weights.influences.values.size() ==
          computeWeights(mesh, bones, options).influences.values.size());
    for (const std::string& stage : stages) {
      bool stopped = false;
      std::size_t after = 0;
      CHECK_THROWS_AS(automaticWeights(mesh.positions, mesh.triangles, bones, options, {},
                                       [&](float, std::string_view what) {
                                         after += stopped ? 1 : 0;
                                         stopped = stopped || what == stage;
                                         return !stopped;
                                       }),
                      Cancelled);
      CHECK(after <= 2); // pieces other threads were at
    }
  }
}
