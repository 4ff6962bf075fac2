// Errors that come from outside (files, options, graphics), and the exit code each means.
//
// A message is one line: which file or option, what is wrong there, and the remedy where there is
// one. main() prints it and returns its exit code; the viewer shows it and keeps its model.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace sinew {

// The exit codes of the command line. A contract: never renumber.
enum class ExitCode : int {
  done = 0,
  checkFailed = 1, // a check the user asked for failed (--reference, --max-...)
  usage = 2,       // unknown option, bad value
  input = 3,       // the input file is at fault
  limit = 4,       // a time or memory limit was hit while reading it
  graphics = 5,    // no usable graphics
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// "path: what; remedy". Empty remedy leaves it out.
Error inputError(std::string_view path, std::string_view what, std::string_view remedy = {});
Error usageError(std::string_view what, std::string_view remedy = {});
Error graphicsError(std::string_view what, std::string_view remedy = {});

// "name: no such KIND; one of a, b, c": for every choice by name.
template <class Names>
Error unknownName(std::string_view kind, std::string_view name, const Names& known) {
  std::string list;
  for (const auto& each : known)
    list += (list.empty() ? "" : ", ") + std::string(each);
  return usageError("unknown " + std::string(kind) + " '" + std::string(name) + "'",
                    "one of " + list);
}

} // namespace sinew
