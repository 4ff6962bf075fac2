// What a page draws, as its browser reads it: vertices and triangles, and shaders.
#pragma once

#include "app/workbench.h"
#include "page/packed_arrays.h"
#include "page/page_morphs.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace sinew {

// What the browser will have of the workbench's rig and bindings: the same but for the rounding of
// floats. The CPU reference measures by it what that does.
struct PageMesh {
  Rig rig;
  std::vector<Binding> bindings; // one per bound method
  std::vector<PageMorph> morphs; // targets that move
};

// Adds the shape at the base weights of morph targets: vertices, triangles by material, the joints'
// weights, and every method's attributes; equal ones once; and the targets that move. exact: floats
// as they are, instead of 16 bits of their range.
nlohmann::ordered_json addMesh(const Workbench& workbench, const PageMorphs& morphs, bool exact,
                               PackedArrays& arrays, PageMesh& read);

// The shaders of a page: those of the program, in GLSL ES 3.00, in parts that its browser joins as
// gl/program does:
// "head"; "parts": every text once; "fragment", "overlayVertex", "overlayFragment": indices of
// parts, in order; and of every bound method "methods": name, defines, inputs, and the parts of its
// surface, of the same with tangents where it has some, and of the capture of positions. What a
// draw chooses is left to the reader: NON_UNIFORM_SCALE and the choices of render/programs.
nlohmann::ordered_json pageShaders(const Workbench& workbench);

} // namespace sinew
