#include "core/test_files.h"
#include "editor/document/document.h"

#include <doctest/doctest.h>

#include <fstream>

namespace sinew {

TEST_CASE("output name: it takes no file's name") {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_names_test";
  std::filesystem::create_directories(folder);
  CHECK(freeName(folder, "a").filename() == "a-001.png");
  std::ofstream(folder / "a-001.png") << "x";
  CHECK(freeName(folder, "a").filename() == "a-002.png");
  std::filesystem::remove_all(folder);
}

TEST_CASE(
    "output name: files go beside their model, those of built-in ones to the working folder") {
  const test::TempFolder folder;
  const auto here = std::filesystem::current_path();
  CHECK(outputFolder((folder.path / "a.glb").string()) == folder.path);
  CHECK(outputFolder("demo:arm") == here);
  CHECK(outputFolder("") == here);
  CHECK(outputFolder("a.glb") == here);
  CHECK(outputFolder("/no/such/folder/a.glb") == here);
}

} // namespace sinew
