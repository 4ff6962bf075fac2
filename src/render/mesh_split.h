// The draw order of a rig: triangles in batches, each of one form of the binding, one material and,
// where a palette holds too few entries for the whole mesh, of one subset of its entries. Plain
// data, no GL.
#pragma once

#include "rig/rig.h"
#include "skinning/binding.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Triangles drawn together. Indices count from firstVertex. Vertices that no triangle uses stand
// at the end of some batch, so that a capture has them too.
struct MeshBatch {
  // Index into listForms(binding): the cheapest form that serves all its vertices; or a larger one
  // of at most four influences, where that draws fewer vertices twice.
  std::uint32_t form = 0;
  std::uint32_t material = 0;
  std::uint32_t firstVertex = 0;
  std::uint32_t vertexCount = 0;
  std::uint32_t firstIndex = 0;
  std::uint32_t indexCount = 0;
  // Global palette entries in local order; empty where the batch uses the palette as it is.
  std::vector<std::uint32_t> entries;
};

struct MeshSplit {
  std::vector<MeshBatch> batches;          // by ascending form
  std::vector<std::uint32_t> indices;      // local to their batch
  std::vector<std::uint32_t> sourceVertex; // the rig's vertex, for every vertex in draw order
};

inline constexpr std::uint32_t kNoSplit = ~0u;

// Groups the triangles greedily so that no batch needs more than entryCapacity palette entries
// (kNoSplit: one batch per form and material), then orders each batch for the vertex cache and for
// fetching. Throws graphicsError where a single triangle needs more entries than that.
MeshSplit splitMesh(const Rig& rig, const Binding& binding, std::uint32_t entryCapacity);

// The values of an attribute for these batches in draw order; palette entries become local to their
// batch.
Attribute inDrawOrder(const Attribute& attribute, const MeshSplit& split,
                      std::span<const MeshBatch> batches);

} // namespace sinew
