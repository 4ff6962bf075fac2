// The free splines of a model: its own, which may be moved or left out, and those laid on it.
// A value that is edited, saved (spline_set_file.h) and put on the model as read. Forstmann and
// Ohya 2006, sections 3 to 5: three control points a spline, weights painted on the surface.
#pragma once

#include "model/model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct SplineSketch {
  std::string name;
  // The node that carries it: one of the model, or a control point of a spline before it, by the
  // name that controlPointName() gives.
  std::string parent;
  std::array<vec3, 3> points{}; // in the bind pose, model space
  // The spline of the model as read that it is: then that one's nodes carry it, and not `parent`.
  std::optional<std::uint32_t> own = {};

  bool operator==(const SplineSketch&) const = default;
};

struct SplineSet {
  std::vector<SplineSketch> splines; // the model's own that are kept, in its order, then the others
  // Influences of these splines on all vertices of all meshes in order, as Mesh::splineInfluences.
  Influences weights;
};

// "NAME.1" to "NAME.3": the nodes that carry control points of a spline that is not the model's
// own.
std::string controlPointName(const SplineSketch& spline, std::size_t which);

// Why the model, as read, cannot have these; empty: it can. One line.
std::string findProblem(const Model& model, const SplineSet& set);

// Gives the model as read these splines: for each that is not its own three nodes, the second below
// the first, the third below the second, with the model's axes, as joints of every skin; a rigid
// mesh becomes skin of its node. New nodes, and new joints of a skin, come after those that are
// there. In the rest pose each spline lies as its parent carries it. The set must have no problem.
void putSplines(Model& model, const SplineSet& set);

// The set that changes nothing: the model's own splines with their weights.
SplineSet emptySet(const Model& model);

// Three control points for a spline from a joint along what it moves: over the next joints below
// it, else as far again as its parent is; without a node along the longest side of the mesh.
SplineSketch sketchAlong(const Model& model, std::optional<std::uint32_t> node);

// The name, or the name with the first number that makes it one no spline and no node has.
std::string freeSplineName(const Model& model, const SplineSet& set, const std::string& name);

// Appends a spline that nothing follows yet. Its index among the set's.
std::size_t addSpline(SplineSet& set, SplineSketch spline);
// What hung on its control points hangs where it did; its weights go to the bones.
void removeSpline(SplineSet& set, std::size_t index);
void renameSpline(SplineSet& set, std::size_t index, const std::string& name);

// Binds the skin near a spline to it: weight 1 up to half of `reach` from the curve, 0 beyond
// `reach`, above 0, smooth between. What other splines have shrinks to the rest. model: as read.
void bindNear(const Model& model, SplineSet& set, std::size_t index, float reach);

// A usual reach: half the way from its first control point over the second to the third.
float usualReach(const SplineSketch& spline);

} // namespace sinew
