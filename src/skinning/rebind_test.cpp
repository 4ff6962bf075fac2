#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"
#include "skinning/surface_gradients.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cstring>

using namespace sinew;

namespace {

Palette makePalette(const Method& method, const Model& model, const Rig& rig,
                    const Binding& binding, const Pose& pose) {
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  return palette;
}

bool sameBits(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(vec3)) == 0;
}

// A target that moves every vertex of the skinned mesh rigidly.
void addRigidTarget(Model& model, const quat& rotation, const vec3& translation) {
  for (Mesh& mesh : model.meshes) {
    MorphOffsets morph{static_cast<std::uint32_t>(model.morphTargets.size()), {}, {}, {}};
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      const vec3& p = mesh.positions[v];
      morph.vertices.push_back(v);
      morph.positions.push_back(rotation * p + translation - p);
      morph.normals.push_back(rotation * mesh.normals[v] - mesh.normals[v]);
    }
    mesh.morphs.push_back(std::move(morph));
  }
  model.morphTargets.push_back({"rigid", 0.0f});
}

} // namespace

TEST_CASE("every method: morph weights of 0 change no bit") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(method.name);
      Model model = randomModel(seed);
      addRandomMorphs(model, 6, seed);
      const Rig rig = buildRig(model);
      const Binding binding = method.bind(rig, {});
      const Palette palette = makePalette(method, model, rig, binding, randomPose(model, seed));
      SkinnedMesh plain;
      method.skin(rig, binding, palette, plain);
      SkinnedMesh morphed;
      skinMorphed(method, rig, binding, palette, MorphWeights(6, 0.0f), morphed);
      CHECK(sameBits(plain.positions, morphed.positions));
      CHECK(sameBits(plain.normals, morphed.normals));
      // And after others were shown.
      MorphedVertices vertices;
      std::optional<MorphedBinding> cached;
      applyMorphs(rig, randomWeights(model, seed), vertices);
      morphBinding(method, rig, binding, vertices, cached);
      applyMorphs(rig, MorphWeights(6, 0.0f), vertices);
      const Binding& restored = morphBinding(method, rig, binding, vertices, cached);
      CHECK(&restored == &binding);
      if (!cached) continue;
      for (std::size_t a = 0; a < binding.attributes.size(); ++a)
        CHECK(cached->binding.attributes[a].data == binding.attributes[a].data);
    }
}

TEST_CASE("every method: in the bind pose a target that is a rigid copy moves the mesh rigidly") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      Random random(seed);
      Model model = randomModel(seed, {.rigidMesh = false});
      const quat rotation = randomRotation(random);
      const vec3 translation = 0.3f * randomDirection(random);
      addRigidTarget(model, rotation, translation);
      const Rig rig = buildRig(model);
      const Binding binding = method.bind(rig, {});
      const Palette palette = makePalette(method, model, rig, binding, bindPose(model));
      SkinnedMesh out;
      skinMorphed(method, rig, binding, palette, std::array{1.0f}, out);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        CHECK(glm::length(out.positions[v] - (rotation * rig.positions[v] + translation)) < 2e-5f);
        CHECK(glm::length(out.normals[v] - rotation * rig.normals[v]) < 2e-4f);
      }
    }
}

TEST_CASE("free splines: in the bind pose a target that is a rigid copy moves the mesh rigidly") {
  for (const char* name : {"curved-tube", "body-arm-splines"})
    for (const char* methodName : {"arc-spline", "bezier-spline"}) {
      CAPTURE(name);
      CAPTURE(methodName);
      const Method& method = findMethod(methodName);
      Random random(7);
      Model model = findDemo(name).make();
      const quat rotation = randomRotation(random);
      addRigidTarget(model, rotation, vec3(0.1f, 0.2f, -0.3f));
      const Rig rig = buildRig(model);
      const Binding binding = method.bind(rig, {});
      const Palette palette = makePalette(method, model, rig, binding, bindPose(model));
      SkinnedMesh rest;
      method.skin(rig, binding, palette, rest);
      SkinnedMesh out;
      skinMorphed(method, rig, binding, palette, std::array{1.0f}, out);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const vec3 expected = rotation * rest.positions[v] + vec3(0.1f, 0.2f, -0.3f);
        CHECK(glm::length(out.positions[v] - expected) < 2e-5f);
        CHECK(glm::length(out.normals[v] - rotation * rest.normals[v]) < 2e-4f);
      }
    }
}

TEST_CASE("matrices and dual quaternions: morphed vertices are skinned as modelled ones") {
  for (const char* name : {"rigid", "lbs", "dqs"})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Method& method = findMethod(name);
      Model model = randomModel(seed, {.nonUniformScale = true});
      addRandomMorphs(model, 8, seed);
      const Rig rig = buildRig(model);
      const MorphWeights weights = randomWeights(model, seed);
      MorphedVertices vertices;
      applyMorphs(rig, weights, vertices);
      Rig modelled = rig;
      modelled.positions = vertices.positions;
      modelled.normals = vertices.normals;
      const Binding binding = method.bind(rig, {});
      const Palette palette = makePalette(method, model, rig, binding,
                                          randomPose(model, seed, {.nonUniformScale = true}));
      SkinnedMesh expected;
      method.skin(modelled, method.bind(modelled, {}), palette, expected);
      SkinnedMesh out;
      skinMorphed(method, rig, binding, palette, weights, out);
      CHECK(sameBits(out.positions, expected.positions));
      CHECK(sameBits(out.normals, expected.normals));
    }
}

TEST_CASE("splines: both storages agree on a target that leaves x of its vertices") {
  // Across the arm: the distance along the bones stays, so x found from the moved position is that
  // of the vertex.
  Model model = findDemo("arm").make();
  Mesh& mesh = model.meshes[0];
  MorphOffsets morph{0, {}, {}, {}};
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    morph.vertices.push_back(v);
    morph.positions.emplace_back(0.0f, 0.02f, 0.01f);
  }
  mesh.morphs.push_back(morph);
  model.morphTargets.push_back({"across", 0.0f});
  const Rig rig = buildRig(model);
  const Pose pose = randomPose(model, 5);
  const Method& method = findMethod("arc-spline");
  SkinnedMesh byStorage[2];
  for (int storage = 0; storage < 2; ++storage) {
    BindOptions options;
    options.parameters = {1, 3, 0, 0, 0, static_cast<float>(storage)}; // zone
    const Binding binding = method.bind(rig, options);
    const Palette palette = makePalette(method, model, rig, binding, pose);
    skinMorphed(method, rig, binding, palette, std::array{1.0f}, byStorage[storage]);
  }
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    CHECK(glm::length(byStorage[0].positions[v] - byStorage[1].positions[v]) < 2e-5f);
}

TEST_CASE("exact normals: gradients stay the same vectors, laid into the tangents of new normals") {
  const auto computeVector = [](const vec3& normal, float u, float v) {
    const SurfaceTangents tangents = surfaceTangents(normal);
    return (u * tangents.u + v * tangents.v) / glm::dot(tangents.u, tangents.u);
  };
  Model model = findDemo("body-arm").make();
  addRigidTarget(model, glm::angleAxis(0.9f, glm::normalize(vec3(1, 2, -1))), vec3(0.0f));
  const Rig rig = buildRig(model);
  MorphedVertices morphed;
  applyMorphs(rig, MorphWeights{1.0f}, morphed);
  for (const char* name : {"bones-blending", "arc-spline"}) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    BindOptions options;
    for (const Parameter& parameter : method.parameters)
      options.parameters.push_back(parameter.name == "normals" ? 1.0f : parameter.value);
    const Binding bound = method.bind(rig, options);
    std::optional<MorphedBinding> cached;
    const Binding& moved = morphBinding(method, rig, bound, morphed, cached);
    float largest = 0.0f;
    float longest = 0.0f;
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      const vec4 old = readFloat(findAttribute(bound, "gradient0"), v);
      const vec4 now = readFloat(findAttribute(moved, "gradient0"), v);
      for (const int i : {0, 2}) {
        const vec3 before = computeVector(rig.normals[v], old[i], old[i + 1]);
        const vec3& n = morphed.normals[v];
        const vec3 inPlane = before - glm::dot(before, n) * n;
        largest = std::max(largest, glm::distance(computeVector(n, now[i], now[i + 1]), inPlane));
        longest = std::max(longest, glm::length(before));
      }
    }
    CHECK(longest > 0.1f);
    CHECK(largest < 1e-5f * longest);
  }
}

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
    CHECK(some >= 2 * rounds); // linear blending and dual quaternions at least
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
