// Binding a mesh to a skeleton in the window: what is edited, what the thread works on, what it
// brought.
//
// A skeleton being edited is a Draft in the history (editing.h): the mesh stands unbound beside it,
// in the pose it will be bound in. Binding ends the draft with a Model, as one step that undo takes
// back.
#pragma once

#include "animation/movement.h"
#include "rig/zone_table.h"
#include "viewer/background.h"
#include "viewer/paint_state.h"
#include "weights/automatic_weights.h"
#include "weights/skeleton_edit.h"
#include "weights/weight_difference.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// A value that is never changed: an edit makes another.
struct Draft {
  Skeleton skeleton;                      // as it stands; its root is plain (withPlainRoot)
  std::string origin;                     // where it came from, in words
  std::shared_ptr<const Skeleton> source; // as read, while only its placement has been changed
  SkeletonPlacement placement;
  // What to return to without binding.
  std::shared_ptr<const Model> before; // null: the model as opened
  ZoneTable zones;
  PaintedRig weights;
  Movement movement;
};

struct BoundWeights {
  WeightAlgorithm algorithm = WeightAlgorithm::boneGlow;
  AutomaticWeights weights;
};

enum class BindTask { readSkeleton, bind, compare };

struct BindOutcome {
  std::optional<Skeleton> skeleton;  // that was read
  std::vector<BoundWeights> weights; // one, or bone heat and bone glow
};

// Both algorithms' weights for one draft; shown side by side while that draft is there.
struct ComparedWeights {
  std::shared_ptr<const Draft> draft;
  std::array<BoundWeights, 2> sets; // bone heat, bone glow
  WeightDifference difference;
  bool shown = false;
  std::string method; // of the views before
};

// What the thread was given; its result is for this and nothing else.
struct BindWork {
  BindTask task = BindTask::bind;
  std::string file;                    // of a skeleton
  std::shared_ptr<const Model> model;  // unbound
  std::shared_ptr<const Draft> draft;  // null where the model's own joints are taken
  std::shared_ptr<const Skeleton> own; // those
};

struct BindState {
  // Chosen in the panel.
  WeightOptions options;
  Below below = Below::goesAlong;
  bool bothSides = false;
  int mirrorAxis = 0; // x, y or z
  std::string name;   // typed for the selected joint `named`
  std::optional<std::uint32_t> named;

  std::unique_ptr<Background<BindOutcome>> job;
  BindWork work;
  std::optional<BoundWeights> last;       // whose report is shown; weights left out
  std::shared_ptr<const Model> lastModel; // that came of it: the report is shown with it
  std::string problem;                    // why the last attempt failed
  std::optional<ComparedWeights> compared;
  bool refreshFields = false; // the heat maps of `compared` are to be uploaded anew

  std::shared_ptr<const Model> opened;  // the model as opened, while another takes its place
  std::shared_ptr<const Draft> grabbed; // when a drag began
  std::optional<std::string> select;    // a joint's name, once the draft that has it is shown
};

} // namespace sinew
