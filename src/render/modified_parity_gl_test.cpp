// The GPU's skin() against the CPU reference with a modifier after every method of the table.
#include "core/test_effort.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/methods.h"
#include "skinning/modified.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace sinew;

namespace {

std::vector<MatrixRows> anyRows(std::size_t joints, float size, std::uint64_t seed) {
  Random random(seed);
  std::vector<MatrixRows> out(joints);
  for (MatrixRows& rows : out)
    for (vec4* row : {&rows.x, &rows.y, &rows.z})
      for (int i = 0; i < 4; ++i)
        (*row)[i] = random.uniform(-size, size);
  return out;
}

std::vector<float> randomStrengths(std::size_t vertices) {
  Random random(3);
  std::vector<float> out;
  for (std::size_t v = 0; v < vertices; ++v)
    out.push_back(random.below(4) == 0 ? 0.0f : random.uniform(0, 1));
  return out;
}

} // namespace

TEST_CASE("the GPU moves what a method has posed as the reference does") {
  const HeadlessContext context;
  Programs programs;
  std::uint64_t seed = 0;
  constexpr std::array kStorages{PaletteStorage::uniformArray, PaletteStorage::block,
                                 PaletteStorage::texture, PaletteStorage::storageBuffer};
  for (const std::uint32_t influences : {1u, 4u, 8u})
    for (const bool nonUniformScale : {false, true}) {
      const test::RandomRigOptions options{.seed = ++seed,
                                           .joints = 30,
                                           .vertices = 300,
                                           .influences = influences,
                                           .nonUniformScale = nonUniformScale};
      const Model model = test::randomModel(options);
      const Rig rig = buildRig(model);
      const auto nodes = modelFromNodes(model.hierarchy, test::randomPose(model, options, seed));
      const auto rows = anyRows(rig.joints.size(), 0.3f, seed);
      const std::vector<float> strengths = randomStrengths(rig.positions.size());
      std::size_t index = seed;
      for (const Method& base : methods()) {
        const PaletteStorage storage = kStorages[++index % kStorages.size()];
        const bool compute = index % 3 == 0;
        CAPTURE(base.name);
        CAPTURE(influences);
        CAPTURE(toString(storage));
        CAPTURE(compute);
        const Method& method = modified(base, velocityModifier());
        Binding binding = method.bind(rig, {.influences = influences});
        setModifierStrength(strengths, binding);
        Palette palette;
        packPalette(method, rig, binding, nodes, palette);
        putModifierRows(binding, rows, palette.rows);
        SkinnedMesh cpu;
        method.skin(rig, binding, palette, cpu);
        const auto materials = uploadMaterials(model);
        GpuMesh mesh(materials, rig, method, binding, {.storage = storage, .compute = compute});
        mesh.setPalette(palette);
        const SkinnedMesh gpu =
            compute ? test::captureComputed(programs, rig, mesh) : captureSkinned(programs, mesh);
        const test::ParityError error =
            test::parityError(rig, cpu, gpu, test::unstableVertices(method, rig, binding, palette));
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 2e-5f);
        // own: unstable normals of the base. The modifier flattens further ones.
        std::size_t own = 0;
        if (base.unstableNormals != nullptr) {
          const Binding alone = base.bind(rig, {.influences = influences});
          Palette rest;
          packPalette(base, rig, alone, nodes, rest);
          for (const bool unstable : base.unstableNormals(rig, alone, rest))
            own += unstable ? 1 : 0;
        }
        CHECK(error.folded <= own + error.vertices / 50);
      }
    }
  checkGlErrors("modifiers");
}

TEST_CASE("a modifier that moves nothing changes no bit on the GPU") {
  const HeadlessContext context;
  Programs programs;
  const test::RandomRigOptions options{.seed = 8, .joints = 20, .vertices = 300};
  const Model model = test::randomModel(options);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, test::randomPose(model, options, 9));
  const auto materials = uploadMaterials(model);
  const auto captured = [&](const Method& method) {
    const Binding binding = method.bind(rig, {});
    Palette palette;
    packPalette(method, rig, binding, nodes, palette);
    GpuMesh mesh(materials, rig, method, binding, {.storage = PaletteStorage::texture});
    mesh.setPalette(palette);
    return captureSkinned(programs, mesh);
  };
  for (const Method& base : methods()) {
    CAPTURE(base.name);
    const SkinnedMesh still = captured(base);
    const SkinnedMesh same = captured(modified(base, velocityModifier()));
    const auto equal = [](const std::vector<vec3>& a, const std::vector<vec3>& b) {
      return std::memcmp(a.data(), b.data(), a.size() * sizeof(vec3)) == 0;
    };
    CHECK(equal(same.positions, still.positions));
    CHECK(equal(same.normals, still.normals));
  }
}
