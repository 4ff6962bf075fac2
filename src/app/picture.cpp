#include "app/picture.h"

#include <glm/trigonometric.hpp>

#include <cmath>

namespace sinew {

void uploadModel(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.materials = uploadMaterials(bench.model);
  uploadBinding(picture, bench, settings);
}

void uploadBinding(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.mesh.reset();
  if (bench.rig.triangles.empty()) return;
  GpuMeshOptions options;
  options.storage = findPaletteStorage(settings.palette);
  picture.mesh.emplace(picture.materials, bench.rig, *bench.method, bench.binding, options);
  uploadPalette(picture, bench);
  uploadWeights(picture, bench, settings);
}

void uploadPalette(Picture& picture, const Workbench& bench) {
  if (picture.mesh) picture.mesh->setPalette(bench.palette);
}

void uploadWeights(Picture& picture, const Workbench& bench, const Settings& settings) {
  if (!picture.mesh || settings.weightsOf.empty()) return;
  picture.mesh->setField(jointWeights(bench.rig, findJoint(bench.model, settings.weightsOf)));
}

Camera cameraOf(const Settings& settings, const Bounds& bounds, float aspect) {
  Camera camera =
      frameBounds(bounds, aspect, glm::radians(settings.yaw), glm::radians(settings.pitch));
  camera.distance *= settings.distance;
  return camera;
}

View viewOf(const Settings& settings, const Camera& camera, const Bounds& bounds,
            const Viewport& viewport) {
  View view;
  view.camera = camera;
  view.viewport = viewport;
  view.scene = bounds;
  view.background = settings.background;
  const float yaw = glm::radians(settings.lightYaw);
  const float pitch = glm::radians(settings.lightPitch);
  view.light.direction = {std::cos(pitch) * std::sin(yaw), std::sin(pitch),
                          std::cos(pitch) * std::cos(yaw)};
  view.light.intensity = settings.lightIntensity;
  view.light.headlight = settings.headlight;
  view.show.textures = settings.textures;
  view.show.wireframe = settings.wireframe;
  view.show.normals = settings.normals;
  view.show.grid = settings.grid;
  view.show.field = !settings.weightsOf.empty();
  view.fieldColors =
      settings.colormap == "safe" ? FieldColors::colorBlindSafe : FieldColors::blueToRed;
  return view;
}

DrawCount drawPicture(Picture& picture, const Workbench& bench, const Settings& settings,
                      const View& view, std::optional<std::uint32_t> selectedNode) {
  picture.renderer.begin(view);
  DrawCount count;
  if (picture.mesh) count = picture.renderer.draw(*picture.mesh);
  if (settings.skeleton || selectedNode || !picture.mesh) {
    Overlay bones;
    bones.onTop = true;
    addSkeleton(bones, bench.model, bench.modelFromNode,
                {.selectedNode = selectedNode, .size = view.scene.size()});
    picture.renderer.draw(bones);
  }
  return count;
}

} // namespace sinew
