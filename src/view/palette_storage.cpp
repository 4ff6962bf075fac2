#include "view/palette_storage.h"

#include "core/error.h"

#include <algorithm>
#include <array>
#include <string>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> kNames{"auto", "uniform-array", "block", "texture",
                                                 "storage-buffer"};

} // namespace

std::span<const std::string_view> paletteStorageNames() {
  return kNames;
}

std::string_view nameOf(PaletteStorage storage) {
  return kNames.at(static_cast<std::size_t>(storage));
}

bool holdsCrowd(PaletteStorage storage) {
  return storage != PaletteStorage::uniformArray && storage != PaletteStorage::block;
}

PaletteStorage findPaletteStorage(std::string_view name) {
  std::string dashed(name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  const auto found = std::find(kNames.begin(), kNames.end(), dashed);
  if (found == kNames.end()) throw unknownName("palette storage", name, kNames);
  return static_cast<PaletteStorage>(found - kNames.begin());
}

} // namespace sinew
