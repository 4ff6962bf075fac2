#include "picture/picture.h"

#include "app/bone_colors.h"
#include "app/settings_view.h"
#include "picture/ghosts.h"
#include "view/overlay.h"

#include <algorithm>

namespace sinew {
void uploadModel(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.materials = uploadMaterials(bench.model);
  uploadBinding(picture, bench, settings);
}

void uploadBinding(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.meshes.clear();
  uploadBinding(picture, bench, settings, {});
}

void uploadBinding(Picture& picture, const Workbench& bench, const Settings& settings,
                   std::span<const std::size_t> changed) {
  if (bench.rig.triangles.empty()) return;
  GpuMeshOptions options;
  options.storage = settings.palette;
  const auto made = [&](const BoundMethod& bound) {
    return GpuMesh(picture.materials, bench.rig, *bound.method, bound.binding, options);
  };
  std::vector<GpuMesh>& meshes = picture.meshes;
  if (meshes.size() > bench.bound.size())
    meshes.erase(meshes.begin() + static_cast<std::ptrdiff_t>(bench.bound.size()), meshes.end());
  for (const std::size_t i : changed)
    if (i < meshes.size()) meshes[i] = made(bench.bound[i]);
  while (meshes.size() < bench.bound.size())
    meshes.push_back(made(bench.bound[meshes.size()]));
  uploadPalette(picture, bench);
  uploadWeights(picture, bench, settings);
}

void uploadPalette(Picture& picture, const Workbench& bench) {
  for (std::size_t i = 0; i < picture.meshes.size(); ++i) {
    picture.meshes[i].setMorphs(bench.rig, bench.morphed, shownBinding(bench.bound[i]));
    picture.meshes[i].setPalette(bench.bound[i].palette);
    picture.meshes[i].placeBlended(bench.rig, bench.modelFromNode);
  }
  for (std::size_t i = 0; i < std::min(picture.meshes.size(), bench.differences.size()); ++i)
    picture.meshes[i].setField(bench.differences[i].shares);
}

void uploadCrowd(GpuMesh& mesh, const Workbench& bench, const BoundMethod& bound,
                 const Crowd& crowd) {
  if (!crowd.morphWeights.empty()) {
    mesh.setMorphs(bench.rig, {}, bound.binding);
    MorphedVertices morphed; // from one member to the next
    std::optional<MorphedBinding> cached;
    for (std::size_t i = 0; i < crowd.morphWeights.size(); ++i) {
      applyMorphs(bench.rig, crowd.morphWeights[i], morphed);
      mesh.setMemberMorphs(i, bench.rig, morphed,
                           morphBinding(*bound.method, bench.rig, bound.binding, morphed, cached));
    }
  }
  mesh.setCrowd(crowd.rows, crowd.offsets, crowd.nonUniformScale);
}

void uploadWeights(Picture& picture, const Workbench& bench, const Settings& settings) {
  if (picture.meshes.empty()) return;
  if (settings.weightsOf.empty()) {
    if (!settings.boneColors) return;
    const std::vector<vec3> colors = boneColors(bench.rig);
    for (GpuMesh& mesh : picture.meshes)
      mesh.setField(colors);
    return;
  }
  const std::vector<float> weights =
      jointWeights(bench.rig, findJoint(bench.model, settings.weightsOf));
  for (GpuMesh& mesh : picture.meshes)
    mesh.setField(weights);
}

DrawCount drawPicture(Picture& picture, const Workbench& bench, const Settings& settings,
                      const View& view, std::optional<std::uint32_t> selectedNode,
                      std::size_t bound, std::span<const std::uint8_t> hidden) {
  View own = view;
  if (!bench.differences.empty()) {
    own.show.field = !bench.differences[bound].reference;
    own.fieldRange = {0.0f, differenceScale(bench, settings)};
  }
  picture.renderer.begin(own);
  drawGhosts(picture, bench, settings, bound);
  DrawCount count;
  if (!picture.meshes.empty()) count = picture.renderer.draw(picture.meshes[bound]);
  if (settings.skeleton || selectedNode || picture.meshes.empty()) {
    Overlay bones;
    bones.onTop = true;
    addSkeleton(bones, bench.model, bench.modelFromNode,
                {.selectedNode = selectedNode, .size = view.scene.size(), .hidden = hidden});
    picture.renderer.draw(bones);
  }
  return count;
}

} // namespace sinew
