#include "animation/random_model.h"
#include "core/error.h"
#include "core/test_effort.h"
#include "cpu_skin/cpu_skin_bytes.h"
#include "cpu_skin/cpu_skin_test_support.h"
#include "rig/rig.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("a skin out of its bytes skins the same, bit by bit") {
  const RandomModelOptions options{.joints = 9, .vertices = 500};
  const Model model = randomModel(61, options);
  Rig rig = buildRig(model);
  test::giveRandomTangents(rig, 61);
  std::vector<test::KernelCase> cases = test::kernelCases();
  for (const test::KernelCase& more : std::vector<test::KernelCase>{{"dqs", {1}},
                                                                    {"bones-blending", {0, 3, 1}},
                                                                    {"arc-spline", {0, 3, 0, 1}},
                                                                    {"per-joint", {}}})
    cases.push_back(more);
  for (const test::KernelCase& each : cases) {
    CAPTURE(each.method);
    const Method& method = findMethod(each.method);
    const Binding binding = method.bind(rig, test::kernelOptions(each, rig));
    const bool tangents = takesTangents(rig, method, binding);
    const CpuSkin skin =
        tangents ? test::skinWithTangents(method, rig, binding) : CpuSkin(method, rig, binding);
    const std::vector<std::byte> bytes = toBytes(skin);
    const CpuSkin again = readCpuSkin(bytes, method, binding);
    CHECK(toBytes(again) == bytes);
    for (std::uint64_t pose = 1; pose <= 3; ++pose) {
      Palette palette;
      packPalette(method, rig, binding,
                  modelFromNodes(model.hierarchy, randomPose(model, pose, options)), palette);
      CHECK(test::poseInOrder(again, palette, tangents) ==
            test::poseInOrder(skin, palette, tangents));
    }
  }
}

TEST_CASE("damaged bytes of a skin are an error, or numbers that a kernel can follow") {
  const RandomModelOptions options{.joints = 5, .vertices = 120};
  const Model model = randomModel(71, options);
  const Rig rig = buildRig(model);
  for (const char* name : {"lbs", "dqs", "bones-blending", "arc-spline", "cor", "stbs", "ddm"}) {
    const Method& method = findMethod(name);
    const Binding binding = method.bind(rig, {});
    const std::vector<std::byte> bytes = toBytes(CpuSkin(method, rig, binding));
    Palette palette;
    packPalette(method, rig, binding,
                modelFromNodes(model.hierarchy, randomPose(model, 1, options)), palette);
    CAPTURE(name);
    const auto read = [&](std::span<const std::byte> damaged) {
      try {
        const CpuSkin skin = readCpuSkin(damaged, method, binding);
        if (skin.vertexCount() <= 100'000) test::poseInOrder(skin, palette, false);
        return true;
      } catch (const Error& error) {
        CHECK(error.cause() == ErrorCause::input);
        CHECK(std::string(error.what()).find("the bytes of a skin: ") == 0);
        return false;
      }
    };
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 64)
      CHECK_FALSE(read(std::span(bytes).first(length)));
    Random random(5);
    std::size_t refused = 0;
    const int rounds = test::rounds(3000, 300);
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::byte> damaged = bytes;
      for (std::uint32_t i = 0; i <= random.below(3); ++i)
        damaged[random.below(static_cast<std::uint32_t>(bytes.size()))] =
            static_cast<std::byte>(random.below(256));
      refused += read(damaged) ? 0 : 1;
    }
    CHECK(refused > 0); // the rest hits floating-point numbers
    std::vector<std::byte> more = bytes;
    more.push_back(std::byte{0});
    CHECK_FALSE(read(more));
    const Method& other = findMethod(method.kernel == SkinKernel::centers ? "lbs" : "cor");
    CHECK_THROWS_AS(readCpuSkin(bytes, other, other.bind(rig, {})), Error);
  }
}
