#include "bake/bake_run.h"

#include "animation/drivers/driver_edit.h"
#include "animation/drivers/scale_drivers.h"
#include "app/snapshot.h"
#include "bake/baked_model.h"
#include "core/affine.h"
#include "core/error.h"
#include "export/glb.h"
#include "export/gltf_patch.h"
#include "skinning/methods.h"
#include "skinning/shown_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// Includes the model's own drivers, which helpers may follow. All corrective shapes are morph
// targets of the file already.
DriverSet withModelDrivers(const Workbench& workbench, const HelperDrivers& drivers) {
  DriverSet set{workbench.drivers.set.drivers, {}};
  for (PoseDriver& driver : listDrivers(drivers))
    set.drivers.push_back(std::move(driver));
  return set;
}

// The progress of one part of an operation, from one fraction of the whole to another.
Progress scaleProgress(const Progress& whole, float from, float to) {
  if (!whole) return {};
  return [whole, from, to](float fraction, std::string_view what) {
    return whole(from + (to - from) * fraction, what);
  };
}

// Every one of these clips becomes what the layers make of it; then there are no layers.
void playLayers(Workbench& workbench, std::vector<std::uint32_t>& clips) {
  if (workbench.layerStack.layers.empty()) return;
  workbench.range = {};
  workbench.held = restPose(workbench.model);
  workbench.clip.reset();
  if (clips.empty()) {
    workbench.model.clips.push_back(layersClip(workbench, "layers", Wrap::clamp));
    clips.push_back(static_cast<std::uint32_t>(workbench.model.clips.size() - 1));
  } else {
    std::vector<Clip> played;
    for (const std::uint32_t clip : clips) {
      workbench.clip = clip;
      played.push_back(layersClip(workbench, workbench.model.clips[clip].name, Wrap::clamp));
    }
    for (std::size_t i = 0; i < clips.size(); ++i)
      workbench.model.clips[clips[i]] = std::move(played[i]);
  }
  workbench.layerStack = {};
}

ShownModel::Pose bakedPose(const BakedSkin& skin, const PoseView& pose) {
  const BakeProblem& problem = skin.outcome->result.problem;
  BakeShapes shapes = shapeAt(problem, pose);
  fitFreshly(problem, shapes);
  ShownModel::Pose out{{pose.modelFromNode.begin(), pose.modelFromNode.end()},
                       {pose.morphWeights.begin(), pose.morphWeights.end()}};
  for (std::size_t h = 0; h < problem.helpers.size(); ++h)
    out.modelFromNode.push_back(affineProduct(out.modelFromNode[problem.helpers[h].parent],
                                              toMatrix(shapes.helpers.front()[h])));
  out.morphWeights.resize(problem.workbench->rig.morphs.size(), 0.0f);
  out.morphWeights.insert(out.morphWeights.end(), shapes.morphWeights.front().begin(),
                          shapes.morphWeights.front().end());
  return out;
}

} // namespace

std::string driversJson(const BakeRun& run, float lengthFactor) {
  DriverSet set = run.drivers;
  scaleDrivers(set, lengthFactor);
  return driverSetToJson(set);
}

const BakeError& largestError(const BakeRun& run) {
  return run.clips && run.clips->largest > run.heldOut.largest ? *run.clips : run.heldOut;
}

std::string worseThanLinear(const BakeRun& run, double tolerance) {
  const auto worst = std::max_element(
      run.clipErrors.begin(), run.clipErrors.end(),
      [](const BakedClipErrors& a, const BakedClipErrors& b) { return a.excess < b.excess; });
  if (worst == run.clipErrors.end() || worst->excess <= tolerance) return {};
  return fmt::format("{}: {:.2f} % of the size farther from the target than linear blending",
                     worst->excessAt, 100.0 * worst->excess);
}

BakeRun runBake(Workbench given, const BakeRunOptions& options) {
  constexpr float kFitted = 0.8f; // share of the work
  auto outcome = std::make_shared<BakeOutcome>();
  Workbench& workbench = outcome->workbench = std::move(given);
  BakeOptions wanted = options.bake;
  std::vector<std::uint32_t>& clips = wanted.poses.clips;
  playLayers(workbench, clips);
  bakeDrivers(workbench.model, workbench.preparedDrivers);
  if (clips.empty()) wanted.poses.sweep = true; // nothing else says how far joints go
  wanted.progress = scaleProgress(options.bake.progress, 0.0f, kFitted);
  BakeResult& result = outcome->result = bake(workbench, wanted);
  BakedClips baked = bakedModel(result, clips, options.framesPerSecond,
                                static_cast<double>(options.bake.tolerance),
                                scaleProgress(options.bake.progress, kFitted, 1.0f));
  BakeRun run;
  std::vector<NodeConstraint> constraints;
  if (options.drivers && !workbench.moving.strength.moves()) {
    run.helperDrivers = helperDrivers(result, baked, static_cast<double>(options.bake.tolerance));
    constraints = makeConstraints(baked.model, listDrivers(*run.helperDrivers));
    run.constraints = constraints.size();
    run.drivers = withModelDrivers(workbench, *run.helperDrivers);
  }
  GlbFile file = writeGlb(inMetres(baked.model), constraints);
  run.glb = std::move(file.bytes);
  run.leftOut = std::move(file.notes);
  run.linear = result.linear;
  run.heldOut = result.heldOut;
  if (!clips.empty()) run.clips = baked.error;
  run.clipErrors = std::move(baked.clips);
  run.curve = result.curve;
  run.poses = result.fittedShapes.count();
  run.heldOutPoses = result.heldOutShapes.count();
  run.helpers = result.problem.helpers.size();
  run.morphs = result.problem.morphs.size();
  result.fittedShapes = {};
  outcome->model = std::move(baked.model);
  run.outcome = std::move(outcome);
  return run;
}

BakedSkin bakedSkin(std::shared_ptr<const BakeOutcome> outcome) {
  Rig rig = buildRig(outcome->model);
  return {std::move(outcome), std::move(rig)};
}

Method bakedMethod(const std::shared_ptr<const BakedSkin>& skin) {
  const Method& linear = findMethod("lbs");
  Method out;
  out.name = "baked";
  out.title = "Baked: linear blend with helper joints";
  out.shortTitle = "Baked";
  out.summary = "What a bake gives, with its helper joints fitted to each pose.";
  out.shaders = linear.shaders;
  out.needsAllVertices = true; // no vertex can be bound alone
  out.bind = [skin, &linear](const Rig& rig, const BindOptions& options) {
    if (!skin->outcome || skin->rig.positions.size() != rig.positions.size())
      throw usageError("the baked mesh does not match this model", "bake this one");
    BindOptions own;
    own.influences = kBakeInfluences;
    own.tangents = options.tangents;
    own.formPerCount = options.formPerCount;
    return linear.bind(skin->rig, own);
  };
  out.pack = [skin, &linear](const Rig&, const Binding& binding,
                             std::span<const mat4> modelFromNode, std::span<vec4> rows) {
    const bool baked = modelFromNode.size() == skin->outcome->model.hierarchy.nodes.size();
    ShownModel::Pose own;
    if (!baked) own = bakedPose(*skin, {modelFromNode, {}, {}});
    return linear.pack(skin->rig, binding, baked ? modelFromNode : own.modelFromNode, rows);
  };
  out.shows = std::make_shared<const ShownModel>(
      ShownModel{[skin]() -> const Rig& { return skin->rig; },
                 [skin](const PoseView& pose) { return bakedPose(*skin, pose); }});
  out.skin = linear.skin;
  out.tangentShaders = linear.tangentShaders;
  out.skinTangents = linear.skinTangents;
  return out;
}

} // namespace sinew
