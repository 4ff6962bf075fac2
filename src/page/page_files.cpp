#include "page/page_files.h"

#include <algorithm>
#include <cassert>

namespace sinew {

std::string_view pageFile(std::string_view path) {
  const auto found = std::ranges::find(pageFiles(), path, &PageFile::path);
  assert(found != pageFiles().end());
  return found->text;
}

} // namespace sinew
