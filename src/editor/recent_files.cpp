#include "editor/recent_files.h"

#include <algorithm>
#include <system_error>

namespace sinew {

void addRecent(std::vector<std::string>& recent, const std::string& file) {
  std::string name = file;
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    if (!error) name = path.string();
  }
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kRecentFiles) recent.resize(kRecentFiles);
}

} // namespace sinew
