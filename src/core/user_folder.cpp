#include "core/user_folder.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace sinew {

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
