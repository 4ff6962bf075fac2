#include "tools/figures/match_picture.h"

#include "animation/pose.h"
#include "app/vertex_colors.h"
#include "gl/context.h"
#include "report/sheet.h"
#include "tools/figures/scene.h"

#include <array>
#include <string>

namespace sinew {

Image pictureOfMatches(const Model& meshes, std::span<const TransferOrigin> origins) {
  const HeadlessContext context;
  const Workbench workbench = poseBy(meshes, {"lbs"}, bindPose(meshes));
  Shot shot{.width = 640, .height = 720};
  shot.colors = matchColors(origins);
  std::array<Tile, 2> tiles;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    shot.yaw = 20.0f + 180.0f * static_cast<float>(i);
    tiles[i] = {shoot(workbench, shot), i == 0 ? kMatchLegend : ""};
  }
  return layOut(tiles, 2);
}

} // namespace sinew
