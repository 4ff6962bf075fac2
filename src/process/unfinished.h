// Files and folders that are there only until something is finished: the new content of a file
// before it replaces the old one, pictures of a film. They are removed when the value ends, and
// when a signal ends the program.
#pragma once

#include <filesystem>

namespace sinew {

class Unfinished {
 public:
  // Of a file or folder that is there, or will be: state it first, then create it.
  explicit Unfinished(const std::filesystem::path& path);
  // Removes it, a folder with all that is in it.
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  void keep(); // it is finished, or has another name by now

  struct Entry;

 private:
  Entry* entry_;
};

// From now on SIGINT, SIGTERM and SIGHUP first remove what is unfinished, then end the program as
// they would have; where one is ignored, it stays so. For main() alone.
void removeUnfinishedAtSignals();

} // namespace sinew
