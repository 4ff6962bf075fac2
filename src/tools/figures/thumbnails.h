// Small pictures of the figures, from assets/figures/ (NAME.png), embedded in the binary at build
// time: a list of figures shows them at once. `scripts/pictures figures` draws them.
#pragma once

#include <span>
#include <string_view>

namespace sinew {

struct FigureThumbnail {
  std::string_view path; // NAME.png
  std::string_view png;
};

std::span<const FigureThumbnail> figureThumbnails();

} // namespace sinew
