#include "core/file.h"

#include "core/error.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace sinew {
namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw inputError(path.string(), "no such file");
  if (fs::is_directory(path, error)) throw inputError(path.string(), "is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw inputError(path.string(), fmt::format("cannot be read ({})", std::strerror(errno)));
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw inputError(path.string(), "reading failed half way");
  return bytes;
}

void writeFile(const fs::path& path, std::string_view bytes) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (std::error_code error; !fs::is_directory(folder, error))
    throw usageError(
        fmt::format("{}: the folder {} does not exist", path.string(), folder.string()),
        "create it or choose another place");
  fs::path temporary = path;
  temporary += fmt::format(".part{}", ::getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, path, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw usageError(fmt::format("{}: cannot be written ({})", path.string(),
                                 error ? error.message() : std::strerror(errno)));
  }
}

std::string extensionOf(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

} // namespace sinew
