// Errors that come from outside (files, options, graphics), and what each is caused by.
//
// A message is one line: which file or option, what is wrong there, and the remedy where there is
// one. The command line prints it and maps the cause to an exit code; the viewer shows it and keeps
// its model.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class ErrorCause {
  usage,    // unknown option, bad value
  input,    // the input file is at fault
  limit,    // a time or memory limit was hit while reading it
  graphics, // no usable graphics
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCause cause, const std::string& message)
      : std::runtime_error(message), cause_(cause) {}
  ErrorCause cause() const { return cause_; }

 private:
  ErrorCause cause_;
};

// "path: what; remedy". Empty remedy leaves it out.
Error inputError(std::string_view path, std::string_view what, std::string_view remedy = {});
Error usageError(std::string_view what, std::string_view remedy = {});
Error graphicsError(std::string_view what, std::string_view remedy = {});

// "unknown KIND 'name'; did you mean 'b'? one of a, b, c": for every choice by name.
Error makeUnknownName(std::string_view kind, std::string_view name,
                      std::span<const std::string> known);
template <class Names>
Error unknownName(std::string_view kind, std::string_view name, const Names& known) {
  return makeUnknownName(kind, name, std::vector<std::string>(known.begin(), known.end()));
}

} // namespace sinew
