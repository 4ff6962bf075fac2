// What painting knows between two frames: the brush, what it paints, and the stroke being drawn.
#pragma once

#include "viewer/paint_pick.h"
#include "weights/paint_layer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

// The weights of a rig as undo and redo know them. Empty: as the model was opened.
struct PaintedRig {
  PaintedWeights bones;
  PaintedWeights splines;

  bool operator==(const PaintedRig&) const = default;
};

struct PaintChoices {
  Brush brush; // its radius: 0 until a model has come
  bool mirror = false;
  bool splines = false;                   // the splines' weights, not the bones'
  std::uint32_t spline = 0;               // of the model
  int most = 4;                           // influences of a vertex
  std::vector<std::uint32_t> lockedBones; // nodes, ascending
  std::vector<std::uint32_t> lockedSplines;
};

struct PaintStroke {
  std::size_t view = 0;
  vec2 last{0.0f};      // of the mouse, in that view
  float carried = 0.0f; // pixels since the last dab
  Brush brush = {};     // with the mode that the keys ask for
  PaintItem item = {};
  std::optional<PaintItem> mirrored = {};
  PaintRules rules = {};
};

// The posed surface as it was last picked from.
struct PaintPick {
  std::vector<mat4> modelFromNode;
  std::size_t view = 0;
  std::uint64_t version = 0; // of the weights
  std::vector<vec3> posed;
  View seen;
  PickGrid grid;
};

// What one frame of a stroke costs, in milliseconds.
struct PaintCost {
  double brush = 0.0;   // picking, and putting the brush down
  double binding = 0.0; // influences, attributes and their upload
  double colors = 0.0;
};

struct PaintState {
  PaintChoices choices;
  std::optional<PaintLayer> bones, splines; // made when first needed
  PaintedRig own;                           // the weights as the model was opened, likewise
  std::uint64_t version = 1;                // counts changes of the rig's weights
  std::uint64_t shown = 0;                  // the version that the heat map shows
  std::optional<PaintPick> pick;
  std::optional<SurfaceHit> hover;
  std::optional<PaintStroke> stroke;
  bool late = false;    // methods that wait for the end of the stroke
  double lateMs = 0.0;  // what binding them took last
  PaintCost cost;       // the largest of the last stroke
  bool pressed = false; // the mouse button belongs to the brush
};

} // namespace sinew
