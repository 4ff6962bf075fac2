// Morph targets in a page. Its browser does as render/gpu_mesh does: it adds offsets to positions
// and normals, and to what a method's binding has of a vertex, where that follows them linearly. It
// knows no method.
#pragma once

#include "page/packed_arrays.h"
#include "page/page_clip.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace sinew {

// The model's own targets in their order, then those that methods with stand-ins add.
struct PageTarget {
  const RigMorph* morph = nullptr;
  std::optional<std::size_t> method = {}; // the only method that shows it; none: all do
};
std::vector<PageTarget> pageTargets(const Workbench& workbench);

// Vertices of all moving targets together: some megabytes of a page.
inline constexpr std::size_t kMaxMovedVertices = 400000;

struct PageMorphs {
  MorphWeights base;                 // one per target: the shape that the page's vertices have
  std::vector<std::uint32_t> moving; // targets that are added to it; ascending
  std::size_t still = 0;             // targets that the clips move, but not the page
  std::size_t tooMany = 0;           // vertices that those move together, where that is the reason
};

// Targets that change in the clips move, or all of the model's, unless there are more than a page
// holds.
PageMorphs movingMorphs(const Workbench& workbench, std::span<const PageClip> clips,
                        bool all = false);
// All targets stay in the shape that the workbench shows.
PageMorphs stillMorphs(const Workbench& workbench, const PageMorphs& moving);

// The weights of all targets: the base, and the pose's where they move.
MorphWeights weightsAt(const PageMorphs& morphs, const PagePose& pose);

// A bound method with the targets at these weights: the rig's vertices, and its binding.
MorphedVertices morphedAt(const Workbench& workbench, std::size_t method,
                          std::span<const float> weights);
Binding bindingAt(const Workbench& workbench, std::size_t method, const MorphedVertices& morphed);

// What a target adds to an attribute: all its components, vertex by vertex of the target.
struct PageMorphAttribute {
  std::size_t method = 0;
  std::size_t attribute = 0;
  std::vector<float> offsets;
};

// A moving target, as the browser will have it.
struct PageMorph {
  std::vector<std::uint32_t> vertices; // ascending
  std::vector<vec3> positions, normals;
  std::vector<PageMorphAttribute> attributes;
  std::optional<std::size_t> method = {}; // PageTarget::method
};

// Adds the moving targets: "name" of the model's own, "vertices", "positions", "normals", "method"
// where one alone shows it, and "attributes" with "method", "attribute" and "values". Attributes
// for which there are no locations, and those that do not follow the weight linearly, stand still.
nlohmann::ordered_json addMorphs(const Workbench& workbench, const PageMorphs& morphs, bool exact,
                                 PackedArrays& arrays, std::vector<PageMorph>& read);

// What the browser makes of these weights, one for each of the morphs: the vertices of the rig as a
// method shows them, and its binding.
MorphedVertices morphedRead(const std::vector<PageMorph>& morphs, std::size_t method,
                            const Rig& rig, std::span<const float> weights);
Binding morphedRead(const std::vector<PageMorph>& morphs, std::size_t method, Binding binding,
                    std::span<const float> weights);

// The parts of a mixture have the attributes of the whole.
void updateParts(Binding& binding);

} // namespace sinew
