// What moves in a page: for every pose the rows of every method's palette, where joints are, and
// how far the methods are apart.
#pragma once

#include "page/page_clip.h"
#include "page/page_mesh.h"

namespace sinew {

// Where a blended material's surface is, for drawing from back to front: its middle, as the joint
// that most of it follows moves it.
struct BlendedPlace {
  std::uint32_t node = 0;
  vec3 inNode{0.0f};
};
std::vector<BlendedPlace> blendedPlaces(const Workbench& bench); // of blended materials, in order

// How far rounding puts a vertex from where it belongs, measured with the CPU references.
struct PageError {
  float largest = 0.0f;  // share of the model's size
  std::size_t poses = 0; // that were measured
};

// Of every clip a table of numbers for each method, its palette; another, the largest and the mean
// distance from the first method, shares of `size`; and one for all, "scene": bounds, joints,
// places of blended materials. A number that changes is stored pose by pose. "smooth" says of a
// method whether a reader may interpolate its rows between two poses. read: what addMesh()
// has given. "morphs": the weights of morph targets that move, if there are any. measured: else
// without distances ("difference") and errors, and with no method that is smooth.
nlohmann::ordered_json addMotion(const Workbench& bench, std::span<const PageClip> clips,
                                 const PageMorphs& morphs, const PageMesh& read, float size,
                                 bool exact, bool measured, PackedArrays& arrays, PageError& error);

} // namespace sinew
