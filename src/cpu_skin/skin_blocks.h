// A binding rearranged for vector instructions: the vertices of a block side by side, all that they
// follow listed once. Made once per model; the reference reads the Binding itself.
#pragma once

#include "cpu_skin/block_grouping.h"
#include "cpu_skin/reference_slices.h"
#include "skinning/method.h"
#include "skinning/twist_ranges.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// The kernel of a method; `reference` where the method, or a parameter of this binding, has no
// kernel: exact normals, bulge-free dual quaternions, spline coordinates from a matrix.
SkinKernel chooseKernel(const Method& method, const Binding& binding);

struct alignas(64) BlockLanes {
  std::array<float, kBlockLanes> at{};
};
struct alignas(32) WeightLanes {
  std::array<std::uint16_t, kBlockLanes> at{}; // multiples of 1 / 65535
};
using PivotLanes = std::array<std::uint8_t, kBlockLanes>;
using EntryLanes = std::array<std::uint32_t, kBlockLanes>; // palette entries

// What twist ranges add to the twists of a block's vertices, the largest first in each lane.
struct TwistLanes {
  std::array<BlockLanes, kVertexTwists> shares{};
  std::array<std::array<std::uint32_t, kBlockLanes>, kVertexTwists> joints{}; // palette entries
  std::uint32_t count = 0;                                                    // most in a lane
  std::array<std::uint32_t, 15> unused{};
};

struct SkinBlock {
  std::uint32_t list = 0;        // index into SkinBlocks::lists; unused with slots
  std::uint32_t firstWeight = 0; // index into `weights`: one per entry of the list, or per slot
  std::size_t firstValue = 0;    // index into `values`
  // Number of entries per lane where each lane follows its own, the heaviest first; else 0. A lane
  // with fewer repeats its first, without weight.
  std::uint32_t slots = 0;
  std::uint32_t firstSlot = 0; // index into laneEntries
};

struct EntryList {
  std::uint32_t first = 0, count = 0; // range in SkinBlocks::entries
  std::uint32_t firstPair = 0;        // index into a table with count * count numbers a list
};

// The values of `smoothed`: position, normal, smoothed position; then per entry the first moments
// and the second (xx yy zz xy xz yz).
namespace smoothed_value {
inline constexpr std::size_t kCenter = 6, kFirst = 9, kEach = 9;
}

struct SkinBlocks {
  SkinKernel kernel = SkinKernel::reference;
  bool normals = true;        // false: normals are zero
  bool freeSplines = false;   // Variant::freeSplines
  bool oneAttachment = false; // a normal on splines stays as long as it is
  std::size_t rowsPerEntry = 0;
  std::size_t entryCount = 0;        // entries in the palette
  std::vector<std::uint32_t> source; // vertices of the rig, per lane
  std::vector<std::size_t> partEnds; // in source
  std::vector<SkinBlock> blocks;
  std::vector<std::uint32_t> entries; // palette entries
  std::vector<EntryList> lists;
  std::vector<EntryLanes> laneEntries; // for blocks with slots
  std::vector<std::uint32_t> used;     // entries, each once
  std::size_t pairs = 0;               // EntryList::firstPair behind the last list
  // Per block. matrices, dualQuaternions: position, normal (x, y, z each). fractions: the same and
  // one blend factor per entry or slot; bones: the share of the bone less one. centers: and the
  // centre. smoothed: as smoothed_value says. Splines: per entry x, offset, normal.
  std::vector<BlockLanes> values;
  std::vector<WeightLanes> weights;
  std::uint32_t twistRow = 0;     // Variant::twistRow
  std::vector<TwistLanes> twists; // per block; without a twistRow none
  std::vector<PivotLanes>
      pivots; // dualQuaternions, centers: each lane's heaviest joint, within the list; 0 of slots

  // The entries of its list, or its slots.
  std::size_t countEntries(const SkinBlock& block) const {
    return block.slots > 0 ? block.slots : lists[block.list].count;
  }
  std::uint32_t entryAt(const SkinBlock& block, std::size_t place, std::size_t lane) const {
    return block.slots > 0 ? laneEntries[block.firstSlot + place][lane]
                           : entries[lists[block.list].first + place];
  }
};

// For a kernel other than `reference`. parts: the rig's vertices in lists, whose blocks follow one
// another.
SkinBlocks makeSkinBlocks(SkinKernel kernel, const BindVertices& vertices, const Binding& binding,
                          std::span<const std::span<const std::uint32_t>> parts);

// After vertices or what the binding holds of them have changed, but for what they follow.
void fillSkinBlocks(const BindVertices& vertices, const Binding& binding, SkinBlocks& blocks);

// The same blocks with tangents in the place of normals: where nothing stretches, both are moved
// alike. The binding and the vertices must have tangents.
SkinBlocks tangentSkinBlocks(const BindVertices& vertices, const Binding& binding,
                             const SkinBlocks& blocks);

// Empty, or a line that says what in them a kernel cannot read: for blocks that come from a file.
std::string skinBlocksProblem(const SkinBlocks& blocks, std::size_t vertexCount);

// What a CpuSkin has prepared.
struct CpuSkinData {
  std::uint32_t vertexCount = 0;
  std::size_t paletteRows = 0;
  SkinBlocks blocks;
  std::optional<SkinBlocks> tangentBlocks; // tangentSkinBlocks()
  std::vector<float> tangentSides;         // with them: w of the rig's tangents
  std::vector<ReferenceSlice> slices;      // without a kernel, or for tangents
};

} // namespace sinew
