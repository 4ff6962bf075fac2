// Where a texture lies that a model file names in its own, often foreign way.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Looks for the named file as it stands, then by its bare name beside the model and in the folders
// artists use, names compared without case; then for the same name with another image extension.
// Back slashes and drive letters are understood.
class TextureFinder {
 public:
  explicit TextureFinder(std::filesystem::path model);

  struct Found {
    std::filesystem::path path;
    bool otherExtension = false;
  };
  std::optional<Found> find(const std::string& name);

  // Images lying beside the model, for the message when nothing is found.
  std::vector<std::string> imagesBeside();

 private:
  using Listing = std::map<std::string, std::filesystem::path>; // lower-case name to entry
  const Listing& list(const std::filesystem::path& folder);
  std::optional<std::filesystem::path> entry(const std::filesystem::path& folder,
                                             const std::string& name);
  std::optional<std::filesystem::path> resolve(std::filesystem::path folder,
                                               const std::filesystem::path& relative);
  std::vector<std::filesystem::path> folders();

  std::filesystem::path model_;
  std::map<std::filesystem::path, Listing> listings_;
};

} // namespace sinew
