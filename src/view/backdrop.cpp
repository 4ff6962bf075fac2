#include "view/backdrop.h"

#include "view/overlay.h"
#include "view/view.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <array>
#include <cmath>

namespace sinew {
namespace {

// Grey that serves white and black models.
constexpr vec3 kStudioMiddle{0.52f, 0.53f, 0.55f};
constexpr vec3 kStudioRim{0.30f, 0.31f, 0.33f};

// x and y: from -1 to 1 over the picture, up.
glm::u8vec4 studioColor(float x, float y) {
  const float away2 = x * x + (y - 0.15f) * (y - 0.15f);
  const vec3 color = glm::mix(kStudioRim, kStudioMiddle, std::exp(-0.9f * away2));
  return {glm::u8vec3(255.0f * color + 0.5f), 255};
}

} // namespace

vec3 getColor(const Backdrop& background) {
  switch (background.kind) {
  case BackdropKind::dark:
    return Backdrop().color;
  case BackdropKind::light:
    return {0.86f, 0.875f, 0.895f};
  case BackdropKind::studio:
    return kStudioMiddle;
  case BackdropKind::color:
    break;
  }
  return background.color;
}

void addStudio(Overlay& overlay, const View& view) {
  const mat4 worldFromClip = glm::inverse(clipFromWorld(view));
  constexpr int kPieces = 16;     // per side: straight ones pass for the curve
  constexpr float kReach = 1.01f; // a little over the rim, which rounding may move
  const auto at = [&](int i, int k) {
    const vec2 place = kReach * (2.0f * vec2(i, k) / static_cast<float>(kPieces) - 1.0f);
    const vec4 world = worldFromClip * vec4(place, 0.0f, 1.0f);
    return OverlayVertex{vec3(world) / world.w, studioColor(place.x, place.y)};
  };
  for (int i = 0; i < kPieces; ++i)
    for (int k = 0; k < kPieces; ++k) {
      const std::array corners{at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)};
      for (const std::size_t c : {0u, 1u, 2u, 0u, 2u, 3u})
        overlay.triangles.push_back(corners[c]);
    }
}

} // namespace sinew
