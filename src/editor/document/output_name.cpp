#include "editor/document/output_name.h"

#include <fmt/format.h>

#include <cctype>
#include <system_error>
#include <unistd.h>

namespace sinew {

std::filesystem::path outputFolder(const std::string& model) {
  std::error_code ignored;
  if (!model.empty() && !model.starts_with("demo:")) {
    auto beside = std::filesystem::absolute(model, ignored).parent_path();
    if (::access(beside.c_str(), W_OK) == 0) return beside;
  }
  return std::filesystem::current_path(ignored);
}

std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension) {
  std::error_code error;
  for (int number = 1;; ++number) {
    std::filesystem::path path = folder / fmt::format("{}-{:03}{}", stem, number, extension);
    if (!std::filesystem::exists(path, error)) return path;
  }
}

std::string makeStem(const Model& model) {
  std::string stem = "sinew-" + (model.name.empty() ? "view" : model.name);
  for (char& c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  return stem;
}

} // namespace sinew
