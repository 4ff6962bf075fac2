// Subdivision as people ask for it: about joints by name, and where a pose bends the skin.
#pragma once

#include "rig/subdivide.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct Workbench; // app/workbench.h

struct SubdivideOptions {
  std::vector<std::string> joints = {}; // as in subdivideByWords()
  float bent = 0.0f;                    // degrees, of bentTriangles(); 0: none

  bool operator==(const SubdivideOptions&) const = default;
};

std::string_view toString(Subdivision kind); // "1:3", "1:4"

// "JOINT=1:3" or "JOINT=1:4" each, in this order; those of one kind that follow one another are
// split together, and a joint named twice is split twice. Throws usageError for anything else.
Model subdivideByWords(Model model, std::span<const std::string> words);

// The triangles of the workbench's rig that its first method bends in its pose by more than so many
// degrees beyond the bind pose (bentTriangles()).
std::vector<std::uint32_t> bentTriangles(const Workbench& workbench, float degrees);

// The workbench's model with those split 1:4; a warning of the model where there are none.
Model subdivideBent(const Workbench& workbench, float degrees);

// The sum over all meshes.
std::size_t insertedVertexCount(const Model& model);

} // namespace sinew
