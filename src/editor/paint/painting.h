// Painted weights: what the brush paints, and from the value in the history to rig and methods.
#pragma once

#include "editor/document/document.h"
#include "editor/paint/paint_pick.h"
#include "weights/paint_layer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct PaintChoices {
  Brush brush; // the radius is 0 until a model has been opened
  bool mirror = false;
  bool splines = false;     // paints the splines' weights, not the bones'
  bool velocity = false;    // paints the strength of velocity skinning, and neither
  std::uint32_t spline = 0; // index of the model's spline
  // Three splines at once, as red, green and blue (Forstmann and Ohya 2006, section 5): the brush
  // paints a colour, in which each spline has its share; black is the share of the bones.
  bool colors = false;
  std::array<std::uint32_t, 3> trio{0, 1, 2}; // splines of the model; kNoEntry: none
  vec3 color{1.0f, 0.0f, 0.0f};
  int maxInfluences = 4;                  // the most joints of a painted vertex
  std::vector<std::uint32_t> lockedBones; // nodes, ascending
  std::vector<std::uint32_t> lockedSplines;
};

struct PaintStroke {
  std::size_t view = 0;
  vec2 last{0.0f};      // last position of the mouse, in that view
  float carried = 0.0f; // pixels since the last stamp
  Brush brush = {};     // the brush in the mode that the pressed keys choose
  PaintItem item = {};
  std::optional<PaintItem> mirrored = {};
  std::vector<std::vector<Influence>> shares = {}, mirroredShares = {}; // the colour's shares
  PaintRules rules = {};
};

// The posed surface at the last pick.
struct PaintPick {
  std::vector<mat4> modelFromNode;
  std::size_t view = 0;
  std::uint64_t version = 0;                // version of the weights
  MorphWeights morphs;                      // the pose's weights
  std::shared_ptr<const DriverSet> drivers; // the drivers with corrective shapes
  std::vector<vec3> posed;
  View seen;
  PickGrid grid;
};

// The most that one frame of a stroke took, in milliseconds.
struct PaintCost {
  double brush = 0.0;   // picking and stamping
  double binding = 0.0; // influences and attributes
  double colors = 0.0;
};

struct PaintState {
  PaintChoices choices;
  std::optional<PaintLayer> bones, splines, strength; // made when first needed
  PaintedRig own;            // weights of the opened model, made when needed
  std::uint64_t version = 1; // counts changes of the rig's weights
  std::uint64_t shown = 0;   // the version that the heat map shows
  std::optional<PaintPick> pick;
  std::optional<SurfaceHit> hover;
  std::optional<PaintStroke> stroke;
  bool late = false;   // methods are bound again after the stroke
  double lateMs = 0.0; // time of the last such binding
  PaintCost cost;      // cost of the last stroke
};

// Whether the tool is the brush and there is something to paint on.
bool painting(const Document& document);

// What is painted: the selected joint's node, or a spline of the model, or, of velocity skinning,
// whatever is selected; none: no joint is selected.
const PaintLayer& paintLayer(const Document& document, PaintState& paint);
std::optional<std::uint32_t> paintTarget(const Document& document, const PaintState& paint);
std::string paintTargetName(const Document& document, const PaintState& paint);

// For a new model: the brush stays, what was derived from the model is dropped.
PaintState startPainting(const Document& document, const PaintState& before);

// Whether painted weights are of the rig's vertices, joints and splines.
bool fitsRig(const PaintedRig& weights, const Rig& rig);

// The weights of the opened model. Call before anything has been painted.
const PaintedRig& ownWeights(const Document& document, PaintState& paint);

// Puts the weights of the history on the rig in place of `was` and binds the methods to them. Those
// that take long are bound after the stroke.
void applyPaint(Document& document, PaintState& paint, const Edit& was);

// Per vertex, what the heat map shows: the weights of Settings::collectWeights, or of the painted
// spline, or of the laid one whose control point that joint is.
std::vector<float> paintedField(const Document& document, PaintState& paint);

// Whether the brush paints three splines at once.
bool paintingColors(const Document& document, const PaintState& paint);

// Per vertex the weights of the three as red, green and blue; what is the bones' or other splines'
// is grey. sRGB.
std::vector<vec3> paintedColors(const Document& document, PaintState& paint);

// Per group of the layer, the shares of three splines of the model in a colour: none of them more
// than it says, all together at most 1.
std::vector<std::vector<Influence>> splitShares(const PaintLayer& layer, const Rig& rig,
                                                const std::array<std::uint32_t, 3>& splines,
                                                const vec3& color);

// The model with the weights as they are painted now.
Model paintedModel(const Document& document);

} // namespace sinew
