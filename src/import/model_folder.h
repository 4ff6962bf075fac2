// The files that the import of a model may open: regular files in the model's own folder or below.
//
// A model file names other files (buffers, images, material libraries, animations), and these
// names are untrusted: the contents of the files end up in the output. Refused are names that lead
// out of the folder (relative, absolute or by a symbolic link), hidden files and folders (a model
// in a home folder has private keys below it), and anything but regular files (a pipe would block).
// Nothing outside the folder is accessed, so a reply cannot reveal what is there.
#pragma once

#include "import/import_model.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

class ModelFolder {
 public:
  // model: a path to a file, which may itself be a link. Files longer than maxFileBytes are
  // refused. Throws inputError where the folder cannot be read.
  ModelFolder(const std::filesystem::path& model, std::uint64_t maxFileBytes, FetchFile fetch = {});

  enum class Kind { missing, refused, file, folder };
  struct Entry {
    Kind kind = Kind::missing;
    std::filesystem::path inside; // below the folder, free of links; for files and folders alone
  };
  // named: relative to the folder, or absolute.
  Entry find(const std::filesystem::path& named) const;
  // Where it is missing, ImportOptions::fetch is asked for it first.
  Entry findOrFetch(const std::filesystem::path& named) const;
  bool fetches() const { return fetch_ != nullptr; }

  // What is inside the folder, as seen from the current folder.
  std::filesystem::path toPath(const std::filesystem::path& inside) const { return path_ / inside; }
  const std::filesystem::path& absolute() const { return absolute_; }
  // A name for messages: without the folder in front.
  std::string toInsideName(const std::filesystem::path& named) const;

  // For messages: "'../skin.png' is not opened (only ...)" is "'../skin.png' " and this.
  static constexpr const char* kRefusal =
      "is not opened (only regular files in the model's folder and below are)";

 private:
  std::optional<std::filesystem::path> below(const std::filesystem::path& named) const;

  std::filesystem::path path_;
  std::filesystem::path absolute_; // without links
  std::uint64_t maxFileBytes_;
  FetchFile fetch_;
};

// Whether ImportOptions::fetch may be asked for it: a plain relative name of a file that is neither
// hidden nor out of the folder, without control characters, and not endless.
bool isFetchable(std::string_view name);

// A name in a URI, "a%20b" as "a b". What is no escape stays.
std::string decodePercent(std::string_view text);

} // namespace sinew
