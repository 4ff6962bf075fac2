#include "core/lists.h"
#include "core/random.h"

#include <doctest/doctest.h>

#include <array>
#include <utility>

using namespace sinew;

TEST_CASE("lists are what was appended, also empty ones") {
  Lists<int> lists;
  CHECK(lists.count() == 0);
  lists.append(std::array{1, 2});
  lists.append({});
  lists.values.push_back(3);
  lists.endList();
  REQUIRE(lists.count() == 3);
  CHECK(lists.of(0).size() == 2);
  CHECK(lists.of(0)[1] == 2);
  CHECK(lists.of(1).empty());
  CHECK(lists.of(2)[0] == 3);
}

TEST_CASE("gathered lists have their values in the order of the walk") {
  constexpr std::array<std::pair<std::size_t, int>, 4> kPairs{{{2, 5}, {0, 1}, {2, 4}, {0, 9}}};
  const Lists<int> lists = gatherLists<int>(4, [&](const auto& each) {
    for (const auto& [i, value] : kPairs)
      each(i, value);
  });
  REQUIRE(lists.count() == 4);
  CHECK(lists.of(0).size() == 2);
  CHECK(lists.of(0)[0] == 1);
  CHECK(lists.of(0)[1] == 9);
  CHECK(lists.of(1).empty());
  CHECK(lists.of(2)[0] == 5);
  CHECK(lists.of(2)[1] == 4);
  CHECK(lists.of(3).empty());
}

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
