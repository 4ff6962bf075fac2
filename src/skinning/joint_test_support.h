// What the tests of joint-based methods weight. Header only: used by tests alone.
#pragma once

#include "animation/pose.h"
#include "animation/random_model.h"
#include "core/directions.h"
#include "rig/bone_axes.h"
#include "rig/zones.h"
#include "skinning/joint_binding.h"
#include "skinning/method.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
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

// To which joints these options attach; zone_skin_test and joint_weights_test say by what rule.
inline JointAttachments bindAttachments(const Rig& rig, const BindOptions& options) {
  return bindJoints(rig, options, NormalMode::cheap).attachments;
}

// The farthest that a vertex has gone.
inline float largestMove(std::span<const vec3> before, std::span<const vec3> after) {
  float largest = 0.0f;
  for (std::size_t v = 0; v < before.size(); ++v)
    largest = std::max(largest, glm::length(after[v] - before[v]));
  return largest;
}

// Every vertex gets a single bone with all the weight.
inline void bindToOneBone(Rig& rig) {
  Influences influences;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    influences.append({{Influence{rig.influences.of(v)[0].joint, 1.0f}}});
  rig.influences = influences;
}

// Every node of the rest pose rotated by an angle about some axis; one random direction per node.
inline Pose turnedPose(const Model& model, std::uint64_t seed, float angle) {
  Random random(seed);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode)
    t.rotation = t.rotation * glm::angleAxis(angle, randomDirection(random));
  return pose;
}

// Two bones along x, the joint between them at the origin, zone [-a, b]; a cloud of vertices that
// all follow that one joint.
struct OneSpline {
  Rig rig;
  BindOptions options = jointOptions(1, 1);

  OneSpline(std::uint64_t seed, float a, float b) {
    rig.joints = {{0, kNoNode, glm::translate(mat4(1), vec3(2, 0, 0))}, {1, 0, mat4(1)}};
    Random random(seed);
    for (int i = 0; i < 300; ++i) {
      rig.positions.emplace_back(random.uniform(-2, 2), random.uniform(-0.3f, 0.3f),
                                 random.uniform(-0.3f, 0.3f));
      rig.normals.push_back(randomDirection(random));
      const float weight = random.uniform();
      rig.influences.append({{Influence{0, 1.0f - weight}, Influence{1, weight}}});
    }
    rig.meshes = {{0, 300, 0, 0, 0}};
    rig.texcoords.resize(300);
    rig.colors.resize(300, vec4(1.0f));
    options.zones = {{-1.0f, 1.0f}, {-a, b}};
  }

  // The parent at rest, the joint rotated.
  std::vector<mat4> rotated(const quat& rotation) const {
    return {glm::translate(mat4(1), vec3(-2, 0, 0)), glm::mat4_cast(rotation)};
  }
};

inline constexpr double kDegreesInRadian = 57.29577951;
inline constexpr const char* kExactMethods[] = {"bones-blending", "arc-spline", "bezier-spline"};

inline double degreesBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return kDegreesInRadian * angleBetween(a, b);
}

// Exact normals. source: 0 blends by weights, 1 by zones.
inline BindOptions exactly(std::string_view name, float source) {
  BindOptions options;
  options.parameters = {source, 3, 0, 1};
  if (name == "bones-blending") options.parameters = {source, 3, 1};
  return options;
}

} // namespace sinew::test
