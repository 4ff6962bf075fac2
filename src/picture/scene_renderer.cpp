#include "picture/scene_renderer.h"

#include "app/settings_view.h"
#include "app/vertex_colors.h"
#include "picture/ghosts.h"
#include "picture/shadows.h"
#include "view/overlay.h"

#include <algorithm>

namespace sinew {
namespace {

// What skins a bound method: the setting, or the choice that is remembered or made now.
SkinOn resolveSkinOn(SceneRenderer& scene, const Workbench& workbench, const BoundMethod& bound,
                     const Settings& settings) {
  if (settings.skinOn != SkinOn::automatic) return settings.skinOn;
  const auto known = std::ranges::find(scene.skinChoices, bound.method, &SkinChoice::method);
  if (known != scene.skinChoices.end()) return known->frames.front().first;
  if (bound.palette.rows.empty()) return SkinOn::vertexShader; // not evaluated: nothing to measure
  scene.skinChoices.push_back(
      chooseSkinOn(scene.renderer, scene.materials, scene.tools, workbench, bound, settings));
  return scene.skinChoices.back().frames.front().first;
}

void drawGroundShadow(SceneRenderer& scene, const Workbench& workbench, const View& view,
                      std::size_t bound) {
  if (scene.meshes.empty() || scene.meshes[bound].instanceCount() != 1) return;
  scene.shadows.resize(scene.meshes.size());
  const Overlay& shadow = groundShadow(scene.shadows[bound], workbench, workbench.bound[bound],
                                       groundHeight(view.scene));
  if (!shadow.triangles.empty()) scene.renderer.draw(shadow);
}

// Whether the mesh's field is what hides it from its surroundings, which it becomes if it can.
bool showHidden(SceneRenderer& scene, const Workbench& workbench, std::size_t bound) {
  if (!scene.hidden) scene.hidden = hiddenShares(workbench);
  if (scene.hidden->size() != scene.meshes[bound].rigVertexCount()) return false;
  scene.showsHidden.resize(scene.meshes.size(), false);
  if (!scene.showsHidden[bound]) scene.meshes[bound].setField(*scene.hidden);
  scene.showsHidden[bound] = true;
  return true;
}

void castShadow(SceneRenderer& scene, std::size_t bound) {
  scene.castShadows.resize(scene.meshes.size());
  SceneRenderer::CastShadow& cast = scene.castShadows[bound];
  if (cast.stale || !scene.renderer.useShadow(cast.map))
    scene.renderer.castShadow(scene.meshes[bound], cast.map);
  cast.stale = false;
}

} // namespace

void uploadModel(SceneRenderer& scene, const Workbench& workbench, const Settings& settings) {
  scene.materials = uploadMaterials(workbench.model);
  scene.skinChoices.clear();
  scene.hidden.reset();
  uploadBinding(scene, workbench, settings);
}

void uploadBinding(SceneRenderer& scene, const Workbench& workbench, const Settings& settings) {
  scene.meshes.clear();
  scene.posing.clear();
  uploadBinding(scene, workbench, settings, {});
}

void uploadBinding(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                   std::span<const std::size_t> changed) {
  scene.shadows.clear();
  scene.castShadows.clear();
  scene.showsHidden.clear();
  if (workbench.rig.triangles.empty()) return;
  GpuMeshOptions options;
  options.storage = settings.palette;
  const auto made = [&](const BoundMethod& bound) {
    return makePosedMesh(scene.materials, workbench.rig, bound, options,
                         resolveSkinOn(scene, workbench, bound, settings));
  };
  std::vector<GpuMesh>& meshes = scene.meshes;
  if (meshes.size() > workbench.bound.size()) {
    meshes.erase(meshes.begin() + static_cast<std::ptrdiff_t>(workbench.bound.size()),
                 meshes.end());
    scene.posing.resize(workbench.bound.size());
  }
  for (const std::size_t i : changed)
    if (i < meshes.size()) {
      PosedMesh again = made(workbench.bound[i]);
      meshes[i] = std::move(again.mesh);
      scene.posing[i] = std::move(again.posing);
    }
  while (meshes.size() < workbench.bound.size()) {
    PosedMesh next = made(workbench.bound[meshes.size()]);
    meshes.push_back(std::move(next.mesh));
    scene.posing.push_back(std::move(next.posing));
  }
  uploadPalette(scene, workbench);
  uploadWeights(scene, workbench, settings);
}

void poseMesh(SceneRenderer& scene, std::size_t mesh, const Workbench& workbench,
              const Palette& palette) {
  poseMesh(scene.meshes[mesh], scene.posing[mesh].get(), scene.tools, workbench,
           workbench.bound[mesh], palette);
}

void uploadPalette(SceneRenderer& scene, const Workbench& workbench) {
  for (GroundShadow& shadow : scene.shadows)
    shadow.stale = true;
  for (SceneRenderer::CastShadow& cast : scene.castShadows)
    cast.stale = true;
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    poseMesh(scene, i, workbench, workbench.bound[i].palette);
    scene.meshes[i].placeBlended(workbench.rig, workbench.modelFromNode);
  }
  for (std::size_t i = 0; i < std::min(scene.meshes.size(), workbench.differences.size()); ++i) {
    if (workbench.differences[i].reference) continue; // its view has the model's own colours
    scene.meshes[i].setField(workbench.differences[i].shares);
    if (i < scene.showsHidden.size()) scene.showsHidden[i] = false;
  }
}

void uploadCrowd(SceneRenderer& scene, const Workbench& workbench, const Crowd& crowd) {
  poseCrowd(scene.meshes.front(), scene.posing.front().get(), scene.tools, workbench,
            workbench.bound.front(), crowd);
}

void uploadWeights(SceneRenderer& scene, const Workbench& workbench, const Settings& settings) {
  if (scene.meshes.empty()) return;
  if (settings.weightsJoint.empty()) {
    if (!settings.boneColors) return;
    scene.showsHidden.clear();
    const std::vector<vec3> colors = boneColors(workbench.rig);
    for (GpuMesh& mesh : scene.meshes)
      mesh.setField(colors);
    return;
  }
  scene.showsHidden.clear();
  const std::vector<float> weights =
      jointWeights(workbench.rig, findJoint(workbench.model, settings.weightsJoint));
  for (GpuMesh& mesh : scene.meshes)
    mesh.setField(weights);
}

DrawCount drawScene(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                    const View& view, std::optional<std::uint32_t> selectedNode, std::size_t bound,
                    std::span<const std::uint8_t> hidden) {
  View own = view;
  if (!workbench.differences.empty()) {
    own.show.field = !workbench.differences[bound].reference;
    own.fieldRange = {0.0f, differenceScale(workbench, settings)};
  }
  // A crowd is for measuring.
  own.show.shadows =
      own.show.shadows && !scene.meshes.empty() && scene.meshes[bound].instanceCount() == 1;
  own.show.occlusion = own.show.shadows && !own.show.field && showHidden(scene, workbench, bound);
  scene.renderer.begin(own);
  if (own.show.shadows) {
    castShadow(scene, bound);
    scene.renderer.drawGroundShadow(groundHeight(own.scene));
  }
  if (settings.contactShadow) drawGroundShadow(scene, workbench, own, bound);
  drawGhosts(scene, workbench, settings, bound);
  DrawCount count;
  if (!scene.meshes.empty()) count = scene.renderer.draw(scene.meshes[bound]);
  if (settings.skeleton || selectedNode || scene.meshes.empty()) {
    Overlay bones;
    bones.onTop = true;
    addSkeleton(bones, workbench.model, workbench.modelFromNode,
                {.selectedNode = selectedNode, .size = view.scene.size(), .hidden = hidden});
    scene.renderer.draw(bones);
  }
  return count;
}

} // namespace sinew
