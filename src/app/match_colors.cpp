#include "app/match_colors.h"

namespace sinew {
namespace {

// Blue, orange and vermilion of a palette that colour-blind readers tell apart (Okabe and Ito).
vec3 matchColor(TransferOrigin origin) {
  switch (origin) {
  case TransferOrigin::matched:
    return vec3(0.34f, 0.60f, 0.80f);
  case TransferOrigin::inpainted:
    return vec3(0.95f, 0.66f, 0.05f);
  case TransferOrigin::nearest:
    break;
  }
  return vec3(0.75f, 0.15f, 0.05f);
}

} // namespace

std::vector<vec3> matchColors(std::span<const TransferOrigin> origins, std::size_t before) {
  std::vector<vec3> out(before, vec3(0.6f));
  for (const TransferOrigin origin : origins)
    out.push_back(matchColor(origin));
  return out;
}

} // namespace sinew
