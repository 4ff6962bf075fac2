#include "app/stage.h"

#include <glm/trigonometric.hpp>

#include <cmath>

namespace sinew {

void stageModel(Stage& stage, const Workbench& bench, const Settings& settings) {
  stage.materials = uploadMaterials(bench.model);
  stageBinding(stage, bench, settings);
}

void stageBinding(Stage& stage, const Workbench& bench, const Settings& settings) {
  stage.mesh.reset();
  if (bench.rig.triangles.empty()) return;
  GpuMeshOptions options;
  options.storage = findPaletteStorage(settings.palette);
  stage.mesh.emplace(stage.materials, bench.rig, *bench.method, bench.binding, options);
  stagePalette(stage, bench);
  stageWeights(stage, bench, settings);
}

void stagePalette(Stage& stage, const Workbench& bench) {
  if (stage.mesh) stage.mesh->setPalette(bench.palette);
}

void stageWeights(Stage& stage, const Workbench& bench, const Settings& settings) {
  if (!stage.mesh || settings.weightsOf.empty()) return;
  stage.mesh->setField(jointWeights(bench.rig, findJoint(bench.model, settings.weightsOf)));
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

DrawCount drawStage(Stage& stage, const Workbench& bench, const Settings& settings,
                    const View& view, std::optional<std::uint32_t> selectedNode) {
  stage.renderer.begin(view);
  DrawCount count;
  if (stage.mesh) count = stage.renderer.draw(*stage.mesh);
  if (settings.skeleton || selectedNode || !stage.mesh) {
    Overlay bones;
    bones.onTop = true;
    addSkeleton(bones, bench.model, bench.modelFromNode,
                {.selectedNode = selectedNode, .size = view.scene.size()});
    stage.renderer.draw(bones);
  }
  return count;
}

} // namespace sinew
