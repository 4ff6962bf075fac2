#include "core/random.h"
#include "core/test_support.h"
#include "cpu_skin/block_grouping.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

TEST_CASE("blocks hold every vertex once, and what each of them follows") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::size_t count = 1 + random.below(2000);
    VertexEntryLists lists;
    for (std::size_t v = 0; v < count; ++v) {
      std::vector<std::uint32_t> own{random.below(6)};
      if (random.below(2) == 0) own.push_back(6 + random.below(4));
      if (random.below(20) == 0)
        for (std::uint32_t i = 0; i < 10; ++i)
          own.push_back(10 + 3 * i + random.below(3));
      lists.entries.insert(lists.entries.end(), own.begin(), own.end());
      lists.offsets.push_back(static_cast<std::uint32_t>(lists.entries.size()));
    }
    const std::vector<std::uint32_t> all = test::upTo(count);
    const std::span<const std::uint32_t> part(all);
    const BlockGroups groups = groupIntoBlocks(lists, std::span(&part, 1));
    REQUIRE(groups.source.size() == kBlockLanes * groups.listByBlock.size());
    std::vector<std::size_t> places(count, 0);
    for (std::size_t b = 0; b < groups.listByBlock.size(); ++b)
      for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
        const std::uint32_t v = groups.source[kBlockLanes * b + lane];
        places[v] += lane == 0 || v != groups.source[kBlockLanes * b] ? 1 : 0;
        if (groups.slotsByBlock[b] > 0)
          CHECK(lists.of(v).size() <= groups.slotsByBlock[b]);
        else
          CHECK(std::ranges::includes(groups.lists[groups.listByBlock[b]], lists.of(v)));
      }
    CHECK(std::ranges::count(places, 1) == static_cast<std::ptrdiff_t>(count));
  }
}
