#include "commands/output.h"

#include "core/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace sinew {

std::string toString(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw usageError("standard output cannot be written");
}

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
