// A limb bent and twisted at one joint, and what tests measure of it. Header only: used by tests
// alone.
#pragma once

#include "metrics/compare.h"
#include "skinning/joint_test_support.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <string_view>

namespace sinew::test {

inline float distanceToSegment(const vec3& p, const vec3& a, const vec3& b) {
  const vec3 along = b - a;
  const float t = std::clamp(glm::dot(p - a, along) / glm::dot(along, along), 0.0f, 1.0f);
  return glm::length(p - a - t * along);
}

struct Limb {
  Model model;
  Rig rig;
  std::uint32_t joint = 0; // index into the rig's joints
  JointProbe probe;

  struct Posed {
    std::vector<mat4> modelFromNode;
    std::vector<vec3> positions;
  };

  Limb(Model made, std::string_view node) : model(std::move(made)), rig(buildRig(model)) {
    for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
      if (model.hierarchy.nodes[rig.joints[j].node].name == node) joint = j;
    probe = probeJoint(model, rig, joint);
  }

  Posed posed(const Method& method, JointRotation rotation, float degrees,
              const BindOptions& options = {}) const {
    JointSweep sweep;
    sweep.rotation = rotation;
    Posed out;
    out.modelFromNode =
        modelFromNodes(model.hierarchy, rotatedJoint(model, rig, probe, sweep, degrees));
    out.positions = skinned(method, rig, out.modelFromNode, options).positions;
    return out;
  }
  Posed bent(const Method& method, float degrees, const BindOptions& options = {}) const {
    return posed(method, JointRotation::bend, degrees, options);
  }
  Posed twisted(const Method& method, float degrees, const BindOptions& options = {}) const {
    return posed(method, JointRotation::twist, degrees, options);
  }

  // From the nearer of the two bones at the joint.
  float distanceToBones(const std::vector<mat4>& modelFromNode, const vec3& p) const {
    const std::uint32_t parent = rig.joints[joint].parent;
    const mat4 own = boneMatrix(rig, modelFromNode, joint);
    const mat4 before = boneMatrix(rig, modelFromNode, parent);
    const vec3 center = probe.axis.center;
    const vec3 end = center + probe.axis.length * probe.axis.direction;
    const vec3 start(glm::inverse(rig.joints[parent].jointFromBind)[3]);
    return std::min(
        distanceToSegment(p, transformPoint(own, center), transformPoint(own, end)),
        distanceToSegment(p, transformPoint(before, start), transformPoint(before, center)));
  }

  // The largest slice: how far a ring's skin reaches from the bones, over the same at rest.
  float reach(const Posed& at) const {
    const std::vector<mat4> rest = modelFromNodes(model.hierarchy, bindPose(model));
    float largest = 0.0f;
    for (const CrossSection& ring : probe.rings) {
      float now = 0.0f;
      float before = 0.0f;
      for (const SectionPoint& point : ring.points) {
        now = std::max(now, distanceToBones(at.modelFromNode, at.positions[point.a]));
        before = std::max(before, distanceToBones(rest, probe.rest[point.a]));
      }
      largest = std::max(largest, now / before);
    }
    return largest;
  }

  // The smallest slice, as the metric has it.
  float section(const Posed& at) const {
    return smallestRadiusRatio(probe.rings, probe.rest, at.positions);
  }
};

} // namespace sinew::test
