#include "weights/skeleton_weights.h"

#include "core/error.h"
#include "rig/rig.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

Influences weightsBySkeleton(const Model& model, const Skeleton& skeleton, std::string_view path) {
  const Rig rig = buildRig(model);
  std::vector<std::uint32_t> jointByBone;
  for (const RigJoint& joint : rig.joints) {
    std::uint32_t node = joint.node;
    auto found = std::ranges::lower_bound(skeleton.joints, node);
    while (node != kNoNode && (found == skeleton.joints.end() || *found != node)) {
      node = model.hierarchy.nodes[node].parent;
      found = std::ranges::lower_bound(skeleton.joints, node);
    }
    if (node == kNoNode)
      throw inputError(path,
                       fmt::format("has a mesh at '{}', which is below no joint",
                                   model.hierarchy.nodes[joint.node].name),
                       "remove it, or bind it with sinew weights");
    jointByBone.push_back(static_cast<std::uint32_t>(found - skeleton.joints.begin()));
  }
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    std::vector<Influence> weights;
    for (const Influence& each : rig.influences.of(v)) {
      const std::uint32_t joint = jointByBone[each.joint];
      const auto found = std::ranges::find(weights, joint, &Influence::joint);
      if (found == weights.end())
        weights.push_back({joint, each.weight});
      else
        found->weight += each.weight;
    }
    out.append(weights);
  }
  return out;
}

} // namespace sinew
