#include "import/folder_io.h"

namespace sinew {

FolderIo::FolderIo(const std::filesystem::path& model, const ImportOptions& options)
    : model_(model), folder_(model, options.maxFileBytes, options.fetch) {}

// The model itself was named by the user: wherever its link leads, whatever it is called.
ModelFolder::Entry FolderIo::find(const std::filesystem::path& path) const {
  if (path == assimpPath()) return {ModelFolder::Kind::file, model_.filename()};
  return folder_.findOrFetch(path);
}

bool FolderIo::Exists(const char* path) const {
  return find(path).kind == ModelFolder::Kind::file;
}

Assimp::IOStream* FolderIo::Open(const char* path, const char* mode) {
  if (mode == nullptr || mode[0] != 'r' || std::string_view(mode).find('+') != std::string::npos)
    return nullptr;
  const ModelFolder::Entry entry = find(path);
  if (entry.kind == ModelFolder::Kind::refused) refused_.insert(folder_.toInsideName(path));
  if (entry.kind != ModelFolder::Kind::file) return nullptr;
  return DefaultIOSystem::Open(folder_.toPath(entry.inside).c_str(), mode);
}

} // namespace sinew
