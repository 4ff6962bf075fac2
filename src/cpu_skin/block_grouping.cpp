#include "cpu_skin/block_grouping.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace sinew {
namespace {

// What a block costs beside its entries, in entries; how many blocks with free lanes are tried; and
// the entries a block may have where no vertex has as many of its own.
constexpr std::size_t kBlockCost = 3;
constexpr std::size_t kTried = 128;
constexpr std::size_t kMaxShared = 16;

using Entries = std::vector<std::uint32_t>;

struct OpenBlock {
  Entries entries;
  std::vector<std::uint32_t> vertices;
};

std::size_t missingFrom(const Entries& block, std::span<const std::uint32_t> added) {
  std::size_t missing = 0;
  auto at = block.begin();
  for (const std::uint32_t entry : added) {
    at = std::lower_bound(at, block.end(), entry);
    if (at == block.end() || *at != entry) ++missing;
  }
  return missing;
}

// Among the last blocks with room; null: a new one is cheaper.
OpenBlock* cheapestFor(std::span<const std::uint32_t> entries, std::size_t count,
                       std::vector<OpenBlock>& open) {
  OpenBlock* best = nullptr;
  std::size_t least = kBlockCost + entries.size();
  const std::size_t first = open.size() - std::min(open.size(), kTried);
  for (std::size_t i = open.size(); i-- > first;) {
    OpenBlock& block = open[i];
    if (block.vertices.size() + count > kBlockLanes) continue;
    const std::size_t added = missingFrom(block.entries, entries);
    if (added >= least || block.entries.size() + added > std::max(kMaxShared, entries.size()))
      continue;
    least = added;
    best = &block;
    if (added == 0) break;
  }
  return best;
}

void join(OpenBlock& block, std::span<const std::uint32_t> entries,
          std::span<const std::uint32_t> vertices) {
  Entries both;
  std::ranges::set_union(block.entries, entries, std::back_inserter(both));
  block.entries = std::move(both);
  block.vertices.insert(block.vertices.end(), vertices.begin(), vertices.end());
}

std::vector<OpenBlock> blocksOf(const VertexEntryLists& lists,
                                std::span<const std::uint32_t> part) {
  std::vector<std::uint32_t> order(part.begin(), part.end());
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(lists.of(a), lists.of(b));
  });
  std::vector<OpenBlock> blocks;
  std::vector<std::span<const std::uint32_t>> left; // of one list each, fewer than kBlockLanes
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && std::ranges::equal(lists.of(order[end]), lists.of(order[first])))
      ++end;
    const auto entries = lists.of(order[first]);
    for (; end - first >= kBlockLanes; first += kBlockLanes)
      join(blocks.emplace_back(), entries, std::span(order).subspan(first, kBlockLanes));
    if (first < end) left.push_back(std::span(order).subspan(first, end - first));
    first = end;
  }
  // Long lists first: shorter ones then find blocks that have their entries already.
  std::ranges::stable_sort(left, [&](const auto& a, const auto& b) {
    return lists.of(a[0]).size() > lists.of(b[0]).size();
  });
  std::vector<OpenBlock> open;
  for (const auto& vertices : left) {
    const auto entries = lists.of(vertices[0]);
    OpenBlock* block = cheapestFor(entries, vertices.size(), open);
    join(block != nullptr ? *block : open.emplace_back(), entries, vertices);
  }
  std::ranges::move(open, std::back_inserter(blocks));
  std::ranges::stable_sort(blocks, {}, &OpenBlock::entries);
  return blocks;
}

} // namespace

BlockGroups groupIntoBlocks(const VertexEntryLists& vertices,
                            std::span<const std::span<const std::uint32_t>> parts) {
  BlockGroups out;
  std::map<Entries, std::uint32_t> known;
  for (const auto& part : parts) {
    for (OpenBlock& block : blocksOf(vertices, part)) {
      const auto [place, isNew] =
          known.try_emplace(block.entries, static_cast<std::uint32_t>(out.lists.size()));
      if (isNew) out.lists.push_back(std::move(block.entries));
      out.listOf.push_back(place->second);
      block.vertices.resize(kBlockLanes, block.vertices[0]);
      out.source.insert(out.source.end(), block.vertices.begin(), block.vertices.end());
    }
    out.partEnds.push_back(out.source.size());
  }
  return out;
}

} // namespace sinew
