// A place in the stream of commands, to wait for.
#pragma once

#include "gl/handle.h"

namespace sinew {

class Fence {
 public:
  Fence() = default; // nothing to wait for
  static Fence here();
  ~Fence();
  Fence(Fence&& other) noexcept;
  Fence& operator=(Fence&& other) noexcept;
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  // Returns when the GPU has done all before it.
  void wait();

 private:
  GLsync sync_ = nullptr;
};

} // namespace sinew
