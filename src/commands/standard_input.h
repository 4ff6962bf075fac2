// A model from standard input: "-" in the place of a file's name.
#pragma once

#include "process/unfinished.h"

#include <filesystem>
#include <optional>

namespace sinew {

// All of standard input in a temporary file that is named by its content, removed at the end.
// Throws inputError where it is empty or of no known format, Error with ErrorCause::limit beyond 4
// GB.
class StandardInput {
 public:
  StandardInput();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<UnfinishedFolder> folder_;
  std::filesystem::path path_;
};

} // namespace sinew
