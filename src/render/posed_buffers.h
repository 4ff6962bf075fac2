// Posed vertices: those that the CPU writes in mapped buffers that take turns, so that none is
// written while a draw still reads it; those that the GPU writes, in its own order, in one. None is
// allocated again for a frame.
#pragma once

#include "gl/buffer.h"
#include "skinning/posed_arrays.h"

#include <array>
#include <cstddef>

namespace sinew {

class PosedBuffers {
 public:
  // Room for so many vertices, mapped until unmap(). Throws graphicsError where the driver maps
  // nothing.
  PosedArrays map(std::size_t vertices, bool tangents);
  // Throws graphicsError where the driver has lost what was written.
  void unmap();

  // Room for so many vertices that the GPU writes.
  void reserve(std::size_t vertices, bool tangents);

  // The buffer written last or to be written, and where in it are the attributes of its first
  // vertex.
  const Buffer& buffer() const { return buffers_[shown_].buffer; }
  std::size_t normalsAt() const { return normalsAt_; }
  std::size_t tangentsAt() const { return tangentsAt_; }

 private:
  std::size_t layOut(std::size_t vertices, bool tangents);

  struct Slot {
    Buffer buffer;
    Fence read; // all draws from it are before this
  };
  std::array<Slot, 3> buffers_;
  std::size_t shown_ = 0;
  std::size_t normalsAt_ = 0, tangentsAt_ = 0;
};

} // namespace sinew
