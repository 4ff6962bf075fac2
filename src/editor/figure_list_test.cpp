#include "core/error.h"
#include "core/file.h"
#include "editor/figure_list.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace sinew {

TEST_CASE(
    "figure figures: what the program says of a figure, with its pictures for as long as shown") {
  const ScratchFolder folder;
  const std::filesystem::path program = folder.path() / "program";
  const auto write = [&](const std::string& script) {
    writeFile(program, "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  };
  write("touch $4/a.png $4/a.csv\n"
        "echo '{\"says\": \"they are '$2'\", \"measured\": \"so they are\","
        " \"files\": [\"a.png\", \"a.csv\"]}'\n");
  std::filesystem::path picture;
  {
    const ShownFigure seen = makeFigure(program.string(), "round", {});
    CHECK(seen.name == "round");
    CHECK(seen.says == "they are round");
    CHECK(seen.measured == "so they are");
    REQUIRE(seen.pictures.size() == 1);
    picture = seen.pictures[0];
    CHECK(std::filesystem::exists(picture));
  }
  CHECK_FALSE(std::filesystem::exists(picture));
  write("echo no JSON");
  CHECK_THROWS_AS(makeFigure(program.string(), "round", {}), Error);
  write("echo 'sinew: no graphics' >&2; exit 5");
  CHECK_THROWS_WITH_AS(makeFigure(program.string(), "round", {}), "no graphics", Error);
}

} // namespace sinew
