// Which palette entries the triangles of a batch need, where a palette holds too few for all.
#pragma once

#include "rig/rig.h"
#include "skinning/binding.h"

#include <cstdint>
#include <vector>

namespace sinew {

// The palette entries of every vertex, read once.
class VertexEntries {
 public:
  explicit VertexEntries(const Binding& binding) {
    for (const Attribute& attribute : binding.attributes)
      if (attribute.palette) palette_.push_back(&attribute);
  }
  void append(std::uint32_t vertex, std::vector<std::uint32_t>& out) const {
    for (const Attribute* attribute : palette_) {
      const glm::uvec4 entries = readUint(*attribute, vertex);
      for (int i = 0; i < 4; ++i)
        out.push_back(entries[i]);
    }
  }

 private:
  std::vector<const Attribute*> palette_;
};

// The entries a batch holds so far.
class EntrySet {
 public:
  EntrySet(std::size_t entryCount, std::size_t capacity)
      : in_(entryCount, false), left_(capacity) {}

  // Adds them all, or none where they are too many.
  bool tryAdd(const std::vector<std::uint32_t>& entries) {
    added_.clear();
    for (const std::uint32_t entry : entries)
      if (!in_[entry]) {
        in_[entry] = true;
        added_.push_back(entry);
      }
    if (added_.size() <= left_) {
      left_ -= added_.size();
      return true;
    }
    for (const std::uint32_t entry : added_)
      in_[entry] = false;
    return false;
  }
  std::vector<std::uint32_t> ascending() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t entry = 0; entry < in_.size(); ++entry)
      if (in_[entry]) out.push_back(entry);
    return out;
  }

 private:
  std::vector<bool> in_;
  std::size_t left_;
  std::vector<std::uint32_t> added_;
};

// Moves all triangles that fit into one batch out of `units`, in order; a unit may be a vertex,
// three times. A batch only grows, so one that did not fit will not fit later, and one pass is
// enough.
std::vector<Triangle> takeBatch(std::vector<Triangle>& units, const VertexEntries& vertexEntries,
                                std::uint32_t capacity, EntrySet& entries);

// The palette entries, ascending, of batches that hold the triangles of every form and material: a
// triangle is of the first batch that has all of its entries. For engines that split the mesh
// themselves; none where one batch has them all. Throws as splitMesh() does.
std::vector<std::vector<std::uint32_t>> entryBatches(const Rig& rig, const Binding& binding,
                                                     std::uint32_t entryCapacity);

} // namespace sinew
