// Vertices in groups of kBlockLanes that follow few palette entries together, so that what a pose
// needs of an entry is read once for all of a group's lanes. Where each vertex follows others, a
// group's lanes follow entries of their own, side by side: slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

inline constexpr std::size_t kBlockLanes = 16; // lanes per block: the floats of a cache line

// The palette entries that each vertex follows, ascending: those of vertex v are entries
// [offsets[v], offsets[v + 1]).
struct VertexEntryLists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> entries;

  std::span<const std::uint32_t> of(std::size_t vertex) const {
    return std::span(entries).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
};

// The cost of a kernel's block, in entries that all of its lanes share.
struct LaneCost {
  double slot = 4.0; // an entry of each lane's own
  double pair = 0.0; // a pair of shared entries: the sign of one beside the other
};

struct BlockGroups {
  // kBlockLanes vertices a block; places that are left over repeat the first vertex of their block.
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> listByBlock;        // per block; 0 for one with slots
  std::vector<std::uint32_t> slotsByBlock;       // per block; 0: its lanes share a list
  std::vector<std::vector<std::uint32_t>> lists; // each once, ascending: all that a block follows
  std::vector<std::size_t> partEnds;             // per part, its end in source
};

// Every part's vertices, each in blocks of their own. Vertices with the same list come first; what
// is left of each list joins the block to which it adds the fewest entries, or begins one. Last, in
// the order of the mesh, are those that cost less in lanes with entries of their own. Beside
// sorting, linear in the vertices.
BlockGroups groupIntoBlocks(const VertexEntryLists& vertices,
                            std::span<const std::span<const std::uint32_t>> parts,
                            const LaneCost& cost = {});

} // namespace sinew
