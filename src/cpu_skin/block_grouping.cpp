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
// After so many lists of a length it is looked whether sharing pays: the search for blocks takes
// longer than all else.
constexpr std::size_t kReviewed = 1024;

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

double sharedCost(std::size_t entries, const LaneCost& cost) {
  const auto n = static_cast<double>(entries);
  return static_cast<double>(kBlockCost) + n + cost.pair * n * n;
}

double laneCost(std::size_t slots, const LaneCost& cost) {
  return static_cast<double>(kBlockCost) + static_cast<double>(slots) * cost.slot;
}

// A part's blocks with a list, by their lists, and the vertices that are not in them.
struct PartBlocks {
  std::vector<OpenBlock> shared;
  std::vector<std::uint32_t> alone;
};

// Vertices that have fewer than a block's lists, by length: joined into blocks as long as that
// costs less than slots.
class Sharing {
 public:
  Sharing(const VertexEntryLists& lists, const LaneCost& cost) : lists_(lists), cost_(cost) {}

  void add(std::span<const std::uint32_t> vertices) {
    const auto entries = lists_.of(vertices[0]);
    if (entries.size() != length_) begin(entries.size());
    if (!pays_) {
      alone_.insert(alone_.end(), vertices.begin(), vertices.end());
      return;
    }
    OpenBlock* block = cheapestFor(entries, vertices.size(), open_);
    if (block == nullptr) block = &open_.emplace_back();
    shared_ -= block->vertices.empty() ? 0.0 : sharedCost(block->entries.size(), cost_);
    join(*block, entries, vertices);
    shared_ += sharedCost(block->entries.size(), cost_);
    lanes_ += static_cast<double>(vertices.size()) * eachLane(length_);
    if (++added_ % kReviewed == 0) pays_ = shared_ <= lanes_;
  }

  PartBlocks finish() {
    PartBlocks out;
    const bool some = !alone_.empty();
    double shared = 0.0;
    const auto paysAlone = [&](const OpenBlock& block) {
      double lanes = 0.0;
      for (const std::uint32_t v : block.vertices)
        lanes += eachLane(lists_.of(v).size());
      return lanes < sharedCost(block.entries.size(), cost_);
    };
    const auto dear = std::stable_partition(open_.begin(), open_.end(),
                                            [&](const OpenBlock& b) { return !paysAlone(b); });
    for (auto block = dear; block != open_.end(); ++block) {
      shared += sharedCost(block->entries.size(), cost_);
      alone_.insert(alone_.end(), block->vertices.begin(), block->vertices.end());
    }
    std::ranges::sort(alone_, [&](std::uint32_t a, std::uint32_t b) {
      const std::size_t slotsA = lists_.of(a).size(), slotsB = lists_.of(b).size();
      return slotsA != slotsB ? slotsA > slotsB : a < b;
    });
    double lanes = 0.0;
    for (std::size_t first = 0; first < alone_.size(); first += kBlockLanes)
      lanes += laneCost(lists_.of(alone_[first]).size(), cost_);
    // Few vertices do not fill their lanes.
    if (some || lanes < shared) {
      open_.erase(dear, open_.end());
      out.alone = std::move(alone_);
    }
    out.shared = std::move(open_);
    return out;
  }

 private:
  double eachLane(std::size_t slots) const {
    return laneCost(slots, cost_) / static_cast<double>(kBlockLanes);
  }

  void begin(std::size_t length) {
    length_ = length;
    added_ = 0;
    pays_ = true;
    shared_ = lanes_ = 0.0;
  }

  const VertexEntryLists& lists_;
  LaneCost cost_;
  std::vector<OpenBlock> open_;
  std::vector<std::uint32_t> alone_;
  std::size_t length_ = 0, added_ = 0; // length and number of the lists that come now
  double shared_ = 0.0, lanes_ = 0.0;  // their cost in shared blocks and in slots
  bool pays_ = true;
};

PartBlocks makePartBlocks(const VertexEntryLists& lists, std::span<const std::uint32_t> part,
                          const LaneCost& cost) {
  std::vector<std::uint32_t> order(part.begin(), part.end());
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(lists.of(a), lists.of(b));
  });
  std::vector<OpenBlock> blocks;
  std::vector<std::span<const std::uint32_t>> left; // vertices of one list, under kBlockLanes
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
  Sharing sharing(lists, cost);
  for (const auto& vertices : left)
    sharing.add(vertices);
  PartBlocks out = sharing.finish();
  std::ranges::move(out.shared, std::back_inserter(blocks));
  std::ranges::stable_sort(blocks, {}, &OpenBlock::entries);
  out.shared = std::move(blocks);
  return out;
}

void addBlock(std::span<const std::uint32_t> vertices, std::uint32_t list, std::size_t slots,
              BlockGroups& out) {
  out.listByBlock.push_back(list);
  out.slotsByBlock.push_back(static_cast<std::uint32_t>(slots));
  out.source.insert(out.source.end(), vertices.begin(), vertices.end());
  out.source.resize(kBlockLanes * out.listByBlock.size(), vertices[0]);
}

} // namespace

BlockGroups groupIntoBlocks(const VertexEntryLists& vertices,
                            std::span<const std::span<const std::uint32_t>> parts,
                            const LaneCost& cost) {
  BlockGroups out;
  std::map<Entries, std::uint32_t> known;
  for (const auto& part : parts) {
    PartBlocks blocks = makePartBlocks(vertices, part, cost);
    for (OpenBlock& block : blocks.shared) {
      const auto [place, isNew] =
          known.try_emplace(block.entries, static_cast<std::uint32_t>(out.lists.size()));
      if (isNew) out.lists.push_back(std::move(block.entries));
      addBlock(block.vertices, place->second, 0, out);
    }
    const std::span<const std::uint32_t> alone(blocks.alone);
    for (std::size_t first = 0; first < alone.size(); first += kBlockLanes)
      addBlock(alone.subspan(first, std::min(kBlockLanes, alone.size() - first)), 0,
               vertices.of(alone[first]).size(), out);
    out.partEnds.push_back(out.source.size());
  }
  return out;
}

} // namespace sinew
