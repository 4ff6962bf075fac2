// Another program, or this one again with other words, in a process of its own: what it does can
// neither end the window nor touch its graphics.
#pragma once

#include "core/progress.h"
#include "process/unfinished.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// The file of the running program.
std::string ownProgram();

// words: the program and its arguments, without a shell. Returns what it has written to its
// standard output. Throws Cancelled, and ends the process, when progress says so; inputError with
// the last line of its standard error where it fails, or that it cannot be started.
std::string runProgram(const std::vector<std::string>& words, const Progress& progress);

// A folder for files that are for one run, removed with all in it at the end.
class ScratchFolder {
 public:
  ScratchFolder(); // throws usageError where no temporary files can be written
  const std::filesystem::path& path() const { return folder_->path(); }

 private:
  std::optional<UnfinishedFolder> folder_;
};

} // namespace sinew
