// --skin-on auto: a method's mesh skinned in turn by the vertex shader, on the CPU and, where there
// are some, by a compute shader, some frames each, and the fastest chosen. A frame
// counts by the processor time of all threads where a processor draws: by the clock, what other
// programs do would decide. The choice is remembered.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "gl/load.h"
#include "picture/posed_mesh.h"
#include "render/renderer.h"
#include "view/draw_choices.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct SkinChoice {
  const Method* method = nullptr;
  // The fastest frame of each way in milliseconds: palette or posed vertices, and the vertex stage.
  // The first is the choice: the fastest, or as fast as it. A remembered choice is the only entry.
  std::vector<std::pair<SkinOn, double>> frames = {};
};

// Needs a current context; leaves the framebuffer that is bound.
SkinChoice chooseSkinOn(Renderer& renderer, const std::shared_ptr<const GpuMaterials>& materials,
                        PosingTools& tools, const Workbench& workbench, const BoundMethod& bound,
                        const Settings& settings);

// "lbs: vertex-shader (0.52 ms; cpu 0.61, compute 0.70)", "lbs: vertex-shader (measured before)"
std::string toString(const SkinChoice& choice);

// What --skin-on auto chose, from one run to the next: $XDG_CACHE_HOME/sinew/skin-on.json (else
// ~/.cache). Another driver, number of cores, method or mesh is measured by itself.
//
// The file is no more than a shortcut: one that cannot be read or written is ignored.
inline constexpr std::size_t kRememberedChoices = 500; // the newest

// What a choice depends on.
std::string skinOnKey(const GlInfo& driver, const Workbench& workbench, const BoundMethod& bound,
                      PaletteStorage storage);

std::filesystem::path skinOnFile();
std::optional<SkinOn> rememberedSkinOn(const std::filesystem::path& file, const std::string& key);
void rememberSkinOn(const std::filesystem::path& file, const std::string& key, SkinOn chosen);

// Which of several ways to do the same is the fastest, measured by turns.
//
// Noise only adds time, so that the least of several rounds counts. One order of the turns would
// give what follows a slow way its cold caches, so that each round begins with another. Rounds go
// on until the two fastest are far enough apart, or until it no longer matters which one it is.

// Ways that cost at most this factor more than the fastest are equally good. The first of them is
// chosen, so that the choice does not depend on noise.
inline constexpr double kAsFast = 1.05;

struct FastestWay {
  std::size_t way = 0;       // index of the chosen way
  std::vector<double> least; // least cost that measure() returned for each way
  int rounds = 0;            // number of rounds without the first, which warms up
};

// measure(i) does the work once by way i and returns the cost. There is at least one way.
FastestWay fastestWay(std::size_t ways, const std::function<double(std::size_t)>& measure);

} // namespace sinew
