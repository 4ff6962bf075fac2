// A bound method's mesh on the GPU, skinned by its vertex shader, on the CPU or by a compute
// shader: picture and benchmark pose all alike.
#pragma once

#include "app/crowd.h"
#include "app/workbench.h"
#include "cpu_skin/cpu_skin.h"
#include "render/gpu_mesh.h"
#include "render/programs.h"
#include "view/draw_choices.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// What poses a mesh that its vertex shader does not skin: `onCpu` or `computed`.
struct Posing {
  std::optional<CpuSkin> onCpu;
  std::vector<float> morphWeights; // weights that its bind vertices show; none: all are 0
  std::optional<GpuMesh> computed; // the source of a compute shader
};

struct PosedMesh {
  GpuMesh mesh;
  std::unique_ptr<Posing> posing; // null: the vertex shader skins
};

// What poses all meshes of a context, made when first needed.
struct PosingTools {
  std::unique_ptr<Workers> workers; // threads that skin
  Programs programs;                // programs of compute shaders
};

// The ways that this driver has, in the order of the enumeration, without `automatic`.
std::span<const SkinOn> availableSkinOn();

// skinOn: not `automatic`. Throws graphicsError where the driver does not have it.
PosedMesh makePosedMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                        const BoundMethod& bound, const GpuMeshOptions& options, SkinOn skinOn);

// Poses one character by a palette of the bound method, with the workbench's morph targets.
void poseMesh(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
              const BoundMethod& bound, const Palette& palette);

// Uploads the palettes of a crowd, and the morph targets of each member, to a mesh that its vertex
// shader skins. Call it after evaluateCrowd().
void uploadCrowd(GpuMesh& mesh, const Workbench& workbench, const BoundMethod& bound,
                 const Crowd& crowd);

// The same for any mesh.
void poseCrowd(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
               const BoundMethod& bound, const Crowd& crowd);

} // namespace sinew
