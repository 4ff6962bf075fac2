// Ghosts: the poses some time before and after the shown one, behind the model (onion skin).
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "core/transform.h"

#include <vector>

namespace sinew {

struct Picture;

struct Ghost {
  double seconds = 0.0; // of playback
  int step = 0;         // below 0: before the shown moment
};

// Settings::ghosts before and as many after the moment that the bench shows, Settings::ghostStep
// apart, the farthest first. Without a loop those beyond the ends are left out; none where nothing
// moves.
std::vector<Ghost> ghostsOf(const Workbench& bench, const Settings& settings);

// sRGB and alpha: those before are warm, those after cold; the farther, the fainter.
vec4 ghostColor(const Ghost& ghost, int count);

// Silhouettes of one method's mesh, into the view that the renderer has begun. Depth is empty
// afterwards: what is drawn next lies over them. Morph targets are as at the shown moment; springs
// of layers are at rest.
void drawGhosts(Picture& picture, const Workbench& bench, const Settings& settings,
                std::size_t bound);

} // namespace sinew
