// Draws meshes and overlays into the bound framebuffer.
//
//   renderer.begin(view);     viewport, background, grid
//   renderer.draw(mesh);      any number of them
//   renderer.draw(overlay);
//
// Colours are computed linear and written as sRGB by the shader, so any 8-bit framebuffer will do
// and a window shows the same picture as a file. Sets whatever GL state it needs.
#pragma once

#include "gl/buffer.h"
#include "gl/texture.h"
#include "gl/vertex_array.h"
#include "render/gpu_mesh.h"
#include "render/programs.h"
#include "render/shadow_map.h"
#include "view/overlay.h"
#include "view/view.h"

#include <array>

namespace sinew {

struct DrawCount {
  std::size_t draws = 0; // GL draw calls of the surface itself
  std::size_t triangles = 0;
  std::size_t vertices = 0; // in the vertex buffer, times instances
};

class Renderer {
 public:
  Renderer();

  // A rectangle of the framebuffer in one colour (sRGB), where views do not cover it.
  static void clear(const Viewport& area, const vec3& color);
  void begin(const View& view);
  DrawCount draw(const GpuMesh& mesh);
  // The shadow that the mesh casts in the view's key light, into a map; draw() and
  // drawGroundShadow() then have it until the next view begins.
  void castShadow(const GpuMesh& mesh, ShadowMap& map);
  // Draws with a map as it is: nothing that casts it has moved. False where it was made for another
  // light or scene.
  bool useShadow(const ShadowMap& map);
  // On the plane y = ground: draw it before what stands on it.
  void drawGroundShadow(float ground);
  // Its depth alone: a pass before that of the colours.
  void drawDepth(const GpuMesh& mesh);
  // The mesh in one colour (sRGB and alpha), as thick as one layer, over all drawn before; depth is
  // empty afterwards, so that all drawn later lies over it.
  void drawSilhouette(const GpuMesh& mesh, const vec4& color);
  void draw(const Overlay& overlay);

  Programs& programs() { return programs_; }

 private:
  void drawBatch(const GpuMesh& mesh, std::size_t batch, Pass pass, DrawCount& count,
                 const vec4& lineColor = {});
  std::vector<std::size_t> blendedBatches(const GpuMesh& mesh) const;
  const SkinnedProgram& useSurface(const GpuMesh& mesh, const MeshBatch& batch);
  void setPhysical(const GpuMesh& mesh, const Material& material, const SkinnedProgram& program,
                   const SurfaceVariant& surface) const;
  void uploadFrame(const mat4& clipFromWorld);
  void drawLines(const GpuMesh& mesh, Pass pass, const vec4& color);

  View view_;
  std::array<vec4, 12>
      pictureLight_; // as in mesh.frag; for a view with Light::picture or Light::studio
  std::array<vec4, 7> softLights_; // as in mesh.frag; for a view with Light::studio
  vec3 towardsLight_{0.0f, 1.0f, 0.0f};
  const ShadowMap* shadow_ = nullptr;
  Programs programs_;
  Buffer frame_;
  VertexArray overlayVertices_;
  Buffer overlayBuffer_;
};

} // namespace sinew
