// The exit codes of the program, documented in docs/cli.md: never renumber them.
#pragma once

#include "core/error.h"

namespace sinew {

enum class ExitCode : int {
  done = 0,
  checkFailed = 1, // a check the user asked for failed (--reference, --max-...)
  usage = 2,       // unknown option, bad value
  input = 3,       // the input file is at fault
  limit = 4,       // a time or memory limit was hit while reading it
  graphics = 5,    // no usable graphics
};

constexpr ExitCode toExitCode(ErrorCause cause) {
  switch (cause) {
  case ErrorCause::usage:
    return ExitCode::usage;
  case ErrorCause::input:
    return ExitCode::input;
  case ErrorCause::limit:
    return ExitCode::limit;
  case ErrorCause::graphics:
    return ExitCode::graphics;
  }
  return ExitCode::usage;
}

} // namespace sinew
