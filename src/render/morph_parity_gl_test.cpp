// Morph targets on the GPU against the CPU reference, under every method.
#include "animation/random_model.h"
#include "animation/sample.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace sinew;

namespace {

struct MorphParity {
  Programs programs;

  // Through a series of weights on one mesh; the last are all 0.
  void check(const Model& model, const Method& method, const BindOptions& options, const Pose& pose,
             bool compute = false) {
    const Rig rig = buildRig(model);
    const Binding binding = method.bind(rig, options);
    Palette palette;
    packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
    GpuMesh mesh(uploadMaterials(model), rig, method, binding, {.compute = compute});
    mesh.setPalette(palette);
    const auto captured = [&] {
      return compute ? test::captureComputed(programs, rig, mesh) : captureSkinned(programs, mesh);
    };
    const SkinnedMesh before = captured();
    MorphedVertices morphed;
    std::optional<MorphedBinding> cached;
    for (std::uint64_t step = 0; step < 3; ++step) {
      const MorphWeights weights =
          step < 2 ? randomWeights(model, step) : MorphWeights(model.morphTargets.size(), 0.0f);
      applyMorphs(rig, weights, morphed);
      const Binding& shown = morphBinding(method, rig, binding, morphed, cached);
      SkinnedMesh cpu;
      method.skin(BindVertices(rig, morphed), shown, palette, cpu);
      mesh.setMorphs(rig, morphed, shown);
      const SkinnedMesh gpu = captured();
      const test::ParityError error = test::parityError(
          rig, cpu, gpu,
          test::unstableVertices(method, BindVertices(rig, morphed), shown, palette));
      CHECK(error.position < 1e-5f);
      CHECK(error.normal < 1e-5f);
      if (step < 2) continue;
      CHECK(std::memcmp(before.positions.data(), gpu.positions.data(),
                        gpu.positions.size() * sizeof(vec3)) == 0);
      CHECK(std::memcmp(before.normals.data(), gpu.normals.data(),
                        gpu.normals.size() * sizeof(vec3)) == 0);
    }
    checkGlErrors("morph parity");
  }
};

} // namespace

TEST_CASE("the GPU morphs as the reference does: 1, 8, 64 and 200 targets, every method") {
  const HeadlessContext context;
  MorphParity parity;
  for (const std::uint32_t targets : {1u, 8u, 64u, 200u}) {
    CAPTURE(targets);
    Model model = randomModel(targets);
    addRandomMorphs(model, targets, targets);
    parity.check(model, staticMethod(), {}, restPose(model));
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      parity.check(model, method, {}, randomPose(model, targets));
      if (targets == 8) parity.check(model, method, {}, randomPose(model, 9), true);
    }
  }
}

TEST_CASE("the GPU morphs free splines, exact normals and other storages as the reference does") {
  const HeadlessContext context;
  MorphParity parity;
  for (const char* name : {"arc-spline", "bezier-spline", "bones-blending"}) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    for (const char* demo : {"arm", "curved-tube"}) {
      CAPTURE(demo);
      Model model = findDemo(demo).make();
      addRandomMorphs(model, 8, 3);
      for (MorphOffsets& morph : model.meshes[0].morphs)
        for (vec3& offset : morph.positions)
          offset *= 0.1f;
      for (std::size_t p = 0; p < method.parameters.size(); ++p)
        for (float value = method.parameters[p].minimum; value <= method.parameters[p].maximum;
             value += 1.0f) {
          BindOptions options;
          options.parameters = parameterValues(method.parameters, {});
          options.parameters[0] = 1.0f; // from zones, which all parameters can be had with
          options.parameters[p] = value;
          if (demo == std::string("curved-tube") && p == 5) continue; // straight splines only
          CAPTURE(p);
          CAPTURE(value);
          parity.check(model, method, options, sample(model, model.clips[0], 0.7f));
        }
    }
  }
}
