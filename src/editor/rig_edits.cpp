#include "editor/rig_edits.h"

#include "app/load_model.h"
#include "app/subdivision.h"
#include "app/vertex_colors.h"
#include "bake/refit_weights.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/clip_time.h"
#include "editor/paint/painting.h"
#include "editor/pose/driving.h"
#include "editor/session.h"
#include "metrics/range_of_motion.h"
#include "weights/transfer_rig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <utility>

namespace sinew {
namespace {

// A part of the whole's progress.
Progress scaleProgress(const Progress& progress, float begin, float end) {
  return [&progress, begin, end](float fraction, std::string_view what) {
    return progress(begin + (end - begin) * fraction, what);
  };
}

Model otherModel(const RigEditWork& work, const Progress& progress) {
  LoadOptions options;
  options.seconds = std::numeric_limits<double>::infinity(); // the user cancels
  options.progress = progress;
  return loadModel(work.choices.other, options);
}

std::vector<std::string> transferLines(const TransferredWeights& weights) {
  std::vector<std::string> lines{fmt::format("{} vertices: {} matched, {} inpainted.",
                                             weights.origins.size(),
                                             countOrigins(weights, TransferOrigin::matched),
                                             countOrigins(weights, TransferOrigin::inpainted))};
  if (const std::size_t nearest = countOrigins(weights, TransferOrigin::nearest); nearest > 0)
    lines.push_back(fmt::format("{} vertices are on parts without any match: they take the closest "
                                "point's weights. Both models have to stand in the same place.",
                                nearest));
  return lines;
}

RigEditResult transferFrom(const RigEditWork& work, const Progress& progress, bool dress) {
  const Progress reading = scaleProgress(progress, 0.0f, 0.3f);
  const Model other = otherModel(work, reading);
  const Progress solving = scaleProgress(progress, 0.3f, 1.0f);
  TransferRigOptions options = work.choices.transfer;
  options.dress = dress;
  if (dress) { // clothes have no rig of their own
    options.joints.clear();
    options.mix = 1.0f;
    options.addJoints = false;
  }
  TransferredRig rig =
      transferRig(dress ? work.model : other, dress ? other : work.model, options, solving);
  rig.model.name = work.model.name;
  rig.model.path = work.model.path;
  const std::string file = std::filesystem::path(work.choices.other).filename().string();
  return {std::move(rig.model), fmt::format("{} {}", dress ? "Dress in" : "Weights of", file),
          transferLines(rig.weights), std::move(rig.weights.origins)};
}

RigEditResult runTake(const RigEditWork& work, const Progress& progress) {
  RigEditResult out = transferFrom(work, progress, false);
  if (out.model.clips.empty()) out.model.clips.push_back(rangeOfMotionClip(out.model));
  return out;
}

RigEditResult runDress(const RigEditWork& work, const Progress& progress) {
  return transferFrom(work, progress, true);
}

RigEditResult runMirror(const RigEditWork& work, const Progress& progress) {
  if (!progress(0.0f, "matching")) throw Cancelled();
  MirroredRig out = mirrorRig(work.model, work.choices.mirror);
  RigEditResult result{
      std::move(out.model),
      "Mirror the rig",
      {fmt::format("{} vertices mirrored, {} in the middle, {} without a match. Weights change by "
                   "{:.3f} at most.",
                   out.mirrored, out.middle, out.unmatched.size(),
                   static_cast<double>(out.largestChange))}};
  if (!out.joints.empty())
    result.lines.push_back(fmt::format("Joints without a partner keep their weights: {}.",
                                       fmt::join(out.joints, ", ")));
  if (!out.shapes.empty() || !out.addedShapes.empty())
    result.lines.push_back(
        fmt::format("{} shapes replaced, {} added.", out.shapes.size(), out.addedShapes.size()));
  if (work.choices.mirror.joints)
    result.lines.push_back(fmt::format("{} joints moved.", out.movedJoints));
  return result;
}

RigEditResult runRepose(const RigEditWork& work, const Progress& progress) {
  const RigEditChoices& choices = work.choices;
  ReposeOptions options;
  options.exact = choices.exact;
  options.influences = choices.influences;
  options.progress = progress;
  const Pose pose = choices.arms ? armPose(work.model, *choices.arms) : work.pose;
  ReposeOutcome out = reposeAndRefit(work.model, pose, options);
  const char* step = "New rest pose";
  if (choices.arms) step = *choices.arms == ArmPose::t ? "T-pose" : "A-pose";
  RigEditResult result{
      std::move(out.reposed.model),
      step,
      {fmt::format("Clips differ by {:.3f} % of the size at most, {:.4f} % in the mean.",
                   100.0 * out.clips.largest, 100.0 * out.clips.mean)}};
  if (out.reposed.offsetJoints > 0)
    result.lines.push_back(fmt::format("{} offset joints, {} weights per vertex at most.",
                                       out.reposed.offsetJoints, out.reposed.influences));
  return result;
}

RigEditResult runReduce(const RigEditWork& work, const Progress& progress) {
  const RigEditChoices& choices = work.choices;
  ReduceOptions options;
  if (choices.joints > 0)
    options.joints = choices.joints;
  else
    options.tolerance = static_cast<double>(choices.tolerance);
  options.influences = choices.influences;
  options.progress = progress;
  ReducedModel out = reduceJoints(work.model, options);
  const PlayedDifference clips = playedDifference(work.model, out.model, progress);
  RigEditResult result{
      std::move(out.model),
      fmt::format("{} of {} joints", out.joints, out.before),
      {fmt::format("{} of {} joints, {} weights per vertex at most.", out.joints, out.before,
                   choices.influences),
       fmt::format("Poses held out differ by {:.3f} % of the size at most, {:.4f} % in the mean; "
                   "clips by {:.3f} %.",
                   100.0 * out.errors.heldOut.largest, 100.0 * out.errors.heldOut.mean,
                   100.0 * clips.largest)}};
  if (!out.removed.empty())
    result.lines.push_back(fmt::format("Removed: {}.", fmt::join(out.removed, ", ")));
  return result;
}

constexpr std::array<RigEdit, 5> kEdits{{
    {RigEditKind::take, "Transferring weights to", false, false, true, runTake},
    {RigEditKind::dress, "Dressing", true, true, false, runDress},
    {RigEditKind::mirror, "Mirroring", true, true, true, runMirror},
    {RigEditKind::repose, "Reposing", true, false, true, runRepose},
    {RigEditKind::reduce, "Reducing", true, true, true, runReduce},
}};

const RigEdit& getRigEdit(RigEditKind kind) {
  return kEdits[static_cast<std::size_t>(kind)];
}

// The drivers that the model can have. A message names the others.
std::shared_ptr<const DriverSet> driversFor(Document& document, const Model& model, bool any) {
  const DriverSet& before = getDrivers(document);
  if (before.empty()) return nullptr;
  DriverSet fitting = before;
  const auto left = std::erase_if(fitting.drivers, [&](const PoseDriver& driver) {
    return !any || !findProblem(model, driver).empty();
  });
  if (left > 0)
    notify(document, fmt::format("{} drivers are left out: they are of the rig before", left));
  return fitting.drivers.empty() ? nullptr : std::make_shared<const DriverSet>(std::move(fitting));
}

// The same node at the same place below the same parent.
bool isSameNode(const Hierarchy& a, const Hierarchy& b, std::size_t node) {
  const auto parentName = [&](const Hierarchy& hierarchy) {
    const std::uint32_t parent = hierarchy.nodes[node].parent;
    return parent == kNoNode ? std::string() : hierarchy.nodes[parent].name;
  };
  return a.nodes[node].name == b.nodes[node].name && a.nodes[node].rest == b.nodes[node].rest &&
         parentName(a) == parentName(b);
}

// The edited pose on another model: none where nodes are gone or have moved. New nodes and morph
// targets are at rest.
std::optional<Pose> poseFor(const std::optional<Pose>& pose, const Model& before,
                            const Model& model) {
  const std::size_t nodes = before.hierarchy.nodes.size();
  if (!pose || model.hierarchy.nodes.size() < nodes) return std::nullopt;
  for (std::size_t i = 0; i < nodes; ++i)
    if (!isSameNode(before.hierarchy, model.hierarchy, i)) return std::nullopt;
  Pose out = restPose(model);
  if (!pose->twists.empty()) out.twists = pose->twists;
  if (!out.twists.empty()) out.twists.resize(out.parentFromNode.size(), 0.0f);
  std::ranges::copy(pose->parentFromNode, out.parentFromNode.begin());
  std::ranges::copy_n(
      pose->morphWeights.begin(),
      static_cast<std::ptrdiff_t>(std::min(pose->morphWeights.size(), out.morphWeights.size())),
      out.morphWeights.begin());
  return out;
}

// One step: the model in the place of the one that is shown.
void keepEdited(Session& session, RigEditResult&& result) {
  Document& document = session.document;
  const Edit& now = document.history.now();
  const bool still = document.workbench.model.clips.empty() && !result.model.clips.empty();
  Edit fresh;
  fresh.zones = now.zones;
  std::erase_if(fresh.zones,
                [&](const auto& zone) { return !findNode(result.model.hierarchy, zone.first); });
  fresh.layerStack = layersFor(document, result.model, now.layerStack);
  fresh.drivers =
      driversFor(document, result.model, getRigEdit(session.rigEdits.kind).keepsDrivers);
  if (getRigEdit(session.rigEdits.kind).sameVertices) fresh.weights.strength = now.weights.strength;
  fresh.velocityJoints = now.velocityJoints;
  if (session.rigEdits.kind != RigEditKind::repose) { // its pose is the bind pose now
    fresh.pose = poseFor(now.pose, document.workbench.model, result.model);
    if (now.pose && !fresh.pose)
      notify(document, "the edited pose is left out: it is of the joints before");
  }
  fresh.model = std::make_shared<const Model>(std::move(result.model));
  session.rigEdits.made = fresh.model;
  session.rigEdits.lines = std::move(result.lines);
  session.rigEdits.origins = std::move(result.origins);
  document.history.live() = std::move(fresh);
  document.wasBound = true;
  document.history.commit(result.step); // no keys: the clips are of the model before
  if (still && !holdsPose(document)) {
    setClip(document, session.rigEdits.made->clips[0].name);
    document.settings.playing = true;
  }
  notify(document, fmt::format("{}: {}", result.step, session.rigEdits.lines.front()));
}

// Painted weights and laid splines are the model's own from then on.
void keepSubdivided(Document& document, Model model, std::string what) {
  const std::size_t before = vertexCount(document.workbench.model);
  const std::size_t now = vertexCount(model);
  Edit& edit = document.history.live();
  edit.model = std::make_shared<const Model>(std::move(model));
  edit.weights = {};
  edit.splines = {}; // it has them
  document.wasBound = true;
  notify(document, fmt::format("{}: {} vertices instead of {}", what, now, before));
  commitEdit(document, std::move(what));
}

bool canSubdivide(Document& document) {
  if (!hasModel(document) || document.crowd || drafting(document)) {
    notify(document, "there is no single model to subdivide");
    return false;
  }
  return true;
}

} // namespace

std::span<const RigEdit> rigEdits() {
  return kEdits;
}

std::string rigEditProblem(const Session& session, RigEditKind kind) {
  const Document& document = session.document;
  if (!hasModel(document) || document.crowd) return "there is no single model";
  if (drafting(document)) return "bind the mesh first, or leave the skeleton";
  const Model& model = document.workbench.model;
  if (document.workbench.rig.triangles.empty()) return "the model has no mesh";
  if (getRigEdit(kind).skinned && model.skins.empty())
    return "the model has no skin: bind it first";
  return {};
}

void startRigEdit(Session& session, RigEditKind kind) {
  RigEditState& state = session.rigEdits;
  if (state.job->running() || !rigEditProblem(session, kind).empty()) return;
  discardOpenEdit(session.document);
  const Document& document = session.document;
  state.problem.clear();
  state.lines.clear();
  state.made.reset();
  state.kind = kind;
  state.revision = document.revisions.weights;
  state.clipRevision = document.revisions.clips;
  state.job->start(
      document.workbench.model.name,
      [run = getRigEdit(kind).run,
       work = RigEditWork{paintedModel(document), document.workbench.pose, state.choices}](
          const Progress& progress) { return run(work, progress); });
}

bool canShowMatches(const Session& session) {
  const RigEditState& state = session.rigEdits;
  return state.made && session.document.history.now().model == state.made &&
         !state.origins.empty() &&
         session.document.workbench.rig.positions.size() >= state.origins.size();
}

void showMatches(Session& session, bool shown) {
  Document& document = session.document;
  if (shown && !canShowMatches(session)) return;
  session.rigEdits.showsMatches = shown;
  document.settings.boneColors = shown;
  if (!shown) return;
  document.heatMap = false;
  document.settings.weightsJoint.clear();
  document.settings.difference.reset();
  document.changes.field = true;
}

void followMatches(Session& session) {
  RigEditState& state = session.rigEdits;
  if (!state.showsMatches) return;
  if (!canShowMatches(session)) return showMatches(session, false);
  // Another way of colouring has been chosen.
  const Settings& settings = session.document.settings;
  state.showsMatches = settings.boneColors && !session.document.heatMap;
}

std::vector<vec3> shownMatches(const Session& session) {
  const RigEditState& state = session.rigEdits;
  if (!state.showsMatches || !canShowMatches(session)) return {};
  return matchColors(state.origins,
                     session.document.workbench.rig.positions.size() - state.origins.size());
}

void startTransfer(Session& session, bool dress, const std::string& file) {
  const RigEditKind kind = dress ? RigEditKind::dress : RigEditKind::take;
  if (const std::string problem = rigEditProblem(session, kind); !problem.empty())
    return notify(session.document, problem);
  session.rigEdits.choices.other = file;
  startRigEdit(session, kind);
}

void cancelRigEdit(Session& session) {
  if (!session.rigEdits.job->running()) return;
  session.rigEdits.job->cancel();
  notify(session.document, "cancelled: nothing has changed");
}

bool pollRigEdit(Session& session) {
  RigEditState& state = session.rigEdits;
  auto result = state.job->take();
  if (!result) return false;
  Document& document = session.document;
  if (auto* done = std::get_if<RigEditResult>(&*result)) {
    if (state.revision == document.revisions.weights &&
        state.clipRevision == document.revisions.clips)
      keepEdited(session, std::move(*done));
    else
      state.problem = "the model has changed meanwhile: do it again";
  } else {
    state.problem = std::get<TaskFailure>(*result).message;
  }
  if (!state.problem.empty()) notify(document, state.problem);
  return true;
}

void forgetRigEdit(RigEditState& state) {
  state.job->cancel();
  state.problem.clear();
  state.lines.clear();
  state.made.reset();
}

void subdivideSelected(Document& document, Subdivision kind) {
  if (!canSubdivide(document)) return;
  if (!document.selected) return notify(document, "select the joint to subdivide at");
  const std::string name = nodeName(document, *document.selected);
  const std::string word = fmt::format("{}={}", name, toString(kind));
  try {
    keepSubdivided(document, subdivideByWords(paintedModel(document), {{word}}),
                   fmt::format("Subdivide {} {}", name, toString(kind)));
  } catch (const Error&) {
    notify(document, fmt::format("no triangle is connected to {}", name));
  }
}

void subdivideBent(Document& document, float degrees) {
  if (!canSubdivide(document)) return;
  const std::vector<std::uint32_t> bent = bentTriangles(document.workbench, degrees);
  if (bent.empty())
    return notify(
        document,
        fmt::format("this pose bends the skin nowhere by more than {:g} degrees", degrees));
  keepSubdivided(document, subdivideTriangles(paintedModel(document), bent, Subdivision::midpoints),
                 fmt::format("Subdivide where bent by {:g} degrees", degrees));
}

} // namespace sinew
