// Where a character breaks: for every joint that bends skin the worst moment of all clips or, of a
// model without clips, of the joint's range of motion, what is wrong there, and what every method
// makes of that moment. No window and no OpenGL.
#pragma once

#include "app/workbench.h"
#include "check/fault_kinds.h"
#include "core/progress.h"
#include "metrics/skin_analysis.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct CheckOptions {
  std::optional<std::uint32_t> clip; // alone; none: all clips
  double threshold = 0.0;            // damage of every kind; 0: each kind's own
  std::size_t measured = 24;         // joints, the worst ones, at which methods are compared
  // The rig whose joints are checked; its skin has the same vertices and triangles. Null: the
  // workbench's own.
  const Rig* rig = nullptr;
  Progress progress = {};
};

struct CheckMoment {
  std::optional<std::uint32_t> clip; // none: the joint alone is turned
  double at = 0.0;                   // seconds into the clip, or degrees
  bool twisted = false;              // true: about its bone; false: bent across it
  Pose pose;
};

struct MethodShape {
  const Method* method = nullptr;
  JointShape shape;
  double severity = 0.0; // the damage of its worst kind over the threshold
};

struct JointFault {
  std::uint32_t node = 0;
  std::size_t region = 0; // index into Check::analysis
  std::string name;       // the joint's name
  std::string phrase;     // jointPhrase()
  const FaultKind* kind = nullptr;
  JointShape shape;
  double severity = 0.0;            // a fault from 1 on
  std::vector<CheckMoment> moments; // the worst one, then the worst of other clips or turns
  std::vector<MethodShape> methods; // in the table's order; empty: not compared
  std::optional<std::size_t> best;  // index of the best, not rigid skinning or a mixture
};

struct Check {
  SkinAnalysis analysis;
  std::vector<JointFault> joints; // all that bend skin, the worst first
  std::size_t moments = 0, clips = 0;
  double step = 0.0;    // seconds between two moments of a clip
  bool sampled = false; // more moments would have been looked at in a smaller model
  double seconds = 0.0;
};

// Checks the workbench's first method, with its pose drivers and without its layers. A joint's own
// turns are 90 degrees to four sides and both ways about its bone. Throws inputError without
// triangles or without a skin, and Cancelled.
Check checkModel(Workbench workbench, const CheckOptions& options);

// Joints by node whose skin can break: those that bend skin (bendingNodes()), and those whose skin
// touches that of their parent, or of another joint of the same parent.
std::vector<std::uint32_t> checkedNodes(const Rig& rig);

// How many joints have a fault.
std::size_t faultCount(const Check& check);

// "Right elbow collapses to 53 % in "Man_Death" at 1.6 s."
std::string describeFault(const Model& model, const JointFault& fault);

// "No joint breaks in 11 clips.", and the worst moment where it is worth a look. At least one
// joint.
std::string unbrokenText(const Model& model, const Check& check);

// "6 of 24 joints have a fault", or why there is nothing to check.
std::string countText(const Check& check);

// "11 clips, 213 moments, every 0.12 s", and that it was sampled.
std::string describeScope(const Check& check);

// The skin of these regions by the workbench's method `method`. The pose replaces that of the
// workbench. regions: indices into an analysis of the workbench's rig.
std::vector<JointShape> shapesIn(Workbench& workbench, const SkinAnalysis& analysis,
                                 std::span<const std::size_t> regions, const Pose& pose,
                                 std::size_t method = 0);
JointShape shapeIn(Workbench& workbench, const SkinAnalysis& analysis, std::size_t region,
                   const Pose& pose, std::size_t method = 0);

} // namespace sinew
