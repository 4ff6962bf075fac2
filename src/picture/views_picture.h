// All views of a workbench in one picture, laid out and captioned as in the window.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "render/offscreen.h"
#include "view/view.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace sinew {

// view: index into Workbench::bound; viewport: all of what it is to draw into, which is bound.
using DrawOneView = std::function<void(std::size_t view, const Viewport& viewport)>;

// One cell per method, or per word of `words`, which then are the captions, for a subject of the
// shape of `framed`. Throws usageError where the picture is too small for that many.
Image drawViews(OffscreenTarget& target, const OffscreenOptions& options,
                const Workbench& workbench, const Settings& settings, const Bounds& framed,
                const DrawOneView& drawOneView, std::span<const std::string> words = {});

} // namespace sinew
