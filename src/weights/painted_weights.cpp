#include "weights/painted_weights.h"

#include "weights/paint_vertex.h"

#include <algorithm>
#include <cassert>

namespace sinew {

PaintedWeights::PaintedWeights(const Influences& influences)
    : vertexCount_(influences.vertexCount()) {
  for (std::size_t first = 0; first < vertexCount_; first += kBlockVertices) {
    auto block = std::make_shared<Influences>();
    for (std::size_t v = first; v < std::min(first + kBlockVertices, vertexCount_); ++v)
      block->append(influences.of(v));
    blocks_.push_back(std::move(block));
  }
}

void PaintedWeights::replace(std::span<const std::uint32_t> vertices, const Influences& fresh) {
  assert(vertices.size() == fresh.vertexCount());
  for (std::size_t i = 0; i < vertices.size();) {
    const std::size_t at = vertices[i] / kBlockVertices;
    const Influences& old = *blocks_[at];
    auto block = std::make_shared<Influences>();
    block->values.reserve(old.values.size() + 16);
    for (std::size_t v = 0; v < old.vertexCount(); ++v) {
      const bool replaced = i < vertices.size() && vertices[i] == at * kBlockVertices + v;
      block->append(replaced ? fresh.of(i) : old.of(v));
      i += replaced ? 1 : 0;
    }
    blocks_[at] = std::move(block);
  }
}

Influences PaintedWeights::joined() const {
  Influences out;
  out.offsets.reserve(vertexCount_ + 1);
  std::size_t count = 0;
  for (const auto& block : blocks_)
    count += block->values.size();
  out.values.reserve(count);
  for (const auto& block : blocks_) {
    const auto first = static_cast<std::uint32_t>(out.values.size());
    out.values.insert(out.values.end(), block->values.begin(), block->values.end());
    for (std::size_t v = 1; v < block->offsets.size(); ++v)
      out.offsets.push_back(first + block->offsets[v]);
  }
  return out;
}

std::vector<std::uint32_t> PaintedWeights::changedFrom(const PaintedWeights& other) const {
  assert(vertexCount_ == other.vertexCount_);
  std::vector<std::uint32_t> changed;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b] == other.blocks_[b]) continue;
    for (std::size_t v = 0; v < blocks_[b]->vertexCount(); ++v)
      if (!sameInfluences(blocks_[b]->of(v), other.blocks_[b]->of(v)))
        changed.push_back(static_cast<std::uint32_t>(b * kBlockVertices + v));
  }
  return changed;
}

} // namespace sinew
