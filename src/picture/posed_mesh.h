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

// What poses a mesh that its vertex shader does not skin: one of these.
struct Posing {
  std::optional<CpuSkin> onCpu;
  std::vector<float> morphWeights; // that its bind vertices show; none: as all 0
  std::optional<GpuMesh> computed; // the source of a compute shader
};

struct PosedMesh {
  GpuMesh mesh;
  std::unique_ptr<Posing> posing; // null: the vertex shader skins
};

// What all meshes of a context are posed with, made where it is needed.
struct PosingTools {
  std::unique_ptr<Workers> workers; // threads that skin
  Programs programs;                // that compute
};

// Those that this driver has, in the order of the enumeration; not `automatic`.
std::span<const SkinOn> availableSkinOn();

// skinOn: not `automatic`. Throws graphicsError where the driver does not have it.
PosedMesh makePosedMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                        const BoundMethod& bound, const GpuMeshOptions& options, SkinOn skinOn);

// One character in a palette of the bound method, with the workbench's morph targets applied.
void poseMesh(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
              const BoundMethod& bound, const Palette& palette);

// After evaluateCrowd(), of a mesh that its vertex shader skins: the palettes of a crowd, and the
// morph targets of each of its members.
void uploadCrowd(GpuMesh& mesh, const Workbench& workbench, const BoundMethod& bound,
                 const Crowd& crowd);

// The same of any mesh.
void poseCrowd(GpuMesh& mesh, Posing* posing, PosingTools& tools, const Workbench& workbench,
               const BoundMethod& bound, const Crowd& crowd);

} // namespace sinew
