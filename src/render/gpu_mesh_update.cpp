// A few vertices of a GpuMesh anew: what painting needs between two frames.

#include "render/gpu_mesh.h"
#include "render/vertex_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sinew {
namespace {

// The attribute's value of a vertex as a batch holds it; false where the batch lacks an item.
bool localValue(const Attribute& attribute, std::size_t vertex, const MeshBatch& batch,
                Attribute& out) {
  out.data.clear();
  glm::uvec4 items = readUint(attribute, vertex);
  for (int c = 0; c < 4; ++c) {
    const auto found = std::lower_bound(batch.items.begin(), batch.items.end(), items[c]);
    if (found == batch.items.end() || *found != items[c]) return false;
    items[c] = static_cast<std::uint32_t>(found - batch.items.begin());
  }
  append(out, items);
  return true;
}

} // namespace

void GpuMesh::keepVertices() {
  if (!bytes_.empty()) return;
  bytes_.resize(vertexBuffer_.size());
  readBuffer(vertexBuffer_, bytes_);
  drawnOffsets_.assign(rigVertexCount_ + 1, 0);
  for (const std::uint32_t vertex : layout_.sourceVertex)
    ++drawnOffsets_[vertex + 1];
  for (std::size_t v = 0; v < rigVertexCount_; ++v)
    drawnOffsets_[v + 1] += drawnOffsets_[v];
  drawn_.resize(layout_.sourceVertex.size());
  std::vector<std::uint32_t> next(drawnOffsets_.begin(), drawnOffsets_.end() - 1);
  for (std::uint32_t i = 0; i < layout_.sourceVertex.size(); ++i)
    drawn_[next[layout_.sourceVertex[i]]++] = i;
}

bool GpuMesh::updateVertices(const Binding& binding, std::span<const std::uint32_t> vertices) {
  if (vertices.empty() || layout_.sourceVertex.empty()) return true;
  keepVertices();
  std::vector<std::byte> fresh = bytes_;
  const std::size_t stride = bytes_.size() / layout_.sourceVertex.size();
  const auto batchOf = [&](std::uint32_t drawn) -> const MeshBatch& {
    const auto after =
        std::ranges::upper_bound(layout_.batches, drawn, {}, &MeshBatch::firstVertex);
    return *std::prev(after);
  };
  std::uint32_t first = ~0u;
  std::uint32_t last = 0;
  for (const Attribute& attribute : binding.attributes) {
    const auto place = std::ranges::find(attributes_, attributeLocation(attribute.name),
                                         &VertexAttribute::location);
    assert(place != attributes_.end());
    const std::size_t size = byteSize(attribute.format);
    Attribute local{attribute.name, attribute.format, true, {}};
    for (const std::uint32_t vertex : vertices)
      for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
        const std::byte* value = attribute.data.data() + vertex * size;
        const MeshBatch& batch = batchOf(drawn_[i]);
        if (attribute.palette && !batch.items.empty()) {
          if (!localValue(attribute, vertex, batch, local)) return false;
          value = local.data.data();
        }
        std::memcpy(fresh.data() + drawn_[i] * stride + place->offset, value, size);
        first = std::min(first, drawn_[i]);
        last = std::max(last, drawn_[i]);
      }
  }
  bytes_ = std::move(fresh);
  if (first <= last)
    vertexBuffer_.update(first * stride,
                         std::span(bytes_).subspan(first * stride, (last + 1 - first) * stride));
  return true;
}

} // namespace sinew
