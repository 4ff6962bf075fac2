// Files and folders that are there only until something is finished: the new content of a file
// before it replaces the old one, pictures of a film. They are removed when the value ends, and
// when a signal ends the program.
#pragma once

#include <filesystem>

namespace sinew {

class Unfinished {
 public:
  // States a file or folder that exists, or will: state it first, then create it.
  explicit Unfinished(const std::filesystem::path& path);
  // Removes the file, or the folder with its content.
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  void keep(); // it is finished, or has another name by now

  struct Entry;

 private:
  friend class UnfinishedFolder;
  explicit Unfinished(Entry* entry);
  Entry* entry_;
};

// A new folder of a name that nothing has, removed with all in it like others that are unfinished.
// A signal comes before there is one or when it is stated, never between.
class UnfinishedFolder {
 public:
  // Path that ends in XXXXXX, for which other letters stand in the folder's name. Throws
  // std::system_error where it cannot be made.
  explicit UnfinishedFolder(const std::filesystem::path& pattern);
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Unfinished unfinished_;
};

// From now on SIGINT, SIGTERM and SIGHUP first remove what is unfinished, then end the program as
// they would have; where one is ignored, it stays so. For main() alone.
void removeUnfinishedAtSignals();

} // namespace sinew
