#include "figures/match_picture.h"

#include "animation/pose.h"
#include "figures/scene.h"
#include "gl/context.h"
#include "report/sheet.h"

#include <array>
#include <string>

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

Image pictureOfMatches(const Model& meshes, std::span<const TransferOrigin> origins) {
  const HeadlessContext context;
  const Workbench bench = poseBy(meshes, {"lbs"}, bindPose(meshes));
  Shot shot{.width = 640, .height = 720};
  for (const TransferOrigin origin : origins)
    shot.colors.push_back(matchColor(origin));
  std::array<Tile, 2> tiles;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    shot.yaw = 20.0f + 180.0f * static_cast<float>(i);
    tiles[i] = {shoot(bench, shot),
                i == 0 ? "blue: matched, orange: inpainted, red: no match" : ""};
  }
  return layOut(tiles, 2);
}

} // namespace sinew
