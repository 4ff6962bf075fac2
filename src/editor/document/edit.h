// What undo and redo go through: everything that is edited of a model, as one value.
#pragma once

#include "animation/drivers/driver_set.h"
#include "animation/layers/layer_stack.h"
#include "animation/pose.h"
#include "app/velocity_map.h"
#include "model/clip.h"
#include "model/model.h"
#include "rig/zone_table.h"
#include "weights/paint.h"
#include "weights/skeleton_edit.h"
#include "weights/spline_set.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// The weights of a rig as undo and redo know them. Empty: as the model was opened.
struct PaintedRig {
  PaintedWeights bones;
  PaintedWeights splines;
  PaintedWeights strength; // strength of velocity skinning (paint/velocity_paint.h)

  bool operator==(const PaintedRig&) const = default;
};

// Clips that are edited. A change replaces one of them; the others are shared.
using ClipList = std::vector<std::shared_ptr<const Clip>>;

// A skeleton that is edited before a mesh is bound to it. Immutable: an edit makes another Draft.
// The mesh is unbound meanwhile and is shown in the pose in which it will be bound.
struct Draft {
  Skeleton skeleton;                      // the root is plain (withPlainRoot)
  std::string origin;                     // the skeleton's origin in words
  std::shared_ptr<const Skeleton> source; // as read; null after edits other than its placement
  SkeletonPlacement placement;
  // What to return to without binding.
  std::shared_ptr<const Model> before; // null: the model as opened
  ZoneTable zones;
  PaintedRig weights;
  std::shared_ptr<const SplineSet> splines;
  LayerStack layerStack;
  std::shared_ptr<const ClipList> clips;
};

struct Edit {
  std::optional<Pose> pose; // none: the clip's
  ZoneTable zones;
  std::shared_ptr<const Model> model; // null: the model as opened
  std::shared_ptr<const Draft> draft; // a skeleton being edited; then the model is unbound
  // Free splines on that model; null: its own. If set, painted weights of splines change the
  // weights of these.
  std::shared_ptr<const SplineSet> splines = {};
  PaintedRig weights = {};
  LayerStack layerStack = {};
  std::shared_ptr<const DriverSet> drivers = {};             // null: none
  std::shared_ptr<const ClipList> clips = {};                // null: the model's own
  std::shared_ptr<const VelocityJoints> velocityJoints = {}; // null: as the model was opened

  bool operator==(const Edit&) const = default;
};

// While a draft is edited, what it keeps for the way back is used.
inline const ZoneTable& getZones(const Edit& edit) {
  return edit.draft ? edit.draft->zones : edit.zones;
}
inline const LayerStack& getLayers(const Edit& edit) {
  return edit.draft ? edit.draft->layerStack : edit.layerStack;
}

} // namespace sinew
