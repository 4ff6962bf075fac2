// A crowd on the GPU as engines draw them: palettes in fewer bytes or baked into a texture, coarser
// meshes far away, nothing for characters out of the picture, several passes.
//
//   CrowdMesh mesh = makeCrowdMesh(...);
//   beginCrowdFrame(mesh, crowd, view);  what evaluateCrowd() may leave out
//   evaluateCrowd(...);
//   poseCrowd(mesh, ...);
//   renderer.begin(view); drawCrowd(renderer, mesh);
#pragma once

#include "app/crowd.h"
#include "crowd/baked_frames.h"
#include "picture/posed_mesh.h"
#include "render/renderer.h"

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

enum class CrowdBaking {
  none,     // palettes are packed and uploaded in each frame
  palette,  // baked palettes
  vertices, // a vertex animation texture
};

struct CrowdDrawing {
  PaletteFormat format = PaletteFormat::f32;
  CrowdBaking baking = CrowdBaking::none;
  float lodPixels = 0.0f; // error allowed to a coarser mesh's surface; 0: one mesh for all
  bool culls = false;     // culls by posed boxes
  int passes = 1;         // the last one draws colours, those before it depth alone
  bool operator==(const CrowdDrawing&) const = default;
};

// No pose of a clip may be farther from its palette's by the format than this share of the bind
// pose's size.
inline constexpr float kFormatBound = 0.002f;

// Bytes that are uploaded.
struct CrowdBytes {
  std::size_t perJoint = 0; // one palette entry, or one vertex of a vertex animation texture
  std::size_t baked = 0;    // once
  std::size_t perFrame = 0; // the last frame's palettes, or what each character plays
};

struct CrowdMesh {
  CrowdDrawing drawing;
  std::vector<PosedMesh> levels;    // finest first
  std::vector<float> errors;        // DetailLevel::error of each level
  vec3 center{0.0f};                // center of one character
  JointBoxes boxes;                 // for culling
  std::optional<BakedFrames> baked; // without its rows
  std::vector<vec4> plays;          // one per member
  bool placed = false;              // baked, and the same characters in every frame
  CrowdBytes bytes;
  // The current frame.
  std::vector<std::vector<std::uint32_t>> shown; // members of each level
  std::vector<vec4> rows;
  std::vector<vec3> offsets;
};

// bound: of workbench, bound as BindOptions::formPerCount if the vertex shader skins. skinOn: not
// `automatic`. Throws usageError for what does not go together, or where a format's error is beyond
// its bound.
CrowdMesh makeCrowdMesh(const CrowdDrawing& drawing,
                        const std::shared_ptr<const GpuMaterials>& materials,
                        const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                        PaletteStorage storage, SkinOn skinOn);

void beginCrowdFrame(const CrowdMesh& mesh, Crowd& crowd, const View& view);

// seconds: of evaluateCrowd().
void poseCrowd(CrowdMesh& mesh, PosingTools& tools, const Workbench& workbench,
               const BoundMethod& bound, const Crowd& crowd, const View& view, float seconds);

DrawCount drawCrowd(Renderer& renderer, const CrowdMesh& mesh);

// What the format does to some members in their poses of the last evaluateCrowd().
PaletteError crowdError(const CrowdDrawing& drawing, const Workbench& workbench,
                        const BoundMethod& bound, const Crowd& crowd);

} // namespace sinew
