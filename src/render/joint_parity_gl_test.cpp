// The joint methods' shaders against the CPU reference in every variant their parameters choose,
// and where their formulas are at their limits: half turns, splines folded back, tiny bends.
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

struct Scene {
  Model model;
  Rig rig;
  std::shared_ptr<const GpuMaterials> materials;

  explicit Scene(Model made)
      : model(std::move(made)), rig(buildRig(model)), materials(uploadMaterials(model)) {}
};

test::ParityError parity(Programs& programs, const Scene& scene, const Method& method,
                         const BindOptions& options, const Pose& pose) {
  const Binding binding = method.bind(scene.rig, options);
  Palette palette;
  packPalette(method, scene.rig, binding, modelFromNodes(scene.model.hierarchy, pose), palette);
  SkinnedMesh cpu;
  method.skin(scene.rig, binding, palette, cpu);
  GpuMesh mesh(scene.materials, scene.rig, method, binding, {.storage = PaletteStorage::texture});
  mesh.setPalette(palette);
  return test::parityError(scene.rig, cpu, captureSkinned(programs, mesh));
}

constexpr const char* kNames[] = {"bones-blending", "arc-spline", "bezier-spline"};

} // namespace

TEST_CASE("joint methods on the GPU: every source, number of joints and way of evaluating") {
  const HeadlessContext context;
  Programs programs;
  for (const bool stretch : {false, true}) {
    RandomModelOptions random;
    random.nonUniformScale = stretch;
    const Scene scene(randomModel(21, random));
    const Pose pose = randomPose(scene.model, 22, random);
    for (const char* name : kNames)
      for (const float source : {0.0f, 1.0f})
        for (const float attachments : {1.0f, 2.0f, 3.0f})
          for (const float together : {0.0f, 1.0f}) {
            CAPTURE(name);
            CAPTURE(stretch);
            CAPTURE(source);
            CAPTURE(attachments);
            CAPTURE(together);
            BindOptions options;
            options.parameters = {source, attachments, together};
            const auto error = parity(programs, scene, findMethod(name), options, pose);
            CHECK(error.position <= 1e-5f);
            CHECK(error.normal <= 1e-5f);
          }
  }
  checkGlErrors("joint parity");
}

TEST_CASE("joint methods on the GPU: half turns, folded splines and tiny bends") {
  const HeadlessContext context;
  Programs programs;
  const Scene scene(randomModel(23));
  std::size_t vertices = 0;
  std::size_t ill = 0; // near a folded spline's tip the tangent, and so the normal, is rounding
  for (const char* name : kNames)
    for (const float angle : {1e-6f, 1e-3f, 3.1f, 3.1415f, 3.14159265f}) {
      CAPTURE(name);
      CAPTURE(angle);
      const Pose pose = test::turnedPose(scene.model, 24, angle);
      const auto error = parity(programs, scene, findMethod(name), {}, pose);
      CHECK(error.position <= 1e-5f);
      CHECK(std::isfinite(error.normal));
      vertices += error.vertices;
      ill += error.normalsBeyond;
    }
  MESSAGE(ill << " of " << vertices << " normals differ by more than 1e-5");
  CHECK(static_cast<double>(ill) <= 1e-3 * static_cast<double>(vertices));
}
