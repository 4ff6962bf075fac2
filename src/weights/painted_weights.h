// The weights of all vertices as a value for undo and redo: cheap to copy and to compare. They are
// stored in blocks of neighbouring vertices; copies share unchanged blocks, so a step of a history
// holds only the blocks that a stroke has changed.
#pragma once

#include "model/mesh.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

class PaintedWeights {
 public:
  static constexpr std::size_t kBlockVertices = 256;

  PaintedWeights() = default; // without vertices
  explicit PaintedWeights(const Influences& influences);

  bool empty() const { return blocks_.empty(); }
  std::size_t vertexCount() const { return vertexCount_; }
  std::span<const Influence> of(std::size_t vertex) const {
    return blocks_[vertex / kBlockVertices]->of(vertex % kBlockVertices);
  }

  // Gives vertices[i] the influences fresh.of(i). vertices: ascending, without duplicates.
  void replace(std::span<const std::uint32_t> vertices, const Influences& fresh);

  Influences joined() const;

  // The vertices whose influences differ in any bit, ascending. Both of the same vertices.
  std::vector<std::uint32_t> changedFrom(const PaintedWeights& other) const;

  // Whether the blocks are identical objects: true after an undo, false after equal strokes.
  bool operator==(const PaintedWeights&) const = default;

 private:
  std::vector<std::shared_ptr<const Influences>> blocks_;
  std::size_t vertexCount_ = 0;
};

} // namespace sinew
