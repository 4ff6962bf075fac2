#include "bake/repose_refit.h"

#include <algorithm>
#include <numeric>

namespace sinew {

ReposeOutcome reposeAndRefit(const Model& model, const Pose& pose, const ReposeOptions& options) {
  ReposeOutcome out;
  out.reposed = reposeModel(model, pose, options.exact);
  if (!options.exact) {
    BakePoseOptions poses;
    poses.clips.resize(model.clips.size());
    std::iota(poses.clips.begin(), poses.clips.end(), 0u);
    RefitOptions refit;
    refit.solve = !options.keepWeights;
    refit.influences = options.keepWeights ? kBakeInfluences : options.influences;
    refit.progress = options.progress;
    out.poses = refitWeights(refitTargets(model, poses), out.reposed.model, refit);
    out.reposed.influences = 0;
    for (const Mesh& mesh : out.reposed.model.meshes)
      if (mesh.skin)
        out.reposed.influences = std::max(out.reposed.influences, maxInfluences(mesh.influences));
  }
  out.clips = playedDifference(model, out.reposed.model, options.progress);
  return out;
}

} // namespace sinew
