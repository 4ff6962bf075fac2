// Free splines on the GPU against the CPU reference: curved, straight, stretched, folded, in every
// variant that the parameters choose, and the demos in their clips.
#include "animation/sample.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "skinning/free_spline_test_support.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

constexpr const char* kSplineMethods[] = {"arc-spline", "bezier-spline"};

using test::parity;

Pose stretchedPose(const Model& model, std::uint64_t seed) {
  Random random(seed);
  Pose pose = test::randomFreePose(model, seed);
  for (Transform& t : pose.parentFromNode)
    if (random.below(3) == 0)
      t.scale = {random.uniform(0.7f, 1.4f), random.uniform(0.7f, 1.4f),
                 random.below(6) == 0 ? -1.0f : 1.0f};
  return pose;
}

} // namespace

TEST_CASE("free splines on the GPU: every variant, for random rigs and poses") {
  const HeadlessContext context;
  Programs programs;
  std::size_t vertices = 0;
  std::size_t folded = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const bool straight : {false, true})
      for (const bool stretch : {false, true}) {
        test::FreeModelOptions options;
        options.largestBend = straight ? 0.0f : 2.2f;
        const Model model = test::freeSplineModel(seed, options);
        const Rig rig = buildRig(model);
        const Pose pose = stretch ? stretchedPose(model, seed) : test::randomFreePose(model, seed);
        const auto nodes = modelFromNodes(model.hierarchy, pose);
        for (const char* name : kSplineMethods)
          for (const float attachments : {1.0f, 2.0f, 3.0f})
            for (const float vectorized : {0.0f, 1.0f})
              for (const float normals : {0.0f, 1.0f, 2.0f})
                for (const float storage : {0.0f, 1.0f}) {
                  if (storage == 1.0f && !straight) continue;
                  CAPTURE(seed);
                  CAPTURE(straight);
                  CAPTURE(stretch);
                  CAPTURE(name);
                  CAPTURE(attachments);
                  CAPTURE(vectorized);
                  CAPTURE(normals);
                  CAPTURE(storage);
                  BindOptions choice;
                  choice.parameters = {0, attachments, vectorized, normals, vectorized, storage};
                  const auto error = parity(programs, rig, findMethod(name), choice, nodes);
                  CHECK(error.position <= 1e-5f);
                  CHECK(error.normal <= 1e-5f);
                  vertices += error.vertices;
                  folded += error.folded;
                }
      }
  SINEW_FIGURE(folded << " of " << vertices << " vertices are where a spline is folded back");
  CHECK(static_cast<double>(folded) <= 0.01 * static_cast<double>(vertices));
  checkGlErrors("free splines");
}

TEST_CASE("free splines on the GPU: the demos, from every palette storage") {
  const HeadlessContext context;
  Programs programs;
  for (const char* demo : {"body-arm-splines", "curved-tube"}) {
    const Model model = findDemo(demo).make();
    const Rig rig = buildRig(model);
    for (const Clip& clip : model.clips)
      for (const char* name : kSplineMethods)
        for (const PaletteStorage storage :
             {PaletteStorage::texture, PaletteStorage::block, PaletteStorage::uniformArray}) {
          CAPTURE(demo);
          CAPTURE(clip.name);
          CAPTURE(name);
          const Pose pose = sample(model.hierarchy, clip, 0.4f * clip.seconds);
          const auto error = parity(programs, rig, findMethod(name), {},
                                    modelFromNodes(model.hierarchy, pose), storage);
          CHECK(error.position <= 1e-5f);
          CHECK(error.normal <= 1e-5f);
        }
  }
  checkGlErrors("free spline demos");
}

TEST_CASE("splines on the GPU: directions from a texture, of joints and free ones") {
  const HeadlessContext context;
  Programs programs;
  const Model joints = randomModel(51);
  const Model free = test::freeSplineModel(52);
  for (const Model* model : {&joints, &free}) {
    const Rig rig = buildRig(*model);
    const Pose pose = model == &free ? test::randomFreePose(*model, 53) : randomPose(*model, 53);
    const auto nodes = modelFromNodes(model->hierarchy, pose);
    for (const float vectorized : {0.0f, 1.0f})
      for (const float attachments : {1.0f, 3.0f}) {
        CAPTURE(model == &free);
        CAPTURE(vectorized);
        CAPTURE(attachments);
        BindOptions options;
        options.parameters = {0, attachments, vectorized, 0, 0, 0, 1};
        for (const PaletteStorage storage : {PaletteStorage::texture, PaletteStorage::block}) {
          const auto error =
              parity(programs, rig, findMethod("arc-spline"), options, nodes, storage);
          CHECK(error.position <= 1e-5f);
          CHECK(error.normal <= 1e-5f);
        }
      }
  }
  checkGlErrors("directions from a texture");
}
