// What a command prints: text on stdout, and on a terminal how far it is.
#pragma once

#include "core/progress.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sinew {

// JSON as text, indented. Names in files may be in any encoding: bytes that are not UTF-8 become
// replacement characters.
std::string toString(const nlohmann::ordered_json& json);

// Prints text on stdout and makes sure it arrived: a full disk or closed pipe is an error.
void print(const std::string& text);

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
