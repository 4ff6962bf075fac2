// Crowds on the GPU whose members have morph weights of their own.
#include "animation/random_model.h"
#include "app/crowd.h"
#include "gl/context.h"
#include "picture/scene_renderer.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// Target 1 goes from 0 to 1 and back; the others rest.
Model growingModel() {
  Model model = randomModel(5, {.joints = 8, .vertices = 300});
  addRandomMorphs(model, 3, 2);
  for (MorphTarget& target : model.morphTargets)
    target.weight = 0.0f;
  Clip clip{"grow", 2.0f, {}, {}};
  clip.morphs.push_back({1, {{0.0f, 0.5f, 1.0f, 2.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}});
  model.clips.push_back(clip);
  return model;
}

} // namespace

TEST_CASE("each member of a crowd is drawn with its own morph weights, under every method") {
  const HeadlessContext context;
  Programs programs;
  const Model model = growingModel();
  const auto materials = uploadMaterials(model);
  for (const Method& method : methods())
    for (const PaletteStorage storage : {PaletteStorage::texture, PaletteStorage::block}) {
      CAPTURE(method.name);
      CAPTURE(toString(storage));
      Settings settings;
      readSetting(method.name, settings.methods);
      const Workbench workbench = makeWorkbench(model, settings);
      const BoundMethod& bound = workbench.bound.front();
      Crowd crowd = makeCrowd(workbench, 6 * workbench.rig.positions.size());
      GpuMesh mesh(materials, workbench.rig, method, bound.binding, {.storage = storage});
      for (const float seconds : {0.0f, 0.3f, 7.1f}) {
        evaluateCrowd(workbench, bound, crowd, seconds);
        uploadCrowd(mesh, workbench, bound, crowd);
        const std::vector<SkinnedMesh> drawn = captureCrowd(programs, mesh);
        REQUIRE(drawn.size() == 6);
        const std::size_t rows = crowd.rows.size() / 6;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
          Palette palette;
          palette.rows.assign(crowd.rows.begin() + static_cast<std::ptrdiff_t>(i * rows),
                              crowd.rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * rows));
          palette.nonUniformScale = crowd.nonUniformScale;
          SkinnedMesh cpu;
          skinMorphed(method, workbench.rig, bound.binding, palette, crowd.morphWeights[i], cpu);
          CHECK(test::parityError(workbench.rig, cpu, drawn[i]).position <= 1e-5f);
        }
      }
      CHECK(crowd.morphWeights[0] != crowd.morphWeights[1]);
    }
  checkGlErrors("crowd with morph targets");
}

TEST_CASE("members whose weights are 0 share one draw, and a single character follows a crowd") {
  const HeadlessContext context;
  Programs programs;
  Model model = growingModel();
  model.clips[0].morphs[0].weight.values.assign(4, 0.0f);
  const Workbench workbench = makeWorkbench(model, {});
  const BoundMethod& bound = workbench.bound.front();
  Crowd crowd = makeCrowd(workbench, 6 * workbench.rig.positions.size());
  GpuMesh mesh(uploadMaterials(model), workbench.rig, *bound.method, bound.binding);
  evaluateCrowd(workbench, bound, crowd, 0.3f);
  uploadCrowd(mesh, workbench, bound, crowd);
  CHECK(mesh.crowd().size() == 1);
  crowd.morphWeights[2] = {0.0f, 0.7f, -0.2f};
  uploadCrowd(mesh, workbench, bound, crowd);
  CHECK(mesh.crowd().size() == 3);
  mesh.setPalette(bound.palette);
  CHECK(mesh.crowd().size() == 1);
  SkinnedMesh cpu;
  bound.method->skin(workbench.rig, bound.binding, bound.palette, cpu);
  CHECK(test::parityError(workbench.rig, cpu, captureSkinned(programs, mesh)).position <= 1e-5f);
}
