#include "tools/figures/elbow_picture.h"

#include "demo/models.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/scene.h"

namespace sinew {

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
