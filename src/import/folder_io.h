// The files that Assimp opens by itself (buffers, material libraries, animations, skins...): the
// model, and what ModelFolder finds. Nothing is ever written.
#pragma once

#include "import/model_folder.h"

#include <assimp/DefaultIOSystem.h>

#include <set>
#include <string>

namespace sinew {

class FolderIo : public Assimp::DefaultIOSystem {
 public:
  FolderIo(const std::filesystem::path& model, const ImportOptions& options);

  // The model's path for Assimp: absolute and without links in its folder, so that the location of
  // every path that Assimp derives from it is known.
  std::filesystem::path assimpPath() const { return folder_.absolute() / model_.filename(); }

  // What was not opened because ModelFolder refuses it, named as in the model file.
  const std::set<std::string>& refused() const { return refused_; }

  bool Exists(const char* path) const override;
  Assimp::IOStream* Open(const char* path, const char* mode) override;
  bool CreateDirectory(const std::string& /*path*/) override { return false; }
  bool ChangeDirectory(const std::string& /*path*/) override { return false; }
  bool DeleteFile(const std::string& /*file*/) override { return false; }

 private:
  ModelFolder::Entry find(const std::filesystem::path& path) const;

  std::filesystem::path model_;
  ModelFolder folder_;
  std::set<std::string> refused_;
};

} // namespace sinew
