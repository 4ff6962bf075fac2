#include "editor/document/output_name.h"

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

} // namespace sinew
