// The files of assets/page/, embedded in the binary at build time.
#pragma once

#include <span>
#include <string_view>

namespace sinew {

struct PageFile {
  std::string_view path; // below assets/page/
  std::string_view text;
};

std::span<const PageFile> pageFiles();

std::string_view pageFile(std::string_view path); // one of them

} // namespace sinew
