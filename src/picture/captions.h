// What is written over a view, in the window and in pictures.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "view/view.h"

#include <span>
#include <string>

namespace sinew {

// The method of a view, and with a difference shown its largest and mean distance from the
// reference; lines are separated by '\n'. view: index into Workbench::bound.
std::string makeCaption(const Workbench& workbench, const Settings& settings, std::size_t view);

// The legend of the differences' colours: what they are, and the value at their end.
std::string differenceTitle(const Settings& settings);
std::string differenceEnd(const Workbench& workbench, const Settings& settings);

// Draws captions at the bottom of the views, and with a difference its legend. cells: where each
// view is, from the picture's lower left; a view without width is not there. A single view without
// a difference has no caption: it is the picture of a model. words: captions instead of those of
// makeCaption(), one for each view; empty: none.
void drawCaptions(Image& picture, std::span<const Viewport> cells, const Workbench& workbench,
                  const Settings& settings, std::span<const std::string> words = {});

} // namespace sinew
