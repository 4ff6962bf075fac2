// Meshes that the CPU or a compute shader poses, as they are drawn, against the CPU references.
#include "animation/random_model.h"
#include "gl/context.h"
#include "picture/posed_mesh.h"
#include "picture/scene_renderer.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "render/test_models.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("what is drawn is posed elsewhere, under every method and over many frames") {
  const HeadlessContext context;
  Programs programs;
  PosingTools tools;
  for (const bool stretches : {false, true}) {
    const test::RandomRigOptions options{
        .seed = 3, .joints = 20, .influences = 6, .nonUniformScale = stretches};
    const Model model = test::randomModel(options);
    const auto materials = uploadMaterials(model);
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      Settings settings;
      readSetting(method.name, settings.methods);
      Workbench workbench = makeWorkbench(model, settings);
      const BoundMethod& bound = workbench.bound.front();
      for (const SkinOn skinOn : {SkinOn::cpu, SkinOn::compute}) {
        CAPTURE(toString(skinOn));
        PosedMesh posed = makePosedMesh(materials, workbench.rig, bound, {}, skinOn);
        CHECK(posed.mesh.isPosed());
        for (std::uint64_t frame = 0; frame < 5; ++frame) { // more than there are buffers
          holdPose(workbench, test::randomPose(model, options, frame));
          poseMesh(posed.mesh, posed.posing.get(), tools, workbench, bound, bound.palette);
          const auto error = test::parityError(
              workbench.rig, skinOnCpu(workbench, bound), captureSkinned(programs, posed.mesh),
              test::unstableVertices(method, workbench.rig, bound.binding, bound.palette));
          CHECK(error.position <= 1e-5f);
          CHECK(error.normal <= 2e-5f);
        }
      }
    }
  }
  checkGlErrors("posed elsewhere");
}

TEST_CASE("a crowd posed elsewhere stands where the vertex shader puts it, morph targets too") {
  const HeadlessContext context;
  Programs programs;
  PosingTools tools;
  for (const bool morphs : {false, true}) {
    Model model = randomModel(5, {.joints = 8, .vertices = 300});
    if (morphs) addRandomMorphs(model, 3, 2);
    Clip clip{"move", 2.0f, {}, {}};
    if (morphs) clip.morphs.push_back({1, {{0.0f, 1.0f, 2.0f}, {0.0f, 1.0f, 0.0f}}});
    model.clips.push_back(clip);
    const auto materials = uploadMaterials(model);
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      CAPTURE(morphs);
      Settings settings;
      readSetting(method.name, settings.methods);
      const Workbench workbench = makeWorkbench(model, settings);
      const BoundMethod& bound = workbench.bound.front();
      Crowd crowd = makeCrowd(workbench, 7 * workbench.rig.positions.size());
      PosedMesh byShader = makePosedMesh(materials, workbench.rig, bound, {}, SkinOn::vertexShader);
      for (const SkinOn skinOn : {SkinOn::cpu, SkinOn::compute})
        for (const float seconds : {0.0f, 0.7f}) {
          CAPTURE(toString(skinOn));
          PosedMesh posed = makePosedMesh(materials, workbench.rig, bound, {}, skinOn);
          evaluateCrowd(workbench, bound, crowd, seconds);
          poseCrowd(byShader.mesh, nullptr, tools, workbench, bound, crowd);
          poseCrowd(posed.mesh, posed.posing.get(), tools, workbench, bound, crowd);
          const auto expected = captureCrowd(programs, byShader.mesh);
          const auto drawn = captureCrowd(programs, posed.mesh);
          REQUIRE(drawn.size() == expected.size());
          for (std::size_t i = 0; i < drawn.size(); ++i)
            CHECK(test::parityError(workbench.rig, expected[i], drawn[i]).position <= 1e-5f);
        }
    }
  }
  checkGlErrors("crowd posed elsewhere");
}

TEST_CASE("tangents of normal maps are posed on the CPU too") {
  const HeadlessContext context;
  Programs programs;
  PosingTools tools;
  Model model = randomModel(9, {.joints = 8, .vertices = 300});
  model.textures.push_back({"tilt.png", "", {1, 1, {128, 128, 255, 255}}, true});
  for (Material& material : model.materials)
    material.normalTexture = 0;
  Random random(2);
  for (Mesh& mesh : model.meshes)
    for (const vec3& normal : mesh.normals)
      mesh.tangents.emplace_back(glm::normalize(glm::cross(normal, randomDirection(random))), 1.0f);
  const auto materials = uploadMaterials(model);
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline", "cor"}) {
    CAPTURE(name);
    Settings settings;
    readSetting(name, settings.methods);
    Workbench workbench = makeWorkbench(model, settings);
    holdPose(workbench, randomPose(model, 3, {}));
    const BoundMethod& bound = workbench.bound.front();
    PosedMesh posed = makePosedMesh(materials, workbench.rig, bound, {}, SkinOn::cpu);
    REQUIRE(posed.mesh.hasTangents());
    poseMesh(posed.mesh, posed.posing.get(), tools, workbench, bound, bound.palette);
    CHECK(captureTangents(programs, posed.mesh) ==
          bound.method->skinTangents(workbench.rig, bound.binding, bound.palette));
  }
}
