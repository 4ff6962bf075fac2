#include "core/file.h"
#include "core/test_files.h"
#include "picture/skin_on_memory.h"

#include <doctest/doctest.h>

#include <string>

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
