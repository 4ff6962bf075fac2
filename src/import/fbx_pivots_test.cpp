#include "animation/random_model.h"
#include "core/test_support.h"
#include "import/fbx_pivots.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

using namespace sinew;

namespace {

vec3 randomVector(Random& random) {
  return {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
}

// An aiNode chain as Assimp makes it; owns the nodes through the first.
struct NodeChain {
  aiNode first;
  aiNode* last = &first;
  mat4 product{1.0f};

  explicit NodeChain(const char* name) : first(name) {}
  void set(aiNode* node, const mat4& m) {
    product = product * m;
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned c = 0; c < 4; ++c)
        node->mTransformation[r][c] = m[static_cast<int>(c)][static_cast<int>(r)];
  }
  void add(const std::string& name, const mat4& m) {
    auto* child = new aiNode(name);
    last->addChildren(1, &child);
    last = child;
    set(child, m);
  }
};

mat4 move(const vec3& t) {
  return glm::translate(mat4(1.0f), t);
}

} // namespace

TEST_CASE("a chain of pivot nodes is one node with the same matrix") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const vec3 pivot = randomVector(random);
    const vec3 scalingPivot = randomVector(random);
    NodeChain chain("arm_$AssimpFbx$_Translation");
    chain.set(&chain.first, move(randomVector(random)));
    chain.add("arm_$AssimpFbx$_RotationOffset", move(randomVector(random)));
    chain.add("arm_$AssimpFbx$_RotationPivot", move(pivot));
    chain.add("arm_$AssimpFbx$_PreRotation", glm::mat4_cast(randomRotation(random)));
    chain.add("arm_$AssimpFbx$_Rotation", glm::mat4_cast(randomRotation(random)));
    chain.add("arm_$AssimpFbx$_PostRotation", glm::mat4_cast(randomRotation(random)));
    chain.add("arm_$AssimpFbx$_RotationPivotInverse", move(-pivot));
    chain.add("arm_$AssimpFbx$_ScalingOffset", move(randomVector(random)));
    chain.add("arm_$AssimpFbx$_ScalingPivot", move(scalingPivot));
    chain.add("arm_$AssimpFbx$_Scaling",
              glm::scale(mat4(1.0f), vec3(random.uniform(0.5f, 2), random.uniform(0.5f, 2), 1)));
    chain.add("arm_$AssimpFbx$_ScalingPivotInverse", move(-scalingPivot));
    chain.add("arm", mat4(1.0f));

    const PivotChain read = readPivotChain(chain.first);
    CHECK(read.name == "arm");
    CHECK(read.nodes.size() == 12);
    CHECK(read.childrenOf == chain.last);
    const FbxPivots& p = read.pivots;
    CHECK(test::largestDifference(matrixOf(localTransform(p, p.translation, p.rotation, p.scale)),
                                  chain.product) < 2e-5f);
  }
}

TEST_CASE("without pivots the keys stay where they are; with them nothing is off between keys") {
  Random random(3);
  FbxPivots pivots;
  pivots.pre = randomRotation(random);
  pivots.before = {1, 2, 3};
  Channel parts;
  parts.rotation.times = {0.0f, 1.0f};
  parts.rotation.values = {quat(1, 0, 0, 0), glm::angleAxis(2.5f, vec3(0, 0, 1))};
  parts.translation.times = {0.0f, 1.0f};
  parts.translation.values = {vec3(0.0f), vec3(4, 0, 0)};
  const Channel plain = bakePivots(pivots, parts, 1e-4f);
  CHECK(plain.rotation.times == parts.rotation.times);
  CHECK(plain.translation.times == parts.translation.times);
  CHECK(plain.translation.values[1] == vec3(5, 2, 3));

  pivots.between = {0, -3, 0}; // turns about a point three above
  const float tolerance = 1e-3f;
  const Channel curved = bakePivots(pivots, parts, tolerance);
  CHECK(curved.rotation.times == parts.rotation.times);
  REQUIRE(curved.translation.times.size() > 8);
  for (int i = 0; i <= 1000; ++i) {
    const float t = static_cast<float>(i) / 1000.0f;
    const quat r = slerpShortest(parts.rotation.values[0], parts.rotation.values[1], t);
    const vec3 exact = localTransform(pivots, vec3(4 * t, 0, 0), r, vec3(1.0f)).translation;
    std::size_t k = 0;
    while (k + 2 < curved.translation.times.size() && curved.translation.times[k + 1] <= t)
      ++k;
    const float t0 = curved.translation.times[k];
    const float t1 = curved.translation.times[k + 1];
    const vec3 between =
        curved.translation.values[k] +
        (t - t0) / (t1 - t0) * (curved.translation.values[k + 1] - curved.translation.values[k]);
    REQUIRE(glm::distance(exact, between) <= 1.1f * tolerance);
  }
}
