#include "core/lists.h"

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
