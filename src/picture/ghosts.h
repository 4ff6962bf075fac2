// Ghosts: the poses some time before and after the shown one, behind the model (onion skin).
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "core/transform.h"

#include <vector>

namespace sinew {

struct SceneRenderer;

struct Ghost {
  double seconds = 0.0; // playback time
  int step = 0;         // steps from the shown moment; below 0: before it
};

// Makes Settings::ghosts ghosts before the moment that the workbench shows and as many after it,
// Settings::ghostStep apart, the farthest first. Without a loop none lies beyond the ends. There
// are none where nothing moves.
std::vector<Ghost> makeGhosts(const Workbench& workbench, const Settings& settings);

// sRGB and alpha: earlier ghosts are warm, later ones cold; the farther, the fainter.
vec4 ghostColor(const Ghost& ghost, int count);

// The palettes of ghosts, one after the other. Velocity skinning moves them as the shown model.
class GhostPose {
 public:
  GhostPose(const Workbench& workbench, const Settings& settings);
  // Packs for one of the workbench's methods. The result is valid until the next call.
  const Palette& pack(const Ghost& ghost, std::size_t bound);

 private:
  const Workbench& workbench_;
  std::optional<std::uint32_t> clip_;
  Wrap wrap_;
  Pose pose_;
  std::vector<mat4> modelFromNode_;
  SkinMoment moment_;
  Palette palette_;
};

// Silhouettes of one method's mesh, into the view that the renderer has begun. Depth is empty
// afterwards: what is drawn next lies over them. Morph targets are as at the shown moment; springs
// of layers are at rest.
void drawGhosts(SceneRenderer& scene, const Workbench& workbench, const Settings& settings,
                std::size_t bound);

} // namespace sinew
