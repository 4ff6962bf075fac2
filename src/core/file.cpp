#include "core/file.h"

#include "core/error.h"
#include "process/unfinished.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

struct OpenFile {
  int fd = -1;
  OpenFile(const fs::path& path, int flags, mode_t mode = 0666)
      : fd(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

Error unreadable(const fs::path& path, int problem) {
  if (problem == ENOENT || problem == ENOTDIR) return inputError(path.string(), "no such file");
  if (problem == EISDIR) return inputError(path.string(), "is a folder, not a file");
  return inputError(path.string(), fmt::format("cannot be read ({})", std::strerror(problem)));
}

Error unwritable(const fs::path& path, int problem) {
  return usageError(
      fmt::format("{}: cannot be written ({})", path.string(), std::strerror(problem)));
}

// 0, or what went wrong.
int writeTo(const fs::path& path, int flags, std::string_view bytes, mode_t mode = 0666) {
  OpenFile out(path, flags, mode);
  if (out.fd < 0) return errno;
  while (!bytes.empty()) {
    const ssize_t written = ::write(out.fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? ENOSPC : errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::close(std::exchange(out.fd, -1)) == 0 ? 0
                                                 : errno; // NFS may report a full disk only here
}

// Owner and mode of a file that is replaced.
struct Replaced {
  bool exists = false;
  mode_t mode = 0;
  uid_t owner = 0;
  gid_t group = 0;
};

// Throws usageError for a file that its owner has protected.
Replaced replacedBy(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  constexpr mode_t kWritable = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((found.st_mode & kWritable) == 0 || ::access(path.c_str(), W_OK) != 0)
    throw usageError(fmt::format("{}: is write-protected", path.string()),
                     "make it writable (chmod u+w) or choose another name");
  return {true, found.st_mode & 07777, found.st_uid, found.st_gid};
}

// 0, or an errno: one who may write to a file may still not give a file to its owner.
int copyOwnerAndMode(const Replaced& from, const fs::path& to) {
  struct stat made {};
  if (::stat(to.c_str(), &made) != 0) return errno;
  if ((made.st_uid != from.owner || made.st_gid != from.group) &&
      ::chown(to.c_str(), from.owner, from.group) != 0)
    return errno;
  return ::chmod(to.c_str(), from.mode) == 0 ? 0 : errno;
}

// Behind a link: the file is replaced, not the link.
fs::path behindLinks(fs::path path) {
  constexpr int kMaxLinks = 40; // the most that the system follows
  std::error_code error;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path;
}

// A device or pipe: nothing else can take its place.
bool isWrittenInPlace(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

} // namespace

std::string readFile(const fs::path& path, std::uint64_t maxBytes) {
  const auto tooLong = [&] {
    return Error(ErrorCause::limit, fmt::format("{}: is longer than {} bytes, the limit for it",
                                                path.string(), maxBytes));
  };
  const OpenFile in(path, O_RDONLY);
  if (in.fd < 0) throw unreadable(path, errno);
  std::string bytes;
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(path, error); !error) {
    if (size > maxBytes) throw tooLong();
    bytes.reserve(static_cast<std::size_t>(size) + 1);
  }
  std::vector<char> chunk(kChunk);
  while (true) {
    const ssize_t count = ::read(in.fd, chunk.data(), chunk.size());
    if (count == 0) return bytes;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable(path, errno);
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
    if (bytes.size() > maxBytes) throw tooLong();
  }
}

void writeFile(const fs::path& path, std::string_view bytes, FileAccess access) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    throw usageError(
        fmt::format("{}: the folder {} does not exist", path.string(), folder.string()),
        "create it or choose another place");
  if (isWrittenInPlace(path)) {
    if (const int problem = writeTo(path, O_WRONLY, bytes); problem != 0)
      throw unwritable(path, problem);
    return;
  }
  const fs::path target = behindLinks(path);
  const Replaced replaced = replacedBy(target);
  fs::path temporary = target;
  temporary += fmt::format(".part{}", ::getpid());
  Unfinished part(temporary);
  const mode_t mode = access == FileAccess::owner ? 0600 : 0666;
  if (const int problem = writeTo(temporary, O_WRONLY | O_CREAT | O_TRUNC, bytes, mode);
      problem != 0)
    throw unwritable(path, problem);
  if (replaced.exists && access == FileAccess::usual)
    if (const int problem = copyOwnerAndMode(replaced, temporary); problem != 0)
      throw usageError(fmt::format("{}: its owner and mode cannot be kept ({})", path.string(),
                                   std::strerror(problem)),
                       "choose another name");
  if (::rename(temporary.c_str(), target.c_str()) != 0) throw unwritable(path, errno);
  part.keep();
}

std::string getExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

std::filesystem::path userFolder(const char* variable, const char* below) {
  // A relative path there is to be ignored.
  if (const char* xdg = std::getenv(variable); xdg != nullptr && xdg[0] == '/')
    return std::filesystem::path(xdg) / "sinew";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') {
    const passwd* user = ::getpwuid(::getuid());
    home = user != nullptr ? user->pw_dir : "/";
  }
  return std::filesystem::path(home) / below / "sinew";
}

} // namespace sinew
