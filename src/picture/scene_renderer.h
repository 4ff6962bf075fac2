// The picture of a workbench: its meshes on the GPU, and a view made from the settings. The window
// and the headless commands draw through this, so they show the same.
#pragma once

#include "app/crowd.h"
#include "app/settings.h"
#include "app/workbench.h"
#include "picture/choose_skin_on.h"
#include "picture/posed_mesh.h"
#include "picture/shadows.h"
#include "render/gpu_mesh.h"
#include "render/renderer.h"
#include "view/view.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Needs a current OpenGL context from making to end.
struct SceneRenderer {
  Renderer renderer;
  std::shared_ptr<const GpuMaterials> materials;
  std::vector<GpuMesh> meshes; // one per bound method; none: the model has no triangles
  // One per mesh; null where the vertex shader skins it.
  std::vector<std::unique_ptr<Posing>> posing = {};
  PosingTools tools = {};
  std::vector<SkinChoice> skinChoices = {}; // chosen by --skin-on auto, one per method
  std::vector<GroundShadow> shadows = {};   // one per mesh, once drawn
  // What the key light shines on, one per mesh, once drawn.
  struct CastShadow {
    ShadowMap map;
    bool stale = true; // the pose has changed
  };
  std::vector<CastShadow> castShadows = {};
  // hiddenShares(), once they are needed, and the meshes whose field they are.
  std::optional<std::vector<float>> hidden = {};
  std::vector<bool> showsHidden = {};
};

// Call it after another model has been opened. Also does what uploadBinding does.
void uploadModel(SceneRenderer& scene, const Workbench& workbench, const Settings& settings);

// Uploads every mesh and palette again, after the palette storage has changed.
void uploadBinding(SceneRenderer& scene, const Workbench& workbench, const Settings& settings);

// Uploads the meshes of methods that have changed. Call it after rebind() and evaluate().
void uploadBinding(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                   std::span<const std::size_t> changed);

// Uploads the palettes and the differences. Call it after evaluate().
void uploadPalette(SceneRenderer& scene, const Workbench& workbench);

// Poses one of the meshes in a palette of its method.
void poseMesh(SceneRenderer& scene, std::size_t mesh, const Workbench& workbench,
              const Palette& palette);

// Uploads the crowd of the first method. Call it after evaluateCrowd().
void uploadCrowd(SceneRenderer& scene, const Workbench& workbench, const Crowd& crowd);

// Call it after another joint is chosen for the heat map (Settings::weightsJoint), or colours by
// bone. Throws usageError if the model has no such joint.
void uploadWeights(SceneRenderer& scene, const Workbench& workbench, const Settings& settings);

// Mesh of one of the methods, and skeleton. With a reference the mesh has the colours of its
// differences, but for the reference itself. A model without a mesh shows its skeleton whatever the
// settings. Ghosts lie behind the mesh (ghosts.h). A crowd casts no contact shadow. hidden:
// SkeletonStyle's.
DrawCount drawScene(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                    const View& view, std::optional<std::uint32_t> selectedNode = {},
                    std::size_t bound = 0, std::span<const std::uint8_t> hidden = {});

} // namespace sinew
