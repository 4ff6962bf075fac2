// The GPU's skin() against the CPU reference: every method, palette storage and kind of rig, by the
// vertex shader and by a compute shader.
#include "core/test_effort.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

using namespace sinew;

namespace {

const auto kVertices = static_cast<std::uint32_t>(test::rounds(1000, 600, 150));
constexpr std::array kStorages{PaletteStorage::uniformArray, PaletteStorage::block,
                               PaletteStorage::texture, PaletteStorage::storageBuffer};

struct MethodVariant {
  const Method* method = nullptr;
  std::vector<float> parameters; // the first ones; the others at their defaults
};

// All methods at their defaults, and a method with a parameter that changes the shader.
std::vector<MethodVariant> allVariants() {
  std::vector<MethodVariant> out{{&staticMethod(), {}}};
  for (const Method& method : methods())
    out.push_back({&method, {}});
  out.push_back({&findMethod("dqs"), {1.0f}}); // bulge-free
  return out;
}

// How far the reference moves a vertex, as a fraction of the model's size, where the palette's
// numbers change by their rounding: what no two programs can agree on.
float movedByRounding(const Method& method, const Rig& rig, const Binding& binding,
                      const Palette& palette, const SkinnedMesh& cpu,
                      const test::UnstableVertices& unstable) {
  Random random(1);
  float moved = 0.0f;
  for (int round = 0; round < 4; ++round) {
    Palette rounded = palette;
    for (vec4& row : rounded.rows)
      for (int i = 0; i < 4; ++i)
        row[i] *= 1.0f + random.uniform(-1.0f, 1.0f) * std::numeric_limits<float>::epsilon();
    SkinnedMesh skinned;
    method.skin(rig, binding, rounded, skinned);
    moved = std::max(moved, test::parityError(rig, cpu, skinned, unstable).position);
  }
  return moved;
}

// Calls check(error) for every method and storage. Where not every case is tried, each method gets
// one storage: another for each seed and method.
template <class Check>
void forEachParity(Programs& programs, const test::RandomRigOptions& options, std::uint32_t limit,
                   Check check, void (*change)(Rig&, std::uint64_t seed) = nullptr) {
  const Model model = test::randomModel(options);
  Rig rig = buildRig(model);
  if (change != nullptr) change(rig, options.seed);
  const auto materials = uploadMaterials(model);
  const std::vector<mat4> modelFromNode =
      modelFromNodes(model.hierarchy, test::randomPose(model, options, 1000 + options.seed));
  std::size_t index = options.seed;
  for (const MethodVariant& variant : allVariants()) {
    const Method* method = variant.method;
    const std::vector<float>& parameters = variant.parameters;
    ++index;
    BindOptions bind{.influences = limit, .parameters = parameters};
    const Binding whole = method->bind(rig, bind);
    bind.formPerCount = true; // as crowds are drawn
    const Binding grouped = method->bind(rig, bind);
    Palette palette;
    packPalette(*method, rig, whole, modelFromNode, palette);
    SkinnedMesh cpu;
    method->skin(rig, whole, palette, cpu);
    const test::UnstableVertices unstable = test::unstableVertices(*method, rig, whole, palette);
    const float rounding =
        change == nullptr ? 0.0f : movedByRounding(*method, rig, whole, palette, cpu, unstable);
    for (std::size_t i = 0; i < kStorages.size(); ++i) {
      if (!test::kThorough && parameters.empty() && i != index % kStorages.size()) continue;
      const PaletteStorage storage = kStorages[i];
      const Binding& binding = holdsCrowd(storage) ? grouped : whole;
      // A uniform array cannot hold a variant's rows for a triangle of 36 joints.
      if (!parameters.empty() && !holdsCrowd(storage)) continue;
      CAPTURE(options.seed);
      CAPTURE(options.joints);
      CAPTURE(limit);
      CAPTURE(method->name);
      CAPTURE(toString(storage));
      CAPTURE(parameters.empty()); // at its defaults
      CAPTURE(rounding);
      for (const bool compute : {false, true}) {
        // Only a third of the cases also uses the compute shader where not every case is tried.
        if (compute && !test::kThorough && options.seed % 3 != 0) continue;
        CAPTURE(compute);
        GpuMesh mesh(materials, rig, *method, binding, {.storage = storage, .compute = compute});
        mesh.setPalette(palette);
        const SkinnedMesh gpu =
            compute ? test::captureComputed(programs, rig, mesh) : captureSkinned(programs, mesh);
        test::ParityError error = test::parityError(rig, cpu, gpu, unstable);
        error.rounding = rounding;
        check(error);
      }
    }
  }
  checkGlErrors("parity");
}

} // namespace

TEST_CASE("the GPU skins as the reference does, for any rig and palette storage") {
  const HeadlessContext context;
  Programs programs;
  std::uint64_t seed = 0;
  std::size_t vertices = 0;
  std::size_t folded = 0;
  std::size_t ambiguous = 0;
  for (const std::uint32_t joints : {1u, 7u, 60u, 300u})
    for (const std::uint32_t influences : {1u, 4u, 8u, 12u})
      for (const bool nonUniformScale : {false, true}) {
        const std::uint64_t pair = seed++ / 2; // number of the pair of joints and influences
        // Tries each pair with one of the two scales where not every case is tried.
        if (!test::kThorough && nonUniformScale != ((pair + pair / 4) % 2 == 1)) continue;
        const test::RandomRigOptions options{.seed = seed,
                                             .joints = joints,
                                             .vertices = kVertices,
                                             .influences = influences,
                                             .nonUniformScale = nonUniformScale};
        const std::uint32_t limit = influences <= 4 ? 4 : influences;
        forEachParity(programs, options, limit, [&](const test::ParityError& error) {
          CHECK(error.position <= 1e-5f);
          CHECK(error.normal <= 1e-5f);
          vertices += error.vertices;
          folded += error.folded;
          ambiguous += error.ambiguous;
        });
      }
  SINEW_FIGURE(folded << " of " << vertices << " normals and " << ambiguous
                      << " positions are mostly rounding, as the methods tell");
  CHECK(static_cast<double>(folded) <= 2e-3 * static_cast<double>(vertices));
  CHECK(static_cast<double>(ambiguous) <= 2e-3 * static_cast<double>(vertices));
}

TEST_CASE("keeping fewer influences than there are is the same on the GPU") {
  const HeadlessContext context;
  Programs programs;
  for (const std::uint32_t limit : {1u, 4u, 6u}) {
    const test::RandomRigOptions options{
        .seed = 77, .joints = 40, .vertices = kVertices, .influences = 12};
    forEachParity(programs, options, limit, [](const test::ParityError& error) {
      CHECK(error.position <= 1e-5f);
      CHECK(error.normal <= 1e-5f);
    });
  }
}

TEST_CASE("joints scaled to nothing give the same positions, and no normal that is not a number") {
  const HeadlessContext context;
  Programs programs;
  std::size_t vertices = 0;
  std::size_t ill = 0; // flattened along nearly its own direction, a normal is mostly rounding
  for (int seed = 1; seed <= test::rounds(6, 4); ++seed) {
    const test::RandomRigOptions options{.seed = static_cast<std::uint64_t>(seed),
                                         .joints = 40,
                                         .vertices = kVertices,
                                         .influences = 4,
                                         .zeroScale = true};
    forEachParity(programs, options, 4, [&](const test::ParityError& error) {
      CHECK(error.position <= 1e-5f);
      CHECK(std::isfinite(error.normal));
      vertices += error.vertices;
      ill += error.normalsBeyond;
    });
  }
  SINEW_FIGURE(ill << " of " << vertices << " normals differ by more than 1e-5");
  CHECK(static_cast<double>(ill) <= 1e-3 * static_cast<double>(vertices));
}

// A quarter of the joints: nearly flat, tiny, huge, uneven, or far away. Readers repair what has no
// inverse.
void breakBinds(Rig& rig, std::uint64_t seed) {
  Random random(seed);
  const std::array<mat4, 5> odd{
      glm::scale(mat4(1.0f), vec3(1.0f, 1e-5f, 1.0f)), glm::scale(mat4(1.0f), vec3(1e-4f)),
      glm::scale(mat4(1.0f), vec3(1e3f)), glm::scale(mat4(1.0f), vec3(1e3f, 1.0f, 2e2f)),
      glm::translate(mat4(1.0f), vec3(1e4f, 0.0f, 0.0f))};
  for (RigJoint& joint : rig.joints)
    if (const std::size_t which = random.below(20); which < odd.size())
      joint.jointFromBind = odd[which] * joint.jointFromBind;
}

TEST_CASE("bind matrices that are nearly flat, tiny, huge or far give the same positions") {
  const HeadlessContext context;
  Programs programs;
  for (int seed = 1; seed <= test::rounds(40, 4, 2); ++seed)
    forEachParity(
        programs,
        {.seed = static_cast<std::uint64_t>(seed),
         .joints = 20,
         .vertices = kVertices,
         .influences = 4},
        4,
        [&](const test::ParityError& error) {
          // Lengths of thousands cancel within a method, and before it, in the palette.
          CHECK(error.position <= 1e-4f + 8.0f * error.rounding);
          CHECK(std::isfinite(error.normal));
        },
        breakBinds);
}

TEST_CASE("split batches skin exactly as the whole mesh does") {
  const HeadlessContext context;
  Programs programs;
  const test::RandomRigOptions options{.seed = 5, .joints = 120, .influences = 2};
  const Model model = test::randomModel(options);
  const Rig rig = buildRig(model);
  const auto materials = uploadMaterials(model);
  for (const Method& method : methods()) {
    const Binding binding = method.bind(rig, {});
    Palette palette;
    packPalette(method, rig, binding,
                modelFromNodes(model.hierarchy, test::randomPose(model, options, 6)), palette);
    GpuMesh whole(materials, rig, method, binding, {.storage = PaletteStorage::texture});
    whole.setPalette(palette);
    const SkinnedMesh expected = captureSkinned(programs, whole);
    for (const PaletteStorage storage : {PaletteStorage::uniformArray, PaletteStorage::block})
      for (const std::uint32_t entries : {36u, 50u, 90u}) {
        CAPTURE(method.name);
        CAPTURE(toString(storage));
        CAPTURE(entries);
        GpuMesh split(materials, rig, method, binding,
                      {.storage = storage, .capacityRows = entries * binding.rowsPerEntry});
        split.setPalette(palette);
        CHECK(split.layout().batches.size() > whole.layout().batches.size());
        CHECK(split.paletteCapacity() <= entries * binding.rowsPerEntry);
        const SkinnedMesh actual = captureSkinned(programs, split);
        CHECK(actual.positions == expected.positions);
        CHECK(actual.normals == expected.normals);
      }
  }
  checkGlErrors("splitting");
}
