#include "app/settings_view.h"

#include "light/surroundings.h"

#include <glm/trigonometric.hpp>

#include <cmath>

namespace sinew {
Camera makeCamera(const Settings& settings, const Outline& outline, float aspect) {
  Camera camera = frameOutline(outline, aspect, glm::radians(settings.yaw),
                               glm::radians(settings.pitch), settings.projection);
  camera.distance *= settings.distance;
  return camera;
}

View makeView(const Settings& settings, const Camera& camera, const Bounds& bounds,
              const Viewport& viewport) {
  View view;
  view.camera = camera;
  view.viewport = viewport;
  view.scene = bounds;
  view.background = getColor(settings.background);
  view.studio = settings.background.kind == BackdropKind::studio;
  const float yaw = glm::radians(settings.lightYaw);
  const float pitch = glm::radians(settings.lightPitch);
  view.light.direction = {std::cos(pitch) * std::sin(yaw), std::sin(pitch),
                          std::cos(pitch) * std::cos(yaw)};
  view.light.intensity = settings.lightIntensity;
  view.light.headlight = settings.headlight;
  view.light.picture = settings.lightFrom.irradiance;
  if (settings.look == Look::physical)
    view.light.studio =
        settings.lightFrom.irradiance ? fitStudio(*settings.lightFrom.irradiance) : studio();
  view.show.textures = settings.textures;
  view.show.wireframe = settings.wireframe;
  view.show.normals = settings.normals;
  view.show.grid = settings.grid;
  view.show.shadows = settings.shadows && settings.look == Look::physical;
  view.show.field = !settings.weightsJoint.empty() || settings.boneColors;
  view.fieldColors = settings.colormap;
  return view;
}

void makePlain(View& view) {
  view.light.studio.reset();
  view.show.shadows = false;
  view.studio = false;
  view.background = View().background;
}

bool showsTextures(const Settings& settings) {
  if (!settings.textures) return false;
  return settings.difference || (settings.weightsJoint.empty() && !settings.boneColors);
}

float differenceScale(const Workbench& workbench, const Settings& settings) {
  if (settings.differenceScale > 0.0f) return 0.01f * settings.differenceScale;
  return scaleEndFor(workbench.largestDifference);
}

std::vector<vec3> fieldColors(const Settings& settings) {
  constexpr int kSteps = 16;
  std::vector<vec3> colors;
  for (int i = 0; i <= kSteps; ++i)
    colors.push_back(fieldColor(settings.colormap, static_cast<float>(i) / kSteps));
  return colors;
}

} // namespace sinew
