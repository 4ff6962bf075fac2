// The model's free splines, its own and those laid on it: made, placed, bound to the skin near
// them, removed; laid ones attached to other nodes too. Every change is one step of the history,
// from which the model is made again (Edit::splines); what cannot be is said in a message and
// changes nothing.
#pragma once

#include "editor/bind/bind_state.h"
#include "editor/document/document.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// What panel and handles share between two frames.
struct SplineState {
  std::size_t chosen = 0; // index into getSplines()
  float reach = 0.0f;     // argument of bindLaidSpline(); 0: not chosen yet
  std::string name;       // typed for the spline `named`
  std::optional<std::size_t> named;
  bool placing = false; // arrows move where control points lie in the bind pose, not the pose
  // During a drag: the new control points of the chosen spline, bind pose.
  std::optional<std::array<vec3, 3>> dragged;
};

// Whether there is a mesh to lay splines on, no crowd, and no skeleton being edited.
bool layable(const Document& document);

// The splines in the history, in the order of the shown model's. Weights painted since are only in
// the rig (laidSet()).
std::vector<SplineSketch> getSplines(const Document& document, const BindState& bind);

// The splines with their weights as they are painted now.
SplineSet laidSet(const Document& document, const BindState& bind);

// The spline and control point that a node of the shown model carries.
struct SplinePoint {
  std::uint32_t spline = 0;
  std::size_t which = 0;
};
std::optional<SplinePoint> splinePointAt(const Document& document, std::uint32_t node);
// The laid spline that the node belongs to: such a node is no bone.
std::optional<std::uint32_t> laidSplineAt(const Document& document, std::uint32_t node);

// What moves a control point from the bind pose to where it is now: M of its node.
mat4 posedFromBind(const Document& document, std::uint32_t node);

// Replaces the laid splines by a whole set; the history calls the step `what`. Returns false, with
// a message, if the model cannot have the set.
bool laySplines(Document& document, const BindState& bind, SplineSet set, std::string what);

// Lays a spline along the selected joint's bones, or through the mesh. Binds it to the skin near it
// and selects its first control point.
void newSpline(Document& document, BindState& bind, SplineState& state);
void removeLaidSpline(Document& document, const BindState& bind, std::size_t index);
void renameLaidSpline(Document& document, BindState& bind, std::size_t index,
                      const std::string& name);
void attachLaidSpline(Document& document, const BindState& bind, std::size_t index,
                      const std::string& parent);
void placeLaidSpline(Document& document, const BindState& bind, std::size_t index,
                     const std::array<vec3, 3>& points);
void bindLaidSpline(Document& document, const BindState& bind, std::size_t index, float reach);

// Nodes that may carry the spline: the model's joints, control points of splines before it.
std::vector<std::string> possibleParents(const Document& document, const BindState& bind,
                                         std::size_t index);

} // namespace sinew
