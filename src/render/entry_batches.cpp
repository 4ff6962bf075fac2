#include "render/entry_batches.h"

#include "core/error.h"

#include <fmt/format.h>

namespace sinew {

std::vector<Triangle> takeBatch(std::vector<Triangle>& units, const VertexEntries& vertexEntries,
                                std::uint32_t capacity, EntrySet& entries) {
  std::vector<Triangle> taken;
  std::vector<Triangle> left;
  std::vector<std::uint32_t> needed;
  for (const Triangle& unit : units) {
    needed.clear();
    for (const std::uint32_t v : unit)
      vertexEntries.append(v, needed);
    (entries.tryAdd(needed) ? taken : left).push_back(unit);
  }
  if (taken.empty())
    throw graphicsError(
        fmt::format("one triangle needs more than the {} joints that the palette can hold",
                    capacity),
        "put the palette into a texture, or take 4 influences a vertex");
  units = std::move(left);
  return taken;
}

std::vector<std::vector<std::uint32_t>> entryBatches(const Rig& rig, const Binding& binding,
                                                     std::uint32_t entryCapacity) {
  std::vector<std::vector<std::uint32_t>> out;
  if (entryCapacity >= binding.entryCount) return out;
  const VertexEntries vertexEntries(binding);
  std::vector<Triangle> units(rig.triangles.begin(), rig.triangles.end());
  while (!units.empty()) {
    EntrySet entries(binding.entryCount, entryCapacity);
    takeBatch(units, vertexEntries, entryCapacity, entries);
    out.push_back(entries.ascending());
  }
  return out;
}

} // namespace sinew
