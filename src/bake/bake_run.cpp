#include "bake/bake_run.h"

#include "animation/drivers/bake_drivers.h"
#include "bake/baked_model.h"
#include "export/glb.h"
#include "export/node_constraint.h"

namespace sinew {
namespace {

// With the model's own drivers, which helpers may follow. Its corrective shapes are morph targets
// of the file already.
std::string driversText(const Workbench& bench, const HelperDrivers& drivers) {
  DriverSet set{bench.drivers.set.drivers, {}};
  for (const HelperDriver& helper : drivers.helpers)
    set.drivers.push_back(helper.driver);
  return driverSetToJson(set);
}

// Of an operation that is a part of another, from one fraction of it to another.
Progress partOf(const Progress& whole, float from, float to) {
  if (!whole) return {};
  return [whole, from, to](float fraction, std::string_view what) {
    return whole(from + (to - from) * fraction, what);
  };
}

} // namespace

BakeRun runBake(Workbench bench, const BakeRunOptions& options) {
  constexpr float kFitted = 0.8f; // of the work
  bakeDrivers(bench.model, bench.preparedDrivers);
  const std::vector<std::uint32_t>& clips = options.bake.poses.clips;
  BakeOptions wanted = options.bake;
  wanted.progress = partOf(options.bake.progress, 0.0f, kFitted);
  const BakeResult result = bake(bench, wanted);
  const BakedClips baked = bakedModel(result, clips, options.framesPerSecond,
                                      partOf(options.bake.progress, kFitted, 1.0f));
  BakeRun run;
  std::vector<NodeConstraint> constraints;
  if (options.drivers) {
    run.helperDrivers =
        helperDrivers(result, baked.model, static_cast<double>(options.bake.tolerance));
    constraints = constraintsOf(baked.model, driversOf(*run.helperDrivers));
    run.constraints = constraints.size();
    run.drivers = driversText(bench, *run.helperDrivers);
  }
  run.glb = glbOf(baked.model, constraints);
  run.linear = result.linear;
  run.heldOut = result.heldOut;
  if (!clips.empty()) run.clips = baked.error;
  run.curve = result.curve;
  run.poses = result.fittedShapes.count();
  run.heldOutPoses = result.heldOutShapes.count();
  run.helpers = result.problem.helpers.size();
  return run;
}

} // namespace sinew
