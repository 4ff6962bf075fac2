// Damaged Inter-Quake Models: a model or one error, never more. scripts/tests/iqm_test.py has the
// whole ones.
#include "core/test_effort.h"
#include "import/damage_test_tools.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

const fs::path kFixit = "/usr/share/assimp/models/IQM/mrfixit.iqm";
constexpr std::size_t kHeader = 124;

} // namespace

using IqmNumbers =
    std::vector<std::pair<std::size_t, std::uint32_t>>; // where, counted in fours; what

TEST_CASE("IQM: what a header declares is checked against the file") {
  const TempFolder folder;
  const auto complain = [&](const IqmNumbers& numbers) {
    std::string bytes = "INTERQUAKEMODEL" + std::string(kHeader + 20 - 15, '\0');
    const std::uint32_t version = 2;
    std::memcpy(bytes.data() + 16, &version, sizeof version);
    for (const auto& [field, value] : numbers)
      std::memcpy(bytes.data() + 16 + 4 * field, &value, sizeof value);
    return std::string(importError(folder.write("a.iqm", bytes)).what());
  };
  const auto complaint = [&](std::size_t field, std::uint32_t value) {
    return complain({{field, value}});
  };
  CHECK(contains(complaint(0, 1), "it is of version 1, and version 2 is read"));
  CHECK(contains(complaint(1, 4000), "it is cut short"));
  CHECK(contains(complaint(13, 0xffffffff), "declares 4294967295 joints"));
  CHECK(contains(complaint(10, 0x7fffffff), "declares 2147483647 triangles"));
  CHECK(contains(complaint(3, 9999), "declares 9999 bytes of names"));
  // One array, behind the header, whose vertices take no bytes.
  CHECK(contains(complain({{7, 1}, {8, 0xffffffff}, {9, kHeader}, {27 + 2, 7}, {27 + 3, 0}}),
                 "has 0 components of format 7"));
}

TEST_CASE("IQM: a real file cut and changed") {
  if (!fs::exists(kFixit)) {
    MESSAGE("skipped, not there: ", kFixit.string());
    return;
  }
  const std::string bytes = readFile(kFixit);
  damage(bytes, ".iqm", rounds(50, 10), 7);
  const TempFolder folder;
  std::mt19937 random(8);
  for (int i = 0; i < rounds(100, 20); ++i) {
    CAPTURE(i);
    std::string changed = bytes;
    for (int k = 0; k < 2; ++k) // in the header and what it lists
      changed[16 + random() % 1000] = static_cast<char>(random());
    readDamaged(folder.write("changed.iqm", changed));
  }
}
