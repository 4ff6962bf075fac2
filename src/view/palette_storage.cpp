#include "view/palette_storage.h"

#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> kNames{"auto", "uniform-array", "block", "texture",
                                                 "storage-buffer"};

} // namespace

std::span<const std::string_view> paletteStorageNames() {
  return kNames;
}

std::string_view toString(PaletteStorage storage) {
  return kNames.at(static_cast<std::size_t>(storage));
}

bool holdsCrowd(PaletteStorage storage) {
  return storage != PaletteStorage::uniformArray && storage != PaletteStorage::block;
}

} // namespace sinew
