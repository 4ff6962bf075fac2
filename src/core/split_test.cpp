#include "core/split.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

TEST_CASE("split: empty parts count, but nothing behind the last separator does") {
  using Parts = std::vector<std::string>;
  CHECK(split("", ',') == Parts{});
  CHECK(split("a", ',') == Parts{"a"});
  CHECK(split("a,,b,", ',') == Parts{"a", "", "b"});
  CHECK(split(",", ',') == Parts{""});
}

} // namespace
} // namespace sinew
