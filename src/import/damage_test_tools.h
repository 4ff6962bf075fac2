// Damaged files for the tests of readers: a model or one error in a line, never more.
#pragma once

#include "import/import_test_tools.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>

namespace sinew::test {

// Reads it, or checks that the error is one line that names the file.
inline void readDamaged(const std::filesystem::path& path) {
  ImportOptions options;
  options.decodeTextures = false;
  options.maxVertices = 100000;
  try {
    importModel(path, options);
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(contains(message, path.filename().string()));
    CHECK(message.find('\n') == std::string::npos);
  }
}

// So many files cut anywhere, and as many with up to four bytes changed, half of them into bytes of
// the file; the same at every run. extension: with its dot.
inline void damage(const std::string& bytes, const std::string& extension, int cases,
                   unsigned seed) {
  const TempFolder folder;
  std::mt19937 random(seed);
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    readDamaged(folder.write("cut" + extension, bytes.substr(0, random() % bytes.size())));
    std::string changed = bytes;
    for (std::size_t k = 1 + random() % 4; k > 0; --k)
      changed[random() % changed.size()] =
          random() % 2 == 0 ? bytes[random() % bytes.size()] : static_cast<char>(random());
    readDamaged(folder.write("changed" + extension, changed));
  }
}

} // namespace sinew::test
