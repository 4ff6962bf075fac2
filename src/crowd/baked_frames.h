// Clips played from a texture: what a vertex shader needs of every frame, uploaded once.
//
// Baked palettes hold the rows of a method's palette; vertex animation textures the posed vertices.
// Frames are evenly spaced over a clip, and a character shows the nearest one.
#pragma once

#include "app/crowd.h"
#include "app/posed_box.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

inline constexpr float kBakedRate = 30.0f; // frames a second, about: a clip has a whole number

struct BakedClip {
  float seconds = 0.0f;
  std::uint32_t firstFrame = 0;
  std::uint32_t frames = 0; // 0: nobody plays it
};

struct BakedFrames {
  std::vector<BakedClip> clips; // one per clip of the model
  std::vector<vec4> rows;       // the rows of one frame after another
  bool nonUniformScale = false;
  // The box of each frame and its neighbours; only where boxes are asked for.
  std::vector<Bounds> boxes;
};

// Throws usageError where something other than whole clips moves the crowd.
void checkBakes(const Workbench& workbench);

// The clips that the crowd plays. boxes: null for none.
BakedFrames bakePalettes(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                         const JointBoxes* boxes = nullptr);

// The frames of a vertex animation texture: position and normal of every vertex, in the order of
// `source` (MeshSplit::sourceVertex).
BakedFrames bakeVertices(const Workbench& workbench, const BoundMethod& bound, const Crowd& crowd,
                         std::span<const std::uint32_t> source, const JointBoxes* boxes = nullptr);

// A member's frames and rate as GpuMesh::setPlays() takes them.
vec4 packPlay(const BakedFrames& baked, const CrowdMember& member);

// The frame that the vertex shader shows.
std::uint32_t shownFrame(const vec4& play, float seconds);

// Binding and method that draw a vertex animation texture of so many vertices in draw order; the
// rows are those of bakeVertices(). It is none of methods().
const Method& vertexAnimation();
Binding vertexAnimationBinding(const Rig& rig, std::size_t drawnVertices);

} // namespace sinew
