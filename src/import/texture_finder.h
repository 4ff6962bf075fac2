// Finds a texture by the name that a model file has for it, often a path of another machine.
#pragma once

#include "import/model_folder.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sinew {

// Looks for the named file at the path given, then by its bare name beside the model and in the
// folders artists use, names compared without case; then for the same name with another image
// extension. ImportOptions::fetch is asked for the path, then for the bare name. Back slashes and
// drive letters are understood. Never leaves the model's folder (ModelFolder).
class TextureFinder {
 public:
  TextureFinder(const std::filesystem::path& model, std::uint64_t maxFileBytes,
                FetchFile fetch = {});

  struct Found {
    ModelFolder::Kind kind = ModelFolder::Kind::missing; // file, missing or refused
    std::filesystem::path path;                          // set if it is a file
    bool otherExtension = false;
  };
  Found find(const std::string& name);

  // Images lying beside the model, for the message when nothing is found.
  std::vector<std::string> imagesBeside();

 private:
  using Listing = std::map<std::string, std::filesystem::path>; // lower-case name to name
  // Folders are paths inside folder_.
  const Listing& list(const std::filesystem::path& folder);
  ModelFolder::Entry resolve(std::filesystem::path folder, const std::filesystem::path& relative);
  const std::vector<std::filesystem::path>& searched();

  std::string stem_;
  ModelFolder folder_;
  std::map<std::filesystem::path, Listing> listings_;
  std::vector<std::filesystem::path> searched_;
};

} // namespace sinew
