// --skin-on auto: a method's mesh skinned by the vertex shader and on the CPU in turn, a few frames
// each, and the faster one chosen.
#pragma once

#include "app/settings.h"
#include "picture/posed_mesh.h"
#include "render/renderer.h"

#include <memory>
#include <string>

namespace sinew {

struct SkinChoice {
  const Method* method = nullptr;
  SkinOn skinOn = SkinOn::vertexShader;
  // The fastest frame of each, milliseconds: palette or posed vertices, and the vertex stage.
  double shaderMs = 0.0;
  double cpuMs = 0.0;
};

// Needs a current context; leaves the framebuffer that is bound.
SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        std::unique_ptr<Workers>& workers, const Workbench& bench,
                        const BoundMethod& bound, const Settings& settings);

// "lbs: vertex-shader (0.52 ms; cpu 0.61)"
std::string textOf(const SkinChoice& choice);

} // namespace sinew
