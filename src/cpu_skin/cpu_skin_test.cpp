// The vector kernels against the CPU references.
#include "animation/random_model.h"
#include "core/bounds.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "core/test_instructions.h"
#include "core/test_support.h"
#include "cpu_skin/cpu_skin.h"
#include "cpu_skin/cpu_skin_test_support.h"
#include "cpu_skin/skin_blocks.h"
#include "cpu_skin/skin_tables.h"
#include "demo/demo.h"
#include "skinning/joint_test_support.h"
#include "skinning/methods.h"
#include "skinning/modified.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

struct KernelError {
  float position = 0.0f; // relative to the model's size
  float normal = 0.0f;   // beyond what rounding of the palette causes
  std::size_t vertices = 0;
  std::size_t unstable = 0; // vertices whose normals are mostly rounding, as the method tells
};

// The reference with every number of the palette off by its rounding, up and down: where it takes a
// normal elsewhere, nearly collapsed matrices make the normal mostly rounding.
SkinnedMesh roundedOtherwise(const Method& method, const BindVertices& vertices,
                             const Binding& binding, Palette palette) {
  Random random(3);
  for (vec4& row : palette.rows)
    for (int c = 0; c < 4; ++c)
      row[c] *= random.below(2) == 0 ? 1.0f + 1e-7f : 1.0f - 1e-7f;
  SkinnedMesh out;
  method.skin(vertices, binding, palette, out);
  return out;
}

KernelError measureKernelError(const Method& method, const BindVertices& vertices,
                               const Binding& binding, const Palette& palette,
                               const SkinnedMesh& reference, const SkinnedMesh& other) {
  const float size =
      std::max(computeBounds(reference.positions).size(), computeBounds(vertices.positions).size());
  std::vector<bool> unstable(binding.vertexCount, false);
  if (method.unstableNormals != nullptr)
    unstable = method.unstableNormals(vertices, binding, palette);
  std::vector<bool> unplaced(binding.vertexCount, false);
  if (method.unstablePositions != nullptr)
    unplaced = method.unstablePositions(vertices, binding, palette);
  const SkinnedMesh rounded = roundedOtherwise(method, vertices, binding, palette);
  KernelError out;
  for (std::size_t v = 0; v < reference.positions.size(); ++v) {
    const float position = glm::length(reference.positions[v] - other.positions[v]) / size;
    const float normal = glm::length(reference.normals[v] - other.normals[v]) -
                         4.0f * glm::length(reference.normals[v] - rounded.normals[v]);
    if (!std::isfinite(position) || !std::isfinite(normal)) return {1.0f, 1.0f, 1, 1};
    if (!unplaced[v]) out.position = std::max(out.position, position);
    ++out.vertices;
    if (unstable[v])
      ++out.unstable;
    else
      out.normal = std::max(out.normal, normal);
  }
  return out;
}

// By the reference, and by kernels in the rig's order and in the order of blocks.
KernelError kernelError(const Method& method, const Rig& rig, const MorphedVertices& morphed,
                        const Binding& binding, const Palette& palette, CpuSkin& skin,
                        Workers& workers) {
  const BindVertices vertices(rig, morphed);
  SkinnedMesh reference;
  method.skin(vertices, binding, palette, reference);
  SkinnedMesh fast;
  skin.skin(palette, workers, fast);
  std::vector<vec3> positions(skin.source().size());
  std::vector<vec3> normals(positions.size());
  skin.skin(palette.rows, 1, palette.nonUniformScale, workers,
            {.positions = positions, .normals = normals, .tangents = {}, .streaming = true});
  std::size_t different = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    different += positions[i] == fast.positions[skin.source()[i]] &&
                         normals[i] == fast.normals[skin.source()[i]]
                     ? 0
                     : 1;
  CHECK(different == 0);
  return measureKernelError(method, vertices, binding, palette, reference, fast);
}

} // namespace

TEST_CASE("kernels on the CPU skin as the references do, for any rig and instructions") {
  Workers workers(2);
  std::uint64_t seed = 0;
  std::size_t vertices = 0;
  std::size_t unstable = 0;
  for (const std::uint32_t joints : {1u, 7u, 300u})
    for (const std::uint32_t influences : {1u, 4u, 12u})
      for (const bool stretches : {false, true}) {
        const RandomModelOptions options{
            .joints = joints,
            .vertices = static_cast<std::uint32_t>(test::rounds(300, 300, 100)),
            .influences = influences,
            .nonUniformScale = stretches};
        const Model model = randomModel(++seed, options);
        const Rig rig = buildRig(model);
        for (const test::KernelCase& each : test::kernelCases()) {
          const Method& method = findMethod(each.method);
          const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
          CpuSkin skin(method, rig, binding);
          REQUIRE(skin.hasKernel());
          for (int pose = 0; pose < test::rounds(10, 1); ++pose) {
            const auto modelFromNode = modelFromNodes(
                model.hierarchy,
                randomPose(model, 100 * seed + static_cast<std::uint64_t>(pose), options));
            Palette palette;
            packPalette(method, rig, binding, modelFromNode, palette);
            CAPTURE(each.method);
            CAPTURE(seed);
            CAPTURE(joints);
            CAPTURE(influences);
            CAPTURE(stretches);
            for (const std::int64_t kind : test::instructionKinds()) {
              if (kind != test::WithInstructions::kBest && joints != 7 && !test::kThorough)
                continue;
              const test::WithInstructions instructions(kind);
              CAPTURE(kind);
              const KernelError error =
                  kernelError(method, rig, {}, binding, palette, skin, workers);
              CHECK(error.position <= 1e-5f);
              CHECK(error.normal <= 2e-5f);
              vertices += error.vertices;
              unstable += error.unstable;
            }
          }
        }
      }
  CHECK(static_cast<double>(unstable) <= 2e-3 * static_cast<double>(vertices));
}

TEST_CASE("kernels skin as the references do where every vertex follows other joints") {
  Workers workers(2);
  for (const bool stretches : {false, true}) {
    const RandomModelOptions options{.joints = 64,
                                     .vertices = 900,
                                     .influences = 4,
                                     .rigidMesh = false,
                                     .nonUniformScale = stretches};
    const Model model = randomModel(81, options);
    const Rig rig = buildRig(model);
    for (const test::KernelCase& each : test::kernelCases()) {
      if (each.method == "rigid" || each.parameters == std::vector<float>{0, 1}) continue;
      CAPTURE(each.method);
      CAPTURE(stretches);
      const Method& method = findMethod(each.method);
      const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
      CpuSkin skin(method, rig, binding);
      const SkinBlocks& blocks = skin.data().blocks;
      const auto withSlots =
          std::ranges::count_if(blocks.blocks, [](const SkinBlock& b) { return b.slots > 0; });
      const bool shares = each.method == "lbs" || each.method == "stbs"; // sharing costs less there
      if (!shares) CHECK(withSlots > 0);
      for (std::uint64_t pose = 1; pose <= 3; ++pose) {
        Palette palette;
        packPalette(method, rig, binding,
                    modelFromNodes(model.hierarchy, randomPose(model, pose, options)), palette);
        for (const std::int64_t kind : test::instructionKinds()) {
          const test::WithInstructions instructions(kind);
          CAPTURE(kind);
          const KernelError error = kernelError(method, rig, {}, binding, palette, skin, workers);
          CHECK(error.position <= 1e-5f);
          CHECK(error.normal <= 2e-5f);
        }
      }
    }
  }
}

TEST_CASE("dual quaternions take the side of the heaviest joint in any block") {
  // Joints rotated far apart, so that no signs suit all of them; vertices follow many at a time.
  Workers workers(1);
  const RandomModelOptions options{.joints = 5, .vertices = 800, .influences = 5};
  const Model model = randomModel(3, options);
  const Rig rig = buildRig(model);
  const Method& method = findMethod("dqs");
  const Binding binding = method.bind(rig, {});
  CpuSkin skin(method, rig, binding);
  std::size_t varying = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Palette palette;
    packPalette(method, rig, binding,
                modelFromNodes(model.hierarchy, randomPose(model, seed, options)), palette);
    CHECK(kernelError(method, rig, {}, binding, palette, skin, workers).position <= 1e-5f);
    const std::vector<std::uint32_t> all = test::upTo(rig.positions.size());
    const std::span<const std::uint32_t> part(all);
    const SkinBlocks blocks =
        makeSkinBlocks(SkinKernel::dualQuaternions, rig, binding, std::span(&part, 1));
    SkinTables tables;
    makeSkinTables(blocks, palette.rows, palette.nonUniformScale, tables);
    varying += static_cast<std::size_t>(std::ranges::count(tables.signsVary, 1));
  }
  CHECK(varying > 0); // such lists were among them
}

TEST_CASE("free splines and zones skin on the CPU as the references do") {
  Workers workers(2);
  for (const std::string_view name : {"body-arm-splines", "humanoid", "tentacle"}) {
    if (name != "body-arm-splines" && !test::kThorough) continue; // it alone has free splines
    const Model model = findDemo(name).make();
    const Rig rig = buildRig(model);
    for (const test::KernelCase& each : test::kernelCases()) {
      const Method& method = findMethod(each.method);
      const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
      CpuSkin skin(method, rig, binding);
      for (const bool stretches : {false, true}) {
        if (test::kSanitized && !stretches) continue;
        Pose pose = randomPose(model, 7, {.nonUniformScale = stretches});
        pose.twists.assign(model.hierarchy.nodes.size(), 9.0f);
        Palette palette;
        packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette,
                    pose.twists);
        const KernelError error = kernelError(method, rig, {}, binding, palette, skin, workers);
        CAPTURE(name);
        CAPTURE(each.method);
        CAPTURE(stretches);
        CHECK(error.position <= 1e-5f);
        CHECK(error.normal <= 2e-5f);
      }
    }
  }
}

TEST_CASE("a modifier follows the kernel of its base, and where nothing moves changes no bit") {
  Workers workers(2);
  const RandomModelOptions options{.joints = 12, .vertices = 2300};
  const Model model = randomModel(21, options);
  const Rig rig = buildRig(model);
  const std::vector<mat4> nodes = modelFromNodes(model.hierarchy, randomPose(model, 6, options));
  Random random(4);
  std::vector<MatrixRows> joints(rig.joints.size());
  for (MatrixRows& rows : joints)
    for (vec4* row : {&rows.x, &rows.y, &rows.z})
      for (int i = 0; i < 4; ++i)
        (*row)[i] = random.uniform(-0.2f, 0.2f);
  for (const Method& base : methods()) {
    CAPTURE(base.name);
    const Method& method = modified(base, velocityModifier());
    const Binding binding = method.bind(rig, {});
    Palette palette;
    packPalette(method, rig, binding, nodes, palette);
    CpuSkin skin(method, rig, binding);
    SkinnedMesh same;
    skin.skin(palette, workers, same);
    const Binding own = base.bind(rig, {});
    Palette ownPalette;
    packPalette(base, rig, own, nodes, ownPalette);
    CpuSkin still(base, rig, own);
    CHECK(skin.hasKernel() == still.hasKernel());
    SkinnedMesh expected;
    still.skin(ownPalette, workers, expected);
    CHECK(same.positions == expected.positions);
    CHECK(same.normals == expected.normals);

    putModifierRows(binding, joints, palette.rows);
    const KernelError error = kernelError(method, rig, {}, binding, palette, skin, workers);
    CHECK(error.position <= 1e-5f);
    CHECK(error.normal <= 5e-5f);
  }
}

TEST_CASE("methods and parameters without a kernel run their references by threads, bit by bit") {
  Workers workers(2);
  const RandomModelOptions options{.joints = 12, .vertices = 2300, .nonUniformScale = true};
  const Model model = randomModel(11, options);
  const Rig rig = buildRig(model);
  const std::vector<test::KernelCase> cases{{"dqs", {1}},
                                            {"bones-blending", {0, 3, 1}},
                                            {"arc-spline", {0, 3, 0, 1}},
                                            {"arc-spline", {1, 3, 0, 0, 0, 1}},
                                            {"per-joint", {}}};
  for (const test::KernelCase& each : cases) {
    const Method& method = findMethod(each.method);
    const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
    Palette palette;
    packPalette(method, rig, binding,
                modelFromNodes(model.hierarchy, randomPose(model, 5, options)), palette);
    SkinnedMesh reference;
    method.skin(rig, binding, palette, reference);
    CpuSkin skin(method, rig, binding);
    SkinnedMesh sliced;
    skin.skin(palette, workers, sliced);
    CAPTURE(each.method);
    CHECK_FALSE(skin.hasKernel());
    CHECK(sliced.positions == reference.positions);
    CHECK(sliced.normals == reference.normals);
  }
}

TEST_CASE("morph targets move the vertices that kernels skin") {
  Workers workers(2);
  const RandomModelOptions options{.joints = 9, .vertices = 400};
  Model model = randomModel(21, options);
  addRandomMorphs(model, 4, 22);
  const Rig rig = buildRig(model);
  for (const test::KernelCase& each : test::kernelCases()) {
    const Method& method = findMethod(each.method);
    const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
    CpuSkin skin(method, rig, binding);
    Palette palette;
    packPalette(method, rig, binding,
                modelFromNodes(model.hierarchy, randomPose(model, 5, options)), palette);
    MorphedVertices morphed;
    std::optional<MorphedBinding> cached;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      applyMorphs(rig, randomWeights(model, seed), morphed);
      const Binding& bound = morphBinding(method, rig, binding, morphed, cached);
      skin.setBind(BindVertices(rig, morphed), bound);
      CAPTURE(each.method);
      CHECK(kernelError(method, rig, morphed, bound, palette, skin, workers).position <= 1e-5f);
    }
  }
}

TEST_CASE("a crowd on the CPU is each of its characters alone") {
  Workers workers(2);
  const RandomModelOptions options{.joints = 9, .vertices = 200};
  const Model model = randomModel(31, options);
  const Rig rig = buildRig(model);
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline", "cor", "stbs", "ddm"}) {
    const Method& method = findMethod(name);
    const Binding binding = method.bind(rig, {});
    // Two parts, as two materials make.
    const std::vector<std::uint32_t> all = test::upTo(rig.positions.size());
    const std::array<std::span<const std::uint32_t>, 2> parts{std::span(all).first(50),
                                                              std::span(all).subspan(50)};
    CpuSkin skin(method, rig, binding, parts);
    CHECK(skin.partEnds().size() == 2);
    CHECK(skin.partEnds()[0] % kBlockLanes == 0);
    constexpr std::size_t kCharacters = 70;
    std::vector<vec4> rows;
    std::vector<Palette> palettes(kCharacters);
    for (std::size_t c = 0; c < kCharacters; ++c) {
      packPalette(method, rig, binding,
                  modelFromNodes(model.hierarchy, randomPose(model, c, options)), palettes[c]);
      rows.insert(rows.end(), palettes[c].rows.begin(), palettes[c].rows.end());
    }
    const std::size_t each = skin.source().size();
    std::vector<vec3> positions(kCharacters * each);
    std::vector<vec3> normals(kCharacters * each);
    skin.skin(rows, kCharacters, false, workers,
              {.positions = positions, .normals = normals, .tangents = {}});
    CAPTURE(name);
    SkinnedMesh alone;
    std::size_t different = 0;
    for (std::size_t c = 0; c < kCharacters; ++c) {
      skin.skin({palettes[c].rows, false}, workers, alone);
      for (std::size_t i = 0; i < each; ++i)
        different += positions[c * each + i] == alone.positions[skin.source()[i]] &&
                             normals[c * each + i] == alone.normals[skin.source()[i]]
                         ? 0
                         : 1;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("tangents on the CPU are the reference's, by kernels where nothing stretches") {
  std::size_t vertices = 0;
  std::size_t sides = 0;
  std::uint64_t seed = 50;
  for (const std::uint32_t joints : {1u, 7u, 60u})
    for (const bool stretches : {false, true}) {
      const RandomModelOptions options{
          .joints = joints, .vertices = 300, .influences = 4, .nonUniformScale = stretches};
      const Model model = randomModel(++seed, options);
      Rig rig = buildRig(model);
      test::giveRandomTangents(rig, seed);
      std::vector<test::KernelCase> cases = test::kernelCases();
      cases.push_back({"dqs", {1}}); // without a kernel
      for (const test::KernelCase& each : cases) {
        const Method& method = findMethod(each.method);
        const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
        if (!takesTangents(rig, method, binding)) continue;
        const CpuSkin skin = test::skinWithTangents(method, rig, binding);
        for (const float size : {1.0f, 0.5f, -1.0f})
          for (std::uint64_t pose = 0; pose < 4; ++pose) {
            CAPTURE(each.method);
            CAPTURE(seed);
            CAPTURE(stretches);
            CAPTURE(size);
            Pose posed = randomPose(model, 10 * seed + pose, options);
            posed.parentFromNode[0].scale *= size;
            Palette palette;
            packPalette(method, rig, binding, modelFromNodes(model.hierarchy, posed), palette);
            const std::vector<vec4> expected = method.skinTangents(rig, binding, palette);
            const test::PosedInOrder got = test::poseInOrder(skin, palette, true);
            CHECK(got.positions == test::poseInOrder(skin, palette, false).positions);
            std::vector<bool> unstable(expected.size(), false);
            if (method.unstableNormals != nullptr)
              unstable = method.unstableNormals(rig, binding, palette);
            std::size_t far = 0;
            for (std::size_t v = 0; v < expected.size(); ++v) {
              ++vertices;
              if (unstable[v]) continue;
              far += glm::length(vec3(got.tangents[v]) - vec3(expected[v])) > 1e-3f ? 1 : 0;
              sides += got.tangents[v].w != expected[v].w ? 1 : 0;
            }
            CHECK(200 * far <= expected.size()); // opposite joints cancel one another's
          }
      }
    }
  CHECK(static_cast<double>(sides) <= 1e-4 * static_cast<double>(vertices));
}
