// The shaders of a page: those of the program, in GLSL ES 3.00, in parts that its browser joins as
// gl/program does.
#pragma once

#include "app/workbench.h"

#include <nlohmann/json_fwd.hpp>

namespace sinew {

// "head"; "parts": every text once; "fragment", "overlayVertex", "overlayFragment": indices of
// parts, in order; and of every bound method "methods": name, defines, inputs, and the parts of its
// surface, of the same with tangents where it has some, and of the capture of positions. What a
// draw chooses is left to the reader: NON_UNIFORM_SCALE and the choices of render/programs.
nlohmann::ordered_json pageShaders(const Workbench& workbench);

} // namespace sinew
