// What moves in a page: of every pose the transforms of the nodes, or the rows of every method's
// palette; and how far the methods are apart.
#pragma once

#include "page/page_clip.h"
#include "page/page_drawing.h"

namespace sinew {

// The place of a blended material's surface, for drawing from back to front: its middle, moved by
// the joint that most of it follows.
struct BlendedPlace {
  std::uint32_t node = 0;
  vec3 inNode{0.0f};
};
std::vector<BlendedPlace>
blendedPlaces(const Workbench& workbench); // one per blended material, in order

// How far rounding puts a vertex from where it belongs, measured with the CPU references.
struct PageError {
  float largest = 0.0f;  // share of the model's size
  std::size_t poses = 0; // number of poses that were measured
};

struct MotionForm {
  bool exact = false;   // floats as they are
  bool measured = true; // false: no distances ("difference") or errors, and no method is smooth
  // The nodes whose transforms the page's program takes; none: a page without it.
  std::span<const std::uint32_t> nodes = {};
};

// Adds to every clip "methods": for each the largest and the mean distance from the first method,
// as shares of `size`; and "scene": bounds. Numbers that change are stored pose by pose. read: from
// addMesh(). "morphs": the weights of morph targets that move, if there are any. A page with the
// program has "transforms" (page_transforms.h), with velocity skinning also "displacements": three
// rows of each joint of the rig. One without has the rows of each method's palette,
// whether a reader may interpolate them between two poses ("smooth"), and in "scene" also joints
// and places of blended materials.
nlohmann::ordered_json addMotion(const Workbench& workbench, std::span<const PageClip> clips,
                                 const PageMorphs& morphs, const PageMesh& read, float size,
                                 const MotionForm& form, PackedArrays& arrays, PageError& error);

} // namespace sinew
