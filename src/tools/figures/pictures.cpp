#include "tools/figures/pictures.h"

#include "animation/pose.h"
#include "app/vertex_colors.h"
#include "demo/models.h"
#include "gl/context.h"
#include "report/sheet.h"
#include "tools/figures/bones_blending/zone_binding.h"
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

Image elbowPicture(const Method& method, int width, int height) {
  const Model arm = makeArm();
  return shoot(poseBy(arm, {method.name}, elbowPose(arm, 100.0f, 140.0f)),
               {.width = width,
                .height = height,
                .pitch = 12.0f,
                .frame = around(vec3(0.33f, 0.05f, 0.0f), 0.12f),
                .textures = false});
}

} // namespace sinew
