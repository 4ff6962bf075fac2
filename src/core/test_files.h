// For tests: folders of the checkout.
#pragma once

#include "core/file.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sinew::test {

// The checkout's top folder (test_main.cpp).
std::filesystem::path sourceFolder();

// Third-party models beside the checkout; tests skip missing ones.
inline std::filesystem::path sharedModels() {
  return sourceFolder() / ".." / "shared" / "models";
}

// A fresh folder, removed with all that is in it.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinew-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    writeFile(path / name, content);
    return path / name;
  }

  std::filesystem::path path;
};

} // namespace sinew::test
