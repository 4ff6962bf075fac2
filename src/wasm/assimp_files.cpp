// Assimp's files: those that the module was given, read where they lie.
#include "wasm/given_files.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/StringComparison.h>

#include <string_view>

namespace Assimp {

bool DefaultIOSystem::Exists(const char* path) const {
  return sinew::givenFiles().contains(sinew::givenName(path));
}

char DefaultIOSystem::getOsSeparator() const {
  return '/';
}

IOStream* DefaultIOSystem::Open(const char* path, const char* mode) {
  const auto found = sinew::givenFiles().find(sinew::givenName(path));
  if (found == sinew::givenFiles().end() || std::string_view(mode).starts_with('w')) return nullptr;
  const std::string& bytes = found->second;
  return new MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void DefaultIOSystem::Close(IOStream* file) {
  delete file;
}

bool IOSystem::ComparePaths(const char* one, const char* other) const {
  return ASSIMP_stricmp(one, other) == 0;
}

bool DefaultIOSystem::ComparePaths(const char* one, const char* other) const {
  return ASSIMP_stricmp(sinew::givenName(one), sinew::givenName(other)) == 0;
}

std::string DefaultIOSystem::fileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string DefaultIOSystem::completeBaseName(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::string DefaultIOSystem::absolutePath(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

} // namespace Assimp
