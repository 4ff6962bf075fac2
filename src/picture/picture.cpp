#include "picture/picture.h"

#include "app/bone_colors.h"
#include "app/settings_view.h"
#include "picture/ghosts.h"
#include "picture/surface_hiding.h"
#include "view/overlay.h"

#include <algorithm>

namespace sinew {
namespace {

// What skins a bound method: the setting, or the choice that is remembered or made now.
SkinOn resolveSkinOn(Picture& picture, const Workbench& bench, const BoundMethod& bound,
                     const Settings& settings) {
  if (settings.skinOn != SkinOn::automatic) return settings.skinOn;
  const auto known = std::ranges::find(picture.skinChoices, bound.method, &SkinChoice::method);
  if (known != picture.skinChoices.end()) return known->frames.front().first;
  if (bound.palette.rows.empty()) return SkinOn::vertexShader; // not evaluated: nothing to measure
  picture.skinChoices.push_back(
      chooseSkinOn(picture.renderer, picture.materials, picture.tools, bench, bound, settings));
  return picture.skinChoices.back().frames.front().first;
}

void drawGroundShadow(Picture& picture, const Workbench& bench, const View& view,
                      std::size_t bound) {
  if (picture.meshes.empty() || picture.meshes[bound].instanceCount() != 1) return;
  picture.shadows.resize(picture.meshes.size());
  const Overlay& shadow =
      groundShadow(picture.shadows[bound], bench, bench.bound[bound], groundHeight(view.scene));
  if (!shadow.triangles.empty()) picture.renderer.draw(shadow);
}

// Whether the mesh's field is what hides it from its surroundings, which it becomes if it can.
bool showHidden(Picture& picture, const Workbench& bench, std::size_t bound) {
  if (!picture.hidden) picture.hidden = hiddenShares(bench);
  if (picture.hidden->size() != picture.meshes[bound].rigVertexCount()) return false;
  picture.showsHidden.resize(picture.meshes.size(), false);
  if (!picture.showsHidden[bound]) picture.meshes[bound].setField(*picture.hidden);
  picture.showsHidden[bound] = true;
  return true;
}

void castShadow(Picture& picture, std::size_t bound) {
  picture.castShadows.resize(picture.meshes.size());
  Picture::CastShadow& cast = picture.castShadows[bound];
  if (cast.stale || !picture.renderer.useShadow(cast.map))
    picture.renderer.castShadow(picture.meshes[bound], cast.map);
  cast.stale = false;
}

} // namespace

void uploadModel(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.materials = uploadMaterials(bench.model);
  picture.skinChoices.clear();
  picture.hidden.reset();
  uploadBinding(picture, bench, settings);
}

void uploadBinding(Picture& picture, const Workbench& bench, const Settings& settings) {
  picture.meshes.clear();
  picture.posing.clear();
  uploadBinding(picture, bench, settings, {});
}

void uploadBinding(Picture& picture, const Workbench& bench, const Settings& settings,
                   std::span<const std::size_t> changed) {
  picture.shadows.clear();
  picture.castShadows.clear();
  picture.showsHidden.clear();
  if (bench.rig.triangles.empty()) return;
  GpuMeshOptions options;
  options.storage = settings.palette;
  const auto made = [&](const BoundMethod& bound) {
    return makePosedMesh(picture.materials, bench.rig, bound, options,
                         resolveSkinOn(picture, bench, bound, settings));
  };
  std::vector<GpuMesh>& meshes = picture.meshes;
  if (meshes.size() > bench.bound.size()) {
    meshes.erase(meshes.begin() + static_cast<std::ptrdiff_t>(bench.bound.size()), meshes.end());
    picture.posing.resize(bench.bound.size());
  }
  for (const std::size_t i : changed)
    if (i < meshes.size()) {
      PosedMesh again = made(bench.bound[i]);
      meshes[i] = std::move(again.mesh);
      picture.posing[i] = std::move(again.posing);
    }
  while (meshes.size() < bench.bound.size()) {
    PosedMesh next = made(bench.bound[meshes.size()]);
    meshes.push_back(std::move(next.mesh));
    picture.posing.push_back(std::move(next.posing));
  }
  uploadPalette(picture, bench);
  uploadWeights(picture, bench, settings);
}

void poseMesh(Picture& picture, std::size_t mesh, const Workbench& bench, const Palette& palette) {
  poseMesh(picture.meshes[mesh], picture.posing[mesh].get(), picture.tools, bench,
           bench.bound[mesh], palette);
}

void uploadPalette(Picture& picture, const Workbench& bench) {
  for (GroundShadow& shadow : picture.shadows)
    shadow.stale = true;
  for (Picture::CastShadow& cast : picture.castShadows)
    cast.stale = true;
  for (std::size_t i = 0; i < picture.meshes.size(); ++i) {
    poseMesh(picture, i, bench, bench.bound[i].palette);
    picture.meshes[i].placeBlended(bench.rig, bench.modelFromNode);
  }
  for (std::size_t i = 0; i < std::min(picture.meshes.size(), bench.differences.size()); ++i) {
    if (bench.differences[i].reference) continue; // its view has the model's own colours
    picture.meshes[i].setField(bench.differences[i].shares);
    if (i < picture.showsHidden.size()) picture.showsHidden[i] = false;
  }
}

void uploadCrowd(Picture& picture, const Workbench& bench, const Crowd& crowd) {
  poseCrowd(picture.meshes.front(), picture.posing.front().get(), picture.tools, bench,
            bench.bound.front(), crowd);
}

void uploadWeights(Picture& picture, const Workbench& bench, const Settings& settings) {
  if (picture.meshes.empty()) return;
  if (settings.weightsJoint.empty()) {
    if (!settings.boneColors) return;
    picture.showsHidden.clear();
    const std::vector<vec3> colors = boneColors(bench.rig);
    for (GpuMesh& mesh : picture.meshes)
      mesh.setField(colors);
    return;
  }
  picture.showsHidden.clear();
  const std::vector<float> weights =
      jointWeights(bench.rig, findJoint(bench.model, settings.weightsJoint));
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
  // A crowd is for measuring.
  own.show.shadows =
      own.show.shadows && !picture.meshes.empty() && picture.meshes[bound].instanceCount() == 1;
  own.show.occlusion = own.show.shadows && !own.show.field && showHidden(picture, bench, bound);
  picture.renderer.begin(own);
  if (own.show.shadows) {
    castShadow(picture, bound);
    picture.renderer.drawGroundShadow(groundHeight(own.scene));
  }
  if (settings.contactShadow) drawGroundShadow(picture, bench, own, bound);
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
