#include "view/draw_choices.h"

#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> kSkinOnNames{"vertex-shader", "cpu", "compute", "auto"};
constexpr std::array<std::string_view, 5> kPaletteStorageNames{"auto", "uniform-array", "block",
                                                               "texture", "storage-buffer"};

} // namespace

std::span<const std::string_view> skinOnNames() {
  return kSkinOnNames;
}

std::string_view toString(SkinOn skinOn) {
  return kSkinOnNames.at(static_cast<std::size_t>(skinOn));
}

std::span<const std::string_view> paletteStorageNames() {
  return kPaletteStorageNames;
}

std::string_view toString(PaletteStorage storage) {
  return kPaletteStorageNames.at(static_cast<std::size_t>(storage));
}

bool holdsCrowd(PaletteStorage storage) {
  return storage != PaletteStorage::uniformArray && storage != PaletteStorage::block;
}

} // namespace sinew
