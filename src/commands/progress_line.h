// A line on a terminal that shows how far a command is.
#pragma once

#include "core/progress.h"

namespace sinew {

// "34 %  weights" on stderr, rewritten in place; erased at its end. Nothing where stderr is no
// terminal or `quiet` is true.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  Progress report(); // valid while the line is there

 private:
  bool shown_;
  int percent_ = -1;
};

} // namespace sinew
