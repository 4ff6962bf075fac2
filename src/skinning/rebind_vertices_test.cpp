#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/methods.h"
#include "skinning/rebind_vertices.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// Other weights for some vertices, never of more joints than they had.
std::vector<std::uint32_t> change(Rig& rig, Random& random) {
  std::vector<std::uint32_t> changed;
  Influences fresh;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    const auto source = rig.influences.of(v);
    std::vector<Influence> vertex(source.begin(), source.end());
    if (random.below(8) == 0) {
      changed.push_back(v);
      const float more = 0.5f * (1.0f - vertex[0].weight);
      vertex[0].weight += more;
      for (std::size_t i = 1; i < vertex.size(); ++i)
        vertex[i].weight *= 0.5f;
      if (vertex.size() == 1) vertex[0].joint = random.below(3);
    }
    fresh.append(vertex);
  }
  rig.influences = fresh;
  return changed;
}

} // namespace

TEST_CASE("rebind: the changed vertices alone give the bytes of a binding of all") {
  const int rounds = test::rounds(3, 1);
  std::vector<const char*> demos{"body-arm"}; // where a bone is as long as its skin
  if (!test::kSanitized) demos.push_back("humanoid");
  for (const char* demo : demos) {
    int some = 0;
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      Rig rig = buildRig(findDemo(demo).make());
      Binding binding = method.bind(rig, {});
      Random random(4);
      for (int round = 0; round < rounds; ++round) {
        const Binding before = binding;
        const auto changed = change(rig, random);
        const bool done = rebindVertices(method, rig, {}, changed, binding);
        some += done ? 1 : 0;
        const Binding all = method.bind(rig, {});
        const Binding& expected = done ? all : before;
        REQUIRE(sameLayout(binding, expected));
        REQUIRE(binding.constants.size() == expected.constants.size());
        for (std::size_t i = 0; i < expected.constants.size(); ++i) {
          CHECK(vec3(binding.constants[i]) == vec3(expected.constants[i]));
          CHECK(binding.constants[i].w >= expected.constants[i].w); // a reach may be that of before
        }
        for (std::size_t a = 0; a < binding.attributes.size(); ++a)
          CHECK(binding.attributes[a].data == expected.attributes[a].data);
        binding = all;
      }
    }
    CHECK(some >= 2 * rounds); // of linear blending and dual quaternions at least
  }
}

TEST_CASE("rebind: more influences than any vertex had are another layout") {
  Rig rig = buildRig(findDemo("humanoid").make());
  const Method& method = findMethod("lbs");
  REQUIRE(maxInfluences(rig.influences) < 5);
  const BindOptions options{.influences = 8};
  Binding binding = method.bind(rig, options);
  Influences fresh;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
    if (v == 7)
      fresh.append(std::vector<Influence>{{0, 0.2f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {4, 0.2f}});
    else
      fresh.append(rig.influences.of(v));
  rig.influences = fresh;
  CHECK(!rebindVertices(method, rig, options, std::vector<std::uint32_t>{7}, binding));
}
