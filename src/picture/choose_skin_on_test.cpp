#include "core/file.h"
#include "core/random.h"
#include "core/test_files.h"
#include "picture/choose_skin_on.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("skin-on auto: a choice is remembered by its key, and the oldest are forgotten") {
  const TempFolder folder;
  const auto file = folder.path / "made" / "skin-on.json";
  CHECK(!rememberedSkinOn(file, "a"));
  rememberSkinOn(file, "a", SkinOn::cpu);
  rememberSkinOn(file, "b", SkinOn::compute);
  CHECK(rememberedSkinOn(file, "a") == SkinOn::cpu);
  CHECK(rememberedSkinOn(file, "b") == SkinOn::compute);
  rememberSkinOn(file, "a", SkinOn::vertexShader);
  CHECK(rememberedSkinOn(file, "a") == SkinOn::vertexShader);
  for (std::size_t i = 1; i < kRememberedChoices; ++i)
    rememberSkinOn(file, std::to_string(i), SkinOn::cpu);
  CHECK(rememberedSkinOn(file, "a"));
  CHECK(!rememberedSkinOn(file, "b"));
}

TEST_CASE("skin-on auto: a file that holds no choices is measured again and replaced") {
  const TempFolder folder;
  const auto file = folder.path / "skin-on.json";
  for (const char* text :
       {"", "[1, 2", "[]", R"({"a": 3})", R"({"a": "auto"})", R"({"a": "GPU"})"}) {
    CAPTURE(text);
    writeFile(file, text);
    CHECK(!rememberedSkinOn(file, "a"));
    rememberSkinOn(file, "a", SkinOn::cpu);
    CHECK(rememberedSkinOn(file, "a") == SkinOn::cpu);
  }
  const auto nowhere = folder.write("file", "") / "skin-on.json"; // cannot be made
  rememberSkinOn(nowhere, "a", SkinOn::cpu);
  CHECK(!rememberedSkinOn(nowhere, "a"));
}

TEST_CASE("the fastest way: noise, a slow first time and a neighbour's turn do not change it") {
  Random random(36);
  for (int trial = 0; trial < 300; ++trial) {
    const std::array<double, 3> costs{1.4, 1.0, 1.5};
    std::array<int, 3> calls{};
    std::size_t last = 3;
    const FastestWay found = fastestWay(costs.size(), [&](std::size_t way) {
      const double first = calls[way]++ == 0 ? 50.0 : 0.0;
      const double behindSlow = last == 2 ? 0.3 : 0.0;
      last = way;
      // One in two turns is disturbed by up to twice the cost.
      const float noise = std::max(random.uniform(-2.0f, 2.0f), 0.0f);
      return costs[way] * (1.0 + static_cast<double>(noise)) + first + behindSlow;
    });
    CHECK(found.way == 1);
  }
}

TEST_CASE("the fastest way: of ways that cost the same, the first, and a clear one ends early") {
  const auto by = [](std::array<double, 3> costs) {
    return fastestWay(costs.size(), [&](std::size_t way) { return costs[way]; });
  };
  CHECK(by({1.04, 1.0, 1.02}).way == 0);
  CHECK(by({1.06, 1.04, 1.0}).way == 1);
  CHECK(by({1.04, 1.0, 1.02}).rounds > by({3.0, 1.0, 2.0}).rounds);
  CHECK(by({3.0, 1.0, 2.0}).least == std::vector<double>{3.0, 1.0, 2.0});
}
