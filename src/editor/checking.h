// The check of the character in the background: where it breaks, what would repair it, and going
// there. A check begins half a second after a character is shown and ends with anything that
// replaces it.
#pragma once

#include "check/check.h"
#include "check/joint_repair.h"
#include "editor/document/document.h"
#include "editor/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct Session;

inline constexpr double kCheckDelay = 0.5; // seconds from the first picture

struct MeasuredRepairs {
  std::vector<JointRepair> repairs;
  std::shared_ptr<const Influences> automatic; // makeAutomaticWeights() the model
};

// A repair that is shown and not applied (History::preview), and what it took the place of.
struct RepairPreview {
  std::size_t repair = 0; // index into CheckState::repairs
  Edit edit;
  std::vector<MethodChoice> methods;
  Views views;
  std::vector<MethodChoice> shown; // the methods of the preview
};

struct CheckState {
  std::unique_ptr<Task<std::shared_ptr<const Check>>> job;
  std::shared_ptr<const Check> last; // the document's check, if `revision` is still its own
  std::uint64_t revision = 0;        // Document::revisions.weights that `last` or the job is about
  std::shared_ptr<const DriverSet> drivers; // drivers of that edit: they move what is checked
  std::uint64_t seen = 0;                   // the last revision that pollChecking() saw
  std::shared_ptr<const DriverSet> seenDrivers;
  double seenAt = 0.0;            // time when that was, seconds
  std::uint64_t modelChecked = 0; // Document::revisions.model whose check began by itself
  bool lineClosed = false;        // the user has closed the line in the picture
  std::string repairedModel;      // a repair was applied to it: its edits begin a check
  std::string repairedJoint;      // joint whose repairs were listed before the change
  std::string problem;            // why the last check failed

  std::optional<std::size_t> chosen; // index into last->joints
  std::unique_ptr<Task<MeasuredRepairs>> repairJob;
  std::vector<JointRepair> repairs;            // repairs of the chosen joint
  std::shared_ptr<const Influences> automatic; // computed for `last`; null until then
  std::optional<std::size_t> pointedAt;        // index into repairs: the one to preview
  std::optional<RepairPreview> preview;
};

// Why nothing can be checked now; empty: it can.
std::string checkProblem(const Document& document);

// Checks the model as it is here, with its edits, by linear blending.
void startChecking(Session& session);

// Begins and cancels checks and takes their results; true where there is something new to show.
// now: seconds.
bool pollChecking(Session& session, double now);

// The check of the document as it is; null: there is none, or the model has changed since.
std::shared_ptr<const Check> currentCheck(const Session& session);

// What the line in the picture says; empty: nothing.
std::string checkLine(const Session& session);

// Goes to the joint's worst moment: linear blending at the left of a divider, its best method at
// the right, which is active, close to the joint and from the side away from the body.
void showFault(Session& session, std::size_t index);

// Measures possible repairs of the fault in the background.
void startRepairs(Session& session, std::size_t index);

// Whether the document has the repair already: a method or a bend range of this joint.
bool isApplied(const Document& document, const JointFault& fault, const JointRepair& repair);

// Shows the joint as repaired until another repair is previewed or applied, or the preview ends.
// The history has no step for it.
void previewRepair(Session& session, std::size_t repair);
void endPreview(Session& session);

// Applies a repair as one step; the views show linear blending and the repaired character. If it
// changes what linear blending shows, the check begins again by itself, here and after undo.
void applyRepair(Session& session, const JointRepair& repair);

} // namespace sinew
