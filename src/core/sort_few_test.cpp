#include "core/random.h"
#include "core/sort_few.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("sorting few values and many is that of std::stable_sort") {
  using Pair = std::pair<std::uint32_t, std::size_t>;
  const auto less = [](const Pair& a, const Pair& b) { return a.first < b.first; };
  Random random(3);
  for (std::size_t size = 0; size < 80; ++size) {
    std::vector<Pair> values;
    for (std::size_t i = 0; i < size; ++i)
      values.emplace_back(random.below(5), i);
    std::vector<Pair> expected = values;
    std::stable_sort(expected.begin(), expected.end(), less);
    sortFewStably(values, less);
    CHECK(values == expected);
  }
}
