// --skin-on auto: a method's mesh skinned in turn by the vertex shader, on the CPU and, where there
// are some, by a compute shader, some frames each, and the fastest chosen (fastest_way.h). A frame
// counts by the processor time of all threads where a processor draws: by the clock, what other
// programs do would decide. The choice is remembered (skin_on_memory.h).
#pragma once

#include "app/settings.h"
#include "picture/posed_mesh.h"
#include "render/renderer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct SkinChoice {
  const Method* method = nullptr;
  // The fastest frame of each, milliseconds: palette or posed vertices, and the vertex stage. The
  // first is the choice: the fastest, or as fast as it. One that is remembered is alone.
  std::vector<std::pair<SkinOn, double>> frames = {};
};

// Needs a current context; leaves the framebuffer that is bound.
SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        PosingTools& tools, const Workbench& workbench, const BoundMethod& bound,
                        const Settings& settings);

// "lbs: vertex-shader (0.52 ms; cpu 0.61, compute 0.70)", "lbs: vertex-shader (measured before)"
std::string toString(const SkinChoice& choice);

} // namespace sinew
