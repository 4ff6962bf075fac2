// What the tests of joint-based methods share. Header only: used by tests alone.
#pragma once

#include "animation/pose.h"
#include "demo/random_model.h"
#include "rig/bone_axes.h"
#include "rig/zones.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>

#include <vector>

namespace sinew::test {

inline SkinnedMesh skinned(const Method& method, const Rig& rig,
                           const std::vector<mat4>& modelFromNode,
                           const BindOptions& options = {}) {
  const Binding binding = method.bind(rig, options);
  Palette palette;
  packPalette(method, rig, binding, modelFromNode, palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out;
}

inline mat4 boneMatrix(const Rig& rig, const std::vector<mat4>& modelFromNode,
                       std::uint32_t joint) {
  return modelFromNode[rig.joints[joint].node] * rig.joints[joint].jointFromBind;
}

// The parameters of every joint-based method: source (0 weights, 1 zone), joints kept per vertex.
inline BindOptions jointOptions(float source, float attachments) {
  BindOptions options;
  options.parameters = {source, attachments};
  return options;
}

// Of every vertex a single bone with all the weight.
inline void bindToOneBone(Rig& rig) {
  Influences influences;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    influences.append({{Influence{rig.influences.of(v)[0].joint, 1.0f}}});
  rig.influences = influences;
}

// Every node of the rest pose turned by an angle about some axis; one random direction per node.
inline Pose turnedPose(const Model& model, std::uint64_t seed, float angle) {
  Random random(seed);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode)
    t.rotation = t.rotation * glm::angleAxis(angle, randomDirection(random));
  return pose;
}

} // namespace sinew::test
