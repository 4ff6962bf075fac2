// A bound method's mesh on the GPU, skinned by its vertex shader or on the CPU: picture and
// benchmark pose both alike.
#pragma once

#include "app/crowd.h"
#include "app/workbench.h"
#include "cpu_skin/cpu_skin.h"
#include "render/gpu_mesh.h"
#include "view/skin_on.h"

#include <memory>
#include <vector>

namespace sinew {

// Of a mesh that the CPU poses.
struct CpuPosing {
  CpuSkin skin;
  std::vector<float> morphWeights = {}; // that its bind vertices show; none: as all 0
};

struct PosedMesh {
  GpuMesh mesh;
  std::unique_ptr<CpuPosing> posing; // null: the vertex shader skins
};

// skinOn: not `automatic`.
PosedMesh makePosedMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                        const BoundMethod& bound, const GpuMeshOptions& options, SkinOn skinOn);

// Threads of everything that the CPU skins here; made at the first call.
Workers& skinWorkers(std::unique_ptr<Workers>& workers);

// One character in a palette of the bound method, with the bench's morph targets applied.
void poseMesh(GpuMesh& mesh, CpuPosing* posing, std::unique_ptr<Workers>& workers,
              const Workbench& bench, const BoundMethod& bound, const Palette& palette);

// After evaluateCrowd(), of a mesh that its vertex shader skins: the palettes of a crowd, and the
// morph targets of each of its members.
void uploadCrowd(GpuMesh& mesh, const Workbench& bench, const BoundMethod& bound,
                 const Crowd& crowd);

// The same of either mesh.
void poseCrowd(GpuMesh& mesh, CpuPosing* posing, std::unique_ptr<Workers>& workers,
               const Workbench& bench, const BoundMethod& bound, const Crowd& crowd);

} // namespace sinew
