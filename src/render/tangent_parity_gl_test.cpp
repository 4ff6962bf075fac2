// Tangents of normal maps on the GPU against the CPU reference.
#include "animation/random_model.h"
#include "core/random.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// The model with a normal map and with tangents that no texture coordinates would give.
Model withNormalMap(Model model, std::uint64_t seed) {
  model.textures.push_back({"tilt.png", "", {1, 1, {128, 128, 255, 255}}, true});
  Random random(seed);
  for (Material& material : model.materials)
    material.normalTexture = static_cast<std::uint32_t>(model.textures.size() - 1);
  for (Mesh& mesh : model.meshes)
    for (const vec3& normal : mesh.normals) {
      const vec3 across = glm::cross(normal, randomDirection(random));
      const float length = glm::length(across);
      mesh.tangents.emplace_back(length > 1e-3f ? across / length : vec3(0.0f),
                                 random.below(2) == 0 ? 1.0f : -1.0f);
    }
  return model;
}

struct TangentParity {
  Programs programs;

  void check(const Model& model, const Method& method, const BindOptions& options, const Pose& pose,
             PaletteStorage storage, const MorphWeights& weights, bool compute = false) {
    const Rig rig = buildRig(model);
    REQUIRE(!rig.tangents.empty());
    const Binding binding = method.bind(rig, options);
    Palette palette;
    packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
    GpuMesh mesh(uploadMaterials(model), rig, method, binding,
                 {.storage = storage, .compute = compute});
    REQUIRE(mesh.hasTangents());
    mesh.setPalette(palette);
    MorphedVertices morphed;
    std::optional<MorphedBinding> cached;
    if (!weights.empty()) applyMorphs(rig, weights, morphed);
    const Binding& shown = morphBinding(method, rig, binding, morphed, cached);
    mesh.setMorphs(rig, morphed, shown);
    const std::vector<vec4> cpu = method.skinTangents(BindVertices(rig, morphed), shown, palette);
    std::optional<GpuMesh> drawn;
    if (compute) {
      drawn.emplace(makeDrawnMesh(mesh, rig));
      skinByCompute(programs, mesh, *drawn);
    }
    const std::vector<vec4> gpu = captureTangents(programs, compute ? *drawn : mesh);
    REQUIRE(cpu.size() == gpu.size());
    const std::vector<bool> folded = test::unstableVertices(method, rig, binding, palette).normals;
    for (std::size_t v = 0; v < cpu.size(); ++v) {
      if (!folded.empty() && folded[v]) continue;
      const float error = glm::length(vec3(cpu[v]) - vec3(gpu[v]));
      CHECK(error <= 1e-5f);
      CHECK(cpu[v].w == gpu[v].w);
    }
  }
};

} // namespace

TEST_CASE("the GPU skins tangents as the reference does: methods, storages, stretches, morphs") {
  const HeadlessContext context;
  TangentParity parity;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const bool stretch : {false, true}) {
      const RandomModelOptions of{.joints = 10, .vertices = 200, .nonUniformScale = stretch};
      Model model = randomModel(seed, of);
      addRandomMorphs(model, 3, seed);
      model = withNormalMap(std::move(model), seed);
      const Pose pose = randomPose(model, seed + 10, of);
      parity.check(model, staticMethod(), {}, pose, PaletteStorage::texture, {});
      for (const Method& method : methods()) {
        CAPTURE(method.name);
        CAPTURE(stretch);
        const auto storage = seed == 2 ? PaletteStorage::block : PaletteStorage::texture;
        parity.check(model, method, {}, pose, storage, {});
        parity.check(model, method, {}, pose, storage, randomWeights(model, seed), seed == 3);
      }
    }
  checkGlErrors("tangents");
}

TEST_CASE("the GPU skins tangents under the parameters of methods, and of free splines") {
  const HeadlessContext context;
  TangentParity parity;
  const Model joints = withNormalMap(randomModel(11), 11);
  const Model splines = withNormalMap(findDemo("body-arm-splines").make(), 12);
  // Sources, attachments, evaluation, normals, mixing, storage.
  const std::vector<std::vector<float>> choices{{0, 1, 0, 0, 0, 0}, {0, 3, 1, 0, 0, 0},
                                                {0, 3, 0, 1, 0, 0}, {0, 2, 1, 1, 0, 0},
                                                {1, 3, 0, 0, 0, 1}, {1, 3, 1, 1, 1, 1}};
  for (const std::vector<float>& choice : choices)
    for (const char* name : {"arc-spline", "bezier-spline"}) {
      CAPTURE(name);
      const BindOptions options{.parameters = choice};
      parity.check(joints, findMethod(name), options, randomPose(joints, 13),
                   PaletteStorage::texture, {});
      if (choice[5] == 0.0f) // curved ones
        parity.check(splines, findMethod(name), options, randomPose(splines, 14),
                     PaletteStorage::texture, {});
    }
  for (const std::vector<float>& choice :
       std::vector<std::vector<float>>{{0, 2, 0, 1, 0}, {1, 3, 0, 0, 1}, {0, 1, 1, 1, 1}})
    parity.check(joints, findMethod("bones-blending"), {.parameters = choice},
                 randomPose(joints, 15), PaletteStorage::texture, {});
  checkGlErrors("tangents");
}

TEST_CASE("what shows no normal map has no tangents, in the rig and on the GPU") {
  const HeadlessContext context;
  Model model = withNormalMap(randomModel(3), 3);
  model.textures[0].found = false;
  const Rig rig = buildRig(model);
  CHECK(rig.tangents.empty());
  const Method& method = findMethod("arc-spline");
  const GpuMesh mesh(uploadMaterials(model), rig, method, method.bind(rig, {}));
  CHECK(!mesh.hasTangents());
}

TEST_CASE("the GPU skins tangents of mixtures of methods, however many") {
  const HeadlessContext context;
  TangentParity parity;
  const RandomModelOptions of{.joints = 12, .vertices = 200};
  const Model model = withNormalMap(randomModel(17, of), 17);
  const Rig rig = buildRig(model);
  std::vector<const Method*> all;
  for (const Method& method : methods())
    if (!method.perJoint) all.push_back(&method);
  for (std::size_t count = 2; count <= all.size(); ++count) {
    CAPTURE(count);
    BindOptions options;
    for (std::size_t j = 0; j < rig.joints.size(); ++j)
      options.methods.push_back(all[j % count]);
    parity.check(model, findMethod("per-joint"), options, randomPose(model, 18, of),
                 PaletteStorage::texture, {});
  }
  checkGlErrors("tangents");
}
