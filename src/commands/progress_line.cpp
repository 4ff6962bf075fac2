#include "commands/progress_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace sinew {

ProgressLine::ProgressLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_ && percent_ >= 0) std::fputs("\r\x1b[K", stderr);
}

Progress ProgressLine::report() {
  if (!shown_) return {};
  return [this](float fraction, std::string_view what) {
    const int percent = static_cast<int>(100.0f * fraction);
    if (percent != percent_) {
      percent_ = percent;
      fmt::print(stderr, "\r{:3} %  {}\x1b[K", percent, what);
      std::fflush(stderr);
    }
    return true;
  };
}

} // namespace sinew
