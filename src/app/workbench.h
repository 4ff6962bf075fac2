// The whole path of the data in one value: model, rig, binding, and for the current moment pose,
// joint transforms and palette. No window and no OpenGL: commands, viewer, benchmark and tests all
// work on this.
#pragma once

#include "animation/clip_play.h"
#include "animation/drivers/prepared_drivers.h"
#include "animation/layers/layer_stack.h"
#include "app/difference.h"
#include "app/settings.h"
#include "app/sidecar.h"
#include "app/velocity_map.h"
#include "core/bounds.h"
#include "model/model.h"
#include "rig/rig.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"
#include "skinning/shown_model.h"
#include "skinning/velocity_displacement.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

struct MotionReport; // animation/motion.h

// What the CPU spent on the last evaluate(), in milliseconds.
struct EvaluateCost {
  double poseMs = 0.0;    // sampling the clip and walking the scene graph
  double paletteMs = 0.0; // packing the palettes
  double differenceMs = 0.0;
};

// What a method shows at the moment in the place of the workbench's pose.
struct ShownStandIn {
  ShownModel::Pose pose;
  MorphedVertices morphed; // the rig's vertices by its morph weights
};

// One method on the rig: what it has bound, and its palette of the moment.
struct BoundMethod {
  const Method* method = nullptr;
  BindOptions options;
  Binding binding;
  Palette palette;
  std::optional<MorphedBinding> morphed = {}; // binding, while morph targets move vertices
  std::optional<ShownStandIn> standIn = {};   // none: the method has none
};

// Springs are simulated from this long before the shown time: for a single picture, and after a
// jump in time. Unless they are slow or weakly damped, their initial state has decayed by then. The
// simulation never starts before 0, so up to this time a picture equals that of a film from 0 on.
inline constexpr double kPreRoll = 20.0; // seconds

inline constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

// What posing remembers from one moment to the next.
struct PoseMemory {
  ClipPlayState clip;
  CrossFade fade;
  double preRoll = kPreRoll; // 0: springs are at rest after a jump
  LayerStackState layerStack;
  double time = kNever;  // to which springs have come
  LayerStackState ahead; // by a fraction of a step
};

// The binding of the moment, morph targets applied.
inline const Binding& shownBinding(const BoundMethod& bound) {
  return bound.morphed && !bound.morphed->vertices.empty() ? bound.morphed->binding : bound.binding;
}

// Weights of morph targets that hold whatever clip and layers make of them.
struct HeldMorph {
  std::uint32_t target = 0;
  float weight = 0.0f;
};

// What the velocities of a moment do.
struct SkinMoment {
  std::vector<MatrixRows> joints; // one per joint of the rig
  // For the moments before and after; kept so that no frame allocates.
  PoseMemory memory;
  Pose before, after;
  std::vector<JointVelocity> velocities;
};

// Velocity skinning (skinning/velocity_displacement.h), after every method of `bound` that shows
// the model itself; not after the reference.
struct MovingSkin {
  VelocityStrength strength; // the settings'
  VelocityMap map;           // the model's
  VelocitySkin skin;         // the rig's, while there is a strength
  SkinMoment now;
};

struct Workbench {
  Model model;
  std::shared_ptr<const MotionReport> motion; // report on the file whose animation the model has
  Rig rig;
  Zones zones;
  LaidSplines splines;            // the model's splines
  std::vector<BoundMethod> bound; // one per method of the settings, in their order; at least one
  std::optional<BoundMethod> reference; // differences are measured from it (Settings::difference)
  float size = 0.0f;                    // the mesh's in the bind pose, with a reference
  bool formPerCount = false;            // BindOptions::formPerCount for `bound`

  std::optional<std::uint32_t> clip; // none: the held pose
  TimeMap range;                     // where the clip begins and ends
  RootMotion root = RootMotion::keep;
  Pose held;                         // without a clip
  bool posed = false;                // `pose` was edited: clip and layers do not change it
  LayerStack layerStack;             // layers over the clip or the held pose
  ModelDrivers drivers;              // applied after clip, layers and a pose made by hand
  PreparedDrivers preparedDrivers;   // prepared from `drivers`
  std::vector<HeldMorph> heldMorphs; // applied after all of these; not to a pose edited by hand
  PoseMemory memory;
  MovingSkin moving;
  double seconds = 0.0; // time of the last evaluate()
  Pose pose;
  std::vector<mat4> modelFromNode;     // F of every node
  MorphedVertices morphed;             // the rig's vertices by the pose's morph weights
  std::vector<Difference> differences; // one per bound method, while there is a reference
  float largestDifference = 0.0f;      // the largest since reference, clip or held pose was chosen
  EvaluateCost cost;
  bool reportedNonFinite = false;
};

// Builds the rig, binds the methods of the settings, and evaluates at their clip and time. The clip
// "" is the first one, "none" the rest pose, "bind" the pose the mesh was modelled in. Throws
// usageError for unknown names.
Workbench makeWorkbench(Model model, const Settings& settings, Zones zones = {},
                        LayerStack layerStack = {}, ModelDrivers drivers = {});

// Puts drivers in the place of the workbench's own; their shapes are morph targets of its model.
// They act from the next evaluate() on. Throws usageError where they do not fit the model.
void setDrivers(Workbench& workbench, ModelDrivers drivers);

// What the workbench's zones add to the options of a method that has zones.
BindOptions withZones(const Workbench& workbench, const Method& method, BindOptions options);

// After the methods, the reference, their parameters, the zones or the number of influences have
// changed: binds those that are not as the settings ask, and returns which; the others keep binding
// and palette. Those have no palette before the next evaluate().
std::vector<std::size_t> rebind(Workbench& workbench, const Settings& settings);

// Where the model's file states the method it is skinned by, the settings and the workbench have it
// in place of theirs, at the settings' time.
void showOwnMethod(Workbench& workbench, Settings& settings);

// Puts a map in the place of the workbench's own, from the next evaluate() on. Where it has another
// number of vertices than the rig, its painted part is left out, with a warning of the model.
void setVelocityMap(Workbench& workbench, VelocityMap map);

// A method bound to the rig, without a palette.
BoundMethod bindMethod(const Rig& rig, const Method& method, BindOptions options);

// Chooses a clip by the settings' word for it, its range and what becomes of its way; without one
// the rest pose is held. Throws usageError for a clip or range that is not there.
void chooseClip(Workbench& workbench, const Settings& settings);

// The same, and the clip before gives way to it within that time (advanceFade()); when the new one
// is at `time`, the one before is at `before`.
void fadeToClip(Workbench& workbench, const Settings& settings, double time, double before,
                float seconds);

// The pose at a time: the clip at `seconds` of unlimited playback, or the held pose, with the
// animation layers over it. Springs continue from their state in `memory`, in equal steps
// independent of the requested times; after a jump in time they start memory.preRoll earlier. The
// workbench's own memory and pose are not read.
void poseAt(const Workbench& workbench, std::optional<std::uint32_t> clip, double seconds,
            Wrap wrap, PoseMemory& memory, Pose& pose);

// Poses at `seconds` (a pose made by hand stays), then updates F, the morphed vertices, the
// palettes and the differences. Non-finite transforms are replaced by the rest value, with one
// warning in model.warnings.
void evaluate(Workbench& workbench, double seconds, Wrap wrap);

// "NAME=WEIGHT" each, as on the command line: holds the weights of all morph targets with that name
// or label, or of a morph pose (findMorphWeights()), from the next evaluate() on; in a pose made by
// hand, at once. Throws usageError for an unknown name and for a word that is no number.
void holdMorphs(Workbench& workbench, std::span<const std::string> words);

// Shows this pose instead of clip and layers, until a clip is chosen.
void holdPose(Workbench& workbench, Pose pose);

// A moment of poseAt().
struct ShownMoment {
  std::optional<std::uint32_t> clip;
  double seconds;
  Wrap wrap;
  const PoseMemory& memory;
  const Pose& pose;
  std::span<const mat4> modelFromNode;
};

// Velocities and displacements of a moment, while workbench.moving has a strength. Velocities are
// differences of poses of the same loop of the clip, 1/240 s apart.
void moveSkin(const Workbench& workbench, const ShownMoment& shown, SkinMoment& out);

// The playback range of the clip, or the duration of the layer stack, after which its time
// restarts.
TimeMap playedRange(const Workbench& workbench, Wrap wrap);
TimeMap playedRange(const Workbench& workbench, std::optional<std::uint32_t> clip, Wrap wrap);

// Duration of one full playback: that of the layer stack, else of the clip's range, twice as long
// in ping-pong. 0: nothing moves, or the animation has no period.
float playSeconds(const Workbench& workbench, Wrap wrap);

// The rig's vertices of the moment as a method shows them.
inline const MorphedVertices& shownVertices(const Workbench& workbench, const BoundMethod& bound) {
  return bound.standIn ? bound.standIn->morphed : workbench.morphed;
}

// The posed mesh by a method's CPU reference.
SkinnedMesh skinOnCpu(const Workbench& workbench, const BoundMethod& bound);

// The box of the skin and of the joints; of the skin alone where joints would make it larger by
// half: targets and roots may stand anywhere.
Outline withJoints(const Outline& skin, const std::vector<std::uint32_t>& joints,
                   const std::vector<mat4>& modelFromNode);

// That box as the first method poses the mesh; model space, never empty (a model with nothing gets
// a unit box).
Outline posedOutline(const Workbench& workbench);

// Per vertex of the rig the weight of the joint at `node`, summed over skins: the heat map.
std::vector<float> jointWeights(const Rig& rig, std::uint32_t node);

// The node of a joint named on the command line. Throws usageError that lists near names.
std::uint32_t findJoint(const Model& model, std::string_view name);

} // namespace sinew
