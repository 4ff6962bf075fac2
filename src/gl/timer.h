// GPU time of a stretch of commands (GL_TIME_ELAPSED), read some frames later so that nothing
// waits.
#pragma once

#include "gl/handle.h"

#include <array>
#include <cstddef>
#include <optional>

namespace sinew {

struct QueryKind {
  static GLuint create();
  static void destroy(GLuint name);
};

// One begin/end a frame. Timers do not nest: only one may be between begin and end.
class GpuTimer {
 public:
  GpuTimer();
  void begin();
  void end();
  // Milliseconds of the oldest measurement not yet returned, if the GPU has finished it.
  std::optional<double> poll();
  // Waits for the result; nothing if there is none.
  std::optional<double> wait();

 private:
  std::optional<double> take(bool block);

  static constexpr std::size_t kRing = 8;
  std::array<Handle<QueryKind>, kRing> queries_;
  std::size_t begun_ = 0; // measurements started and returned, ever
  std::size_t returned_ = 0;
};

} // namespace sinew
