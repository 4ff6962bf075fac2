// The view of a workbench as the settings ask for it: camera, light, colours. Plain data, no
// OpenGL.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "view/view.h"

#include <vector>

namespace sinew {

// The camera of the settings, placed so that distance 1 shows the whole of `outline`.
Camera makeCamera(const Settings& settings, const Outline& outline, float aspect);

// The view by the settings, with this camera.
View makeView(const Settings& settings, const Camera& camera, const Bounds& bounds,
              const Viewport& viewport);

// The plain look before a plain colour, without shadows: crowds and the benchmark, which have to
// cost the same whatever the settings.
void makePlain(View& view);

// Whether some view shows the model's textures: a colouring covers them, but that of the
// differences not in the view of their reference.
bool showsTextures(const Settings& settings);

// The distance (share of the model's size) at the end of the differences' colours: that of the
// settings, or a round number above Workbench::largestDifference.
float differenceScale(const Workbench& workbench, const Settings& settings);

// The colours of a field as the settings choose them, sRGB, from low to high; for legends.
std::vector<vec3> fieldColors(const Settings& settings);

} // namespace sinew
