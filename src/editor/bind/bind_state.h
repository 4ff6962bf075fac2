// Binding a mesh to a skeleton: what is chosen, what the thread works on, what it returned.
#pragma once

#include "app/method_list.h"
#include "editor/document/edit.h"
#include "editor/tasks/task.h"
#include "weights/automatic_weights.h"
#include "weights/quality.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct BoundWeights {
  WeightAlgorithm algorithm = WeightAlgorithm::boneGlow;
  AutomaticWeights weights;
};

enum class BindTask { readSkeleton, bind, compare };

struct BindOutcome {
  std::optional<Skeleton> skeleton;  // the skeleton that was read
  std::vector<BoundWeights> weights; // one, or bone heat and bone glow
};

// Both algorithms' weights for one draft; shown side by side while that draft is there.
struct ComparedWeights {
  std::shared_ptr<const Draft> draft;
  std::array<BoundWeights, 2> sets; // bone heat, bone glow
  WeightDifference difference;
  bool shown = false;
  std::vector<MethodChoice> methods; // the methods of the views before
};

// What the thread was given; its result is valid only for this.
struct BindWork {
  BindTask task = BindTask::bind;
  std::string file;                    // the file of a skeleton
  std::shared_ptr<const Model> model;  // unbound; for a skeleton: the model to fit a template into
  std::shared_ptr<const Draft> draft;  // null: the model's own joints are used
  std::shared_ptr<const Skeleton> own; // the model's own joints
};

struct BindState {
  // What is chosen in the panel.
  WeightOptions options;
  Below below = Below::moves;
  bool bothSides = false;
  int mirrorAxis = 0; // x, y or z
  std::string name;   // typed for the selected joint `named`
  std::optional<std::uint32_t> named;

  std::unique_ptr<Task<BindOutcome>> job;
  BindWork work;
  std::optional<BoundWeights> last;       // the result whose report is shown, without its weights
  std::shared_ptr<const Model> lastModel; // the model of that result: the report is shown with it
  std::string problem;                    // why the last attempt failed
  std::optional<ComparedWeights> compared;

  // The model as opened, without free splines laid on it, while another takes its place.
  std::shared_ptr<const Model> opened;
  std::shared_ptr<const Draft> grabbed; // the draft when a drag began
  std::optional<std::string> select;    // a joint's name, once the draft that has it is shown
};

} // namespace sinew
