// Every method measured on one model, in moments of a clip or over a joint's range of motion: what
// `sinew compare` tells. No OpenGL, but for the time a frame takes, and that can be left out.
#pragma once

#include "app/method_list.h"
#include "app/settings.h"
#include "app/workbench.h"
#include "metrics/compare.h"
#include "metrics/skin_analysis.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// A pose that is measured.
struct Moment {
  std::string clip; // empty: none plays; of given ones the name
  double at = 0.0;  // seconds into the clip, or degrees of the sweep
  std::vector<mat4> modelFromNode;
  MorphWeights morphWeights;             // one per morph target
  std::vector<float> twists;             // Pose::twists
  std::vector<Transform> parentFromNode; // Pose::parentFromNode
};

// A method with the parameters it is measured with.
struct ComparedMethod {
  std::string name;  // as a list of methods names it: "arc-spline:attachments=1"
  std::string title; // for captions
  MethodChoice choice;
  const Method* method = nullptr;
  BindOptions options;
  // For another model with the same meshes, such as a baked one: its rig, and its poses in the
  // place of the comparison's. Null: the workbench's.
  std::shared_ptr<const Rig> rig = {};
  std::vector<Moment> moments = {};
};

// Given moments by name, and the name of them all.
struct GivenMoments {
  std::string subject;
  std::vector<Moment> moments;
};

struct ComparisonOptions {
  std::vector<MethodChoice> methods;
  std::vector<std::string> joints; // by name; empty: all that bend skin
  std::uint32_t samples = 10;      // moments of a clip, from its first to its last
  bool oneTime = false;            // Settings::time alone instead
  bool allClips = false;
  std::optional<JointSweep> sweep;      // sweeps joints[0] in the bind pose, instead of a clip
  double beyond = 0.02;                 // share of the model's size
  std::optional<GivenMoments> given;    // instead of a clip
  std::vector<ComparedMethod> others;   // come after the methods
  std::optional<std::size_t> reference; // Comparison::reference
};

// Milliseconds; not a number where not measured. Those of the CPU are the fastest of all moments.
struct MethodTime {
  double bindMs = DeformationMetrics::kUndefined;  // once a model
  double packMs = DeformationMetrics::kUndefined;  // the palette of one pose
  double skinMs = DeformationMetrics::kUndefined;  // all vertices by the CPU reference
  double frameMs = DeformationMetrics::kUndefined; // median, posing to the last pixel
  double gpuMs =
      DeformationMetrics::kUndefined; // median, of that the GPU's part, if the driver tells
};

struct Comparison {
  enum class Along { pose, clip, sweep, given };

  std::string model;   // as given on the command line
  std::string subject; // "clip Walk, 10 moments" and the like, for titles
  Along along = Along::pose;
  std::vector<ComparedMethod> methods;
  std::vector<Moment> moments; // at least one
  SkinAnalysis analysis;
  double beyond = 0.0; // share of the model's size
  // Which of the methods distances and flipped triangles are measured against; none: linear
  // blending.
  std::optional<std::size_t> reference;
  bool jointsNamed = false;
  std::vector<DeformationMetrics> rest;                              // per region
  std::vector<std::vector<std::vector<DeformationMetrics>>> metrics; // [method][moment][region]
  std::vector<std::size_t> broken; // per method, positions that were not finite
  std::vector<MethodTime> times;   // per method; empty: not measured
  std::size_t timedVertices = 0;   // vertices of a frame; 0: none was drawn
  std::string renderer;            // the renderer that drew the frames
  std::vector<std::string> notes;  // what a reader has to know
};

// The workbench's model, rig and settings' method parameters; its held pose where no clip plays.
// Throws usageError for a joint the model does not have, a sweep of none or several, and
// inputError for a model without triangles.
Comparison compareMethods(const Workbench& workbench, const Settings& settings,
                          const ComparisonOptions& options);

// The rig and the moment by which one of the methods is posed.
const Rig& getRig(const ComparedMethod& method, const Rig& own);
const Moment& getMoment(const Comparison& comparison, std::size_t method, std::size_t moment);

// What distances are measured from: a title, or "linear blending".
std::string referenceName(const Comparison& comparison);

// Adds MethodTime's frameMs and gpuMs by the benchmark: a crowd of at least that many vertices (0:
// the model alone). Without usable graphics a note says so instead.
void timeMethods(Comparison& comparison, const Workbench& workbench, const Settings& settings,
                 std::size_t vertices);

} // namespace sinew
