#include "core/random.h"
#include "weights/paint_layer.h"
#include "weights/paint_test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>

using namespace sinew;

namespace {

constexpr float kStep = 1.0f / PaintSheet::kSteps;

double paintedSum(std::span<const Influence> influences) {
  double sum = 0.0;
  for (const Influence& influence : influences)
    sum += static_cast<double>(influence.weight);
  return sum;
}

// Sheet, layer, weights and a brush to go over them.
struct Easel {
  PaintSheet sheet;
  PaintLayer layer = boneLayer(sheet.model, sheet.rig);
  MirrorMap map = mirrorMap(sheet.model);
  PaintedWeights weights{sheet.rig.influences};
  Brush brush{.radius = 0.3f, .strength = 1.0f};
  PaintRules rules;
  std::uint32_t node = 1;

  SurfacePoint pointAt(float x, float z) const {
    return *nearestSurfacePoint(layer.surface, {x, 0, z}, 10.0f);
  }
  BrushStamp stampAt(float x, float z) const {
    return {pointAt(x, z), paintItem(layer, sheet.rig, node)};
  }
  std::vector<std::uint32_t> stamp(float x, float z) {
    return paint(weights, layer.surface, brush, rules, std::vector{stampAt(x, z)});
  }
  void mirroredStamp(float x, float z) {
    const BrushStamp stamp = stampAt(x, z);
    const BrushStamp other{
        *mirroredPoint(layer, map, stamp.center.position, brush.radius),
        paintItem(layer, sheet.rig, *mirrorPartner(layer, sheet.model, map, node))};
    paint(weights, layer.surface, brush, rules, std::vector{stamp, other});
  }

  void checkWhole() const {
    for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
      const auto vertex = weights.of(v);
      CHECK(std::abs(paintedSum(vertex) - 1.0) < 1e-6);
      CHECK(std::ranges::all_of(vertex, [](const Influence& i) { return i.weight > 0.0f; }));
      CHECK(std::ranges::is_sorted(vertex, std::greater<>(), &Influence::weight));
    }
  }
};

// A random brush at a random position, from a generator with a fixed seed.
void randomStamp(Easel& easel, Random& random, bool mirrored) {
  easel.brush.mode = static_cast<BrushMode>(random.below(4));
  easel.brush.falloff = static_cast<BrushFalloff>(random.below(4));
  easel.brush.radius = random.uniform(0.05f, 0.55f);
  easel.brush.strength = random.uniform();
  easel.brush.value = random.uniform();
  easel.brush.along = random.below(2) == 0;
  easel.node = random.below(4);
  const float x = random.uniform(-1.0f, 1.0f);
  const float z = random.uniform();
  if (mirrored)
    easel.mirroredStamp(x, z);
  else
    easel.stamp(x, z);
}

std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

} // namespace

TEST_CASE("paint: random strokes leave sorted weights that sum to 1, few enough where painted") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Easel easel;
    Random random(seed);
    easel.rules.maxInfluences = 1 + seed % 4;
    for (int i = 0; i < 40; ++i)
      randomStamp(easel, random, seed % 2 == 0);
    easel.checkWhole();
    for (const std::uint32_t v :
         easel.weights.changedFrom(PaintedWeights(easel.sheet.rig.influences)))
      CHECK(easel.weights.of(v).size() <= easel.rules.maxInfluences);
  }
}

TEST_CASE("paint: locked weights keep every bit") {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Easel easel;
    Random random(seed);
    easel.rules.locked = {seed % 3 == 0, true, false, seed % 2 == 0};
    const PaintedWeights before = easel.weights;
    for (int i = 0; i < 40; ++i)
      randomStamp(easel, random, seed % 2 == 0);
    easel.checkWhole();
    CHECK(!easel.weights.changedFrom(before).empty());
    for (std::size_t v = 0; v < before.vertexCount(); ++v)
      for (std::uint32_t joint = 0; joint < 4; ++joint)
        if (easel.rules.locked[joint])
          CHECK(bits(getWeight(easel.weights.of(v), joint)) ==
                bits(getWeight(before.of(v), joint)));
  }
}

TEST_CASE("paint: with all else locked nothing moves") {
  Easel easel;
  easel.rules.locked = {true, false, true, true};
  CHECK(easel.stamp(0.5f, 0.5f).empty());
  easel.rules.locked = {true, true, true, true};
  CHECK(easel.stamp(0.5f, 0.5f).empty());
}

TEST_CASE("paint: a former value is every bit what it was") {
  Easel easel;
  Random random(3);
  std::vector<PaintedWeights> steps{easel.weights};
  std::vector<Influences> then{easel.weights.joined()};
  for (int i = 0; i < 12; ++i) {
    randomStamp(easel, random, true);
    steps.push_back(easel.weights);
    then.push_back(easel.weights.joined());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Influences now = steps[i].joined();
    REQUIRE(now.offsets == then[i].offsets);
    for (std::size_t k = 0; k < now.values.size(); ++k) {
      CHECK(now.values[k].joint == then[i].values[k].joint);
      CHECK(bits(now.values[k].weight) == bits(then[i].values[k].weight));
    }
  }
  CHECK(steps[0].changedFrom(PaintedWeights(easel.sheet.rig.influences)).empty());
}

TEST_CASE("paint: vertices along a seam keep equal weights, and the brush crosses it") {
  Easel easel;
  Random random(5);
  for (int i = 0; i < 60; ++i)
    randomStamp(easel, random, i % 2 == 0);
  std::size_t twins = 0;
  for (std::size_t welded = 0; welded < easel.layer.surface.positions.size(); ++welded) {
    const auto vertices = easel.layer.surface.verticesByWelded.of(welded);
    if (vertices.size() == 1) continue;
    ++twins;
    const auto a = easel.weights.of(vertices[0]);
    const auto b = easel.weights.of(vertices[1]);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].joint == b[i].joint);
      CHECK(bits(a[i].weight) == bits(b[i].weight));
    }
  }
  CHECK(twins == 17);
  Easel fresh;
  const auto changed = fresh.stamp(0.5f, 0.45f);
  const auto reaches = [&](float low, float high) {
    return std::ranges::any_of(changed, [&](std::uint32_t v) {
      const float z = fresh.sheet.rig.positions[v].z;
      return z > low && z < high;
    });
  };
  CHECK(reaches(0.3f, 0.49f));
  CHECK(reaches(0.51f, 0.75f));
}

TEST_CASE("paint: mirrored strokes on a model the same left and right leave it so") {
  Easel easel;
  REQUIRE(easel.map.partner == std::vector<std::uint32_t>{0, 2, 1, 3});
  Random random(7);
  for (int i = 0; i < 60; ++i)
    randomStamp(easel, random, true);
  const std::uint32_t partner[] = {0, 2, 1, 3};
  for (std::uint32_t v = 0; v < easel.weights.vertexCount(); ++v)
    for (std::uint32_t joint = 0; joint < 4; ++joint) {
      CAPTURE(v);
      CHECK(getWeight(easel.weights.of(v), joint) ==
            doctest::Approx(static_cast<double>(getWeight(easel.weights.of(easel.sheet.mirrored(v)),
                                                          partner[joint])))
                .epsilon(0.002));
    }
}

TEST_CASE("paint: what each mode does to the vertex under the middle of the brush") {
  const auto after = [](BrushMode mode, float strength, float value) {
    Easel easel;
    easel.brush = {mode, BrushFalloff::linear, 0.3f, strength, value, true};
    easel.stamp(0.5f, 0.25f);
    const std::uint32_t v = 2 * 17 + 12;
    REQUIRE(glm::length(easel.sheet.rig.positions[v] - vec3(0.5f, 0, 0.25f)) < 1e-6f);
    return getWeight(easel.weights.of(v), 1);
  };
  CHECK(after(BrushMode::add, 0.8f, 0) == doctest::Approx(0.25 + 0.25 * 0.8));
  CHECK(after(BrushMode::subtract, 0.4f, 0) == doctest::Approx(0.25 - 0.25 * 0.4));
  CHECK(after(BrushMode::replace, 1.0f, 0.7f) == doctest::Approx(0.7));
  CHECK(after(BrushMode::replace, 0.5f, 0.75f) == doctest::Approx(0.5));
  CHECK(after(BrushMode::smooth, 1.0f, 0) == doctest::Approx(0.25)); // the weights are even here
}

TEST_CASE("paint: smoothing takes a spike towards its neighbours") {
  Easel easel;
  easel.brush = {BrushMode::replace, BrushFalloff::constant, 0.9f * kStep, 1.0f, 1.0f, true};
  easel.stamp(-0.5f, 0.25f);
  const std::uint32_t v = 2 * 17 + 4;
  REQUIRE(getWeight(easel.weights.of(v), 1) == 1.0f);
  easel.brush.mode = BrushMode::smooth;
  easel.stamp(-0.5f, 0.25f);
  CHECK(getWeight(easel.weights.of(v), 1) == 0.0f);
  easel.checkWhole();
}

TEST_CASE("paint: what a vertex of one joint loses goes to the joint's parent") {
  Easel easel;
  easel.brush = {BrushMode::replace, BrushFalloff::constant, 2.0f, 1.0f, 1.0f, true};
  easel.stamp(0.5f, 0.5f);
  for (std::size_t v = 0; v < easel.weights.vertexCount(); ++v)
    REQUIRE(getWeight(easel.weights.of(v), 1) == 1.0f);
  easel.brush = {BrushMode::subtract, BrushFalloff::constant, 0.2f, 1.0f, 1.0f, true};
  const auto changed = easel.stamp(0.5f, 0.5f);
  REQUIRE(!changed.empty());
  for (const std::uint32_t v : changed)
    CHECK(getWeight(easel.weights.of(v), 0) == doctest::Approx(0.25));
  easel.node = 0; // the root has none
  easel.brush = {BrushMode::replace, BrushFalloff::constant, 2.0f, 1.0f, 1.0f, true};
  easel.stamp(0.5f, 0.5f);
  easel.brush.mode = BrushMode::subtract;
  CHECK(easel.stamp(0.5f, 0.5f).empty());
}

TEST_CASE("paint: fall-offs go from 1 to 0") {
  for (const BrushFalloff falloff :
       {BrushFalloff::smooth, BrushFalloff::linear, BrushFalloff::constant, BrushFalloff::sharp}) {
    CHECK(falloffAt(falloff, 0.0f) == 1.0f);
    CHECK(falloffAt(falloff, 1.0f) == 0.0f);
    for (int i = 0; i < 10; ++i)
      CHECK(falloffAt(falloff, 0.1f * static_cast<float>(i)) >=
            falloffAt(falloff, 0.1f * static_cast<float>(i + 1)));
  }
}
