#include "view/skin_on.h"

#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> kSkinOnNames{"vertex-shader", "cpu", "compute", "auto"};

} // namespace

std::span<const std::string_view> skinOnNames() {
  return kSkinOnNames;
}

std::string_view toString(SkinOn skinOn) {
  return kSkinOnNames.at(static_cast<std::size_t>(skinOn));
}

} // namespace sinew
