#pragma once

#include "animation/random_model.h"
#include "app/workbench.h"
#include "bake/bake.h"

#include <glm/gtc/quaternion.hpp>

#include <string_view>
#include <vector>

namespace sinew::test {

inline Workbench makeBakeWorkbench(Model model, std::string_view method) {
  Settings settings;
  settings.methods = parseMethods(method);
  settings.clip = "bind";
  return makeWorkbench(std::move(model), settings);
}

// A random rig whose joints move in two clips, one of them of the scaled root.
inline Model randomModelWithClips(std::uint64_t seed, const RandomModelOptions& options) {
  Model model = randomModel(seed, options);
  Random random(seed ^ 0xc11b);
  for (int c = 0; c < 2; ++c) {
    Clip clip{"clip " + std::to_string(c), 0.5f, {}};
    for (std::uint32_t node = 1; node < model.hierarchy.nodes.size(); ++node) {
      const quat rest = model.hierarchy.nodes[node].rest.rotation;
      const quat end = rest * glm::angleAxis(random.uniform(0.2f, 1.2f), randomDirection(random));
      clip.channels.push_back({node, {}, {{0.0f, 0.5f}, {rest, end}}, {}});
    }
    model.clips.push_back(std::move(clip));
  }
  model.hierarchy.nodes[0].rest.scale = vec3(3.0f);
  return model;
}

// Weights near each other follow joints near each other, as in a real rig.
inline constexpr RandomModelOptions kSmall{.joints = 6, .vertices = 80, .influences = 3};

inline BakeOptions bakeOptionsFor(const Model& model) {
  BakeOptions options;
  for (std::uint32_t i = 0; i < model.clips.size(); ++i)
    options.poses.clips.push_back(i);
  options.poses.limit = 60;
  return options;
}

inline vec3 byInfluences(const Rig& rig, const std::vector<mat4>& modelFromNode, std::uint32_t v) {
  vec3 sum(0.0f);
  for (const Influence& each : rig.influences.of(v)) {
    const RigJoint& joint = rig.joints[each.joint];
    sum += each.weight *
           transformPoint(modelFromNode[joint.node] * joint.jointFromBind, rig.positions[v]);
  }
  return sum;
}

} // namespace sinew::test
