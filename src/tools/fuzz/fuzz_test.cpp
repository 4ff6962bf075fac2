// Inputs that once failed, and a small corpus: assets/fuzz/NAME/.
#include "core/file.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "core/test_files.h"
#include "tools/fuzz/fuzz_readers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace sinew;

namespace {

std::vector<std::filesystem::path> listInputs(std::string_view name) {
  std::vector<std::filesystem::path> files;
  const auto folder = test::sourceFolder() / "assets" / "fuzz" / name;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

TEST_CASE("fuzzing: the inputs in the repository are read or refused") {
  for (const FuzzReader& reader : fuzzReaders())
    for (const auto& file : listInputs(reader.name)) {
      CAPTURE(file.string());
      CHECK_NOTHROW(reader.read(readFile(file)));
    }
}

TEST_CASE("fuzzing: every reader has an input, and stands any few bytes changed of it") {
  for (const FuzzReader& reader : fuzzReaders()) {
    CAPTURE(reader.name);
    std::vector<std::string> good;
    for (const auto& file : listInputs(reader.name))
      good.push_back(readFile(file));
    for (std::uint64_t number = 0; reader.good != nullptr && number < 10; ++number)
      good.push_back(reader.good(number));
    REQUIRE(!good.empty());
    Random random(1);
    for (int i = 0; i < test::rounds(500, 25); ++i) {
      CAPTURE(i);
      std::string bytes = good[random.below(static_cast<std::uint32_t>(good.size()))];
      for (std::uint32_t k = 1 + random.below(4); k > 0 && !bytes.empty(); --k)
        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
            static_cast<char>(random.below(256));
      CHECK_NOTHROW(reader.read(bytes));
    }
  }
}
