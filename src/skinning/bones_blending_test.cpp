#include "demo/demo.h"
#include "rig/joint_weights.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

using namespace sinew;
using test::boneMatrix;
using test::jointOptions;
using test::skinned;

namespace {

const Method& bonesBlending() {
  return findMethod("bones-blending");
}

// The paper's formula in double precision: v' = F(p) R(j) T(j)^t A(j)^-1 v.
glm::dvec3 byDefinition(const Rig& rig, const std::vector<mat4>& modelFromNode, std::uint32_t j,
                        float t, const vec3& v) {
  const RigJoint& joint = rig.joints[j];
  if (joint.parent == kNoNode) return glm::dvec3(boneMatrix(rig, modelFromNode, j) * vec4(v, 1.0f));
  const RigJoint& parent = rig.joints[joint.parent];
  const glm::dmat4 jointFromBind(joint.jointFromBind);
  const glm::dmat4 parentFromJoint = // R(j)
      glm::dmat4(parent.jointFromBind) * glm::inverse(jointFromBind);
  const glm::dmat4 modelFromParent(modelFromNode[parent.node]);
  const glm::dmat4 modelFromJoint(modelFromNode[joint.node]);
  const glm::dmat4 motion = glm::inverse(modelFromParent * parentFromJoint) * modelFromJoint;
  glm::dquat rotation = glm::normalize(glm::quat_cast(glm::dmat3(motion)));
  if (rotation.w < 0.0) rotation = -rotation;
  const double angle = 2.0 * std::acos(std::min(1.0, rotation.w));
  const glm::dvec3 axis(rotation.x, rotation.y, rotation.z);
  const glm::dmat4 part = glm::length(axis) < 1e-12
                              ? glm::dmat4(1.0)
                              : glm::rotate(glm::dmat4(1.0), static_cast<double>(t) * angle, axis);
  return glm::dvec3(modelFromParent * parentFromJoint * part * jointFromBind *
                    glm::dvec4(glm::dvec3(v), 1.0));
}

} // namespace

TEST_CASE("bones blending: with one attachment it is the paper's formula") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const float source : {0.0f, 1.0f}) {
      CAPTURE(seed);
      CAPTURE(source);
      const Model model = randomModel(seed);
      const Rig rig = buildRig(model);
      const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
      const std::vector<BoneAxis> axes = boneAxes(rig);
      std::vector<Zone> zones = zonesFromWeights(rig, axes);
      for (std::size_t j = 0; j < zones.size(); j += 2)
        zones[j].curve.kind = BlendCurve::Kind::smooth;
      BindOptions options = jointOptions(source, 1);
      options.zones = zones;
      const SkinnedMesh out = skinned(bonesBlending(), rig, modelFromNode, options);
      const JointAttachments attachments = attachToJoints(rig, 1);
      const float size = computeBounds(out.positions).size();
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const JointAttachment& attachment = attachments.of(v)[0];
        const std::uint32_t j = attachment.joint;
        float t = attachment.blendFactor;
        if (source == 1.0f)
          t = glm::clamp(
              (glm::dot(rig.positions[v] - axes[j].center, axes[j].direction) - zones[j].min) /
                  (zones[j].max - zones[j].min),
              0.0f, 1.0f);
        if (j % 2 == 0) t = t * t * (3.0f - 2.0f * t);
        CHECK(glm::length(glm::dvec3(out.positions[v]) -
                          byDefinition(rig, modelFromNode, j, t, rig.positions[v])) < 2e-6f * size);
      }
    }
}

TEST_CASE("bones blending: the distance to the posed joint's centre is kept") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
    const SkinnedMesh out = skinned(bonesBlending(), rig, modelFromNode, jointOptions(1, 1));
    const std::vector<BoneAxis> axes = boneAxes(rig);
    const JointAttachments attachments = attachToJoints(rig, 1);
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const std::uint32_t j = attachments.of(v)[0].joint;
      const vec3 posedCenter = transformPoint(boneMatrix(rig, modelFromNode, j), axes[j].center);
      CHECK(std::abs(glm::length(out.positions[v] - posedCenter) -
                     glm::length(rig.positions[v] - axes[j].center)) < 5e-6f);
    }
  }
}

TEST_CASE("bones blending: agrees with linear blending to second order") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.influences = 3; // no more than there are attachments: none is cut
    options.joints = 6;
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    // In double precision a smaller angle would do; here the difference must stand out of rounding.
    double difference[2] = {0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
      const float angle = i == 0 ? 0.08f : 0.04f;
      const auto modelFromNode =
          modelFromNodes(model.hierarchy, test::turnedPose(model, seed, angle));
      const SkinnedMesh linear = skinned(findMethod("lbs"), rig, modelFromNode);
      const SkinnedMesh blended = skinned(bonesBlending(), rig, modelFromNode);
      for (std::size_t v = 0; v < linear.positions.size(); ++v)
        difference[i] +=
            static_cast<double>(glm::length(linear.positions[v] - blended.positions[v]));
    }
    CHECK(difference[1] < 0.27 * difference[0]);
  }
}

TEST_CASE("bones blending: skipping the rotation and finding its axis per vertex change nothing") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const bool stretch : {false, true})
      for (const float source : {0.0f, 1.0f}) {
        CAPTURE(seed);
        CAPTURE(stretch);
        RandomModelOptions random;
        random.nonUniformScale = stretch;
        const Model model = randomModel(seed, random);
        Rig rig = buildRig(model);
        if (seed % 2 == 0) test::bindToOneBone(rig); // shares of 0 and 1
        const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, seed, random));
        const auto with = [&](float skip, float axis) {
          BindOptions options;
          options.parameters = {source, 3, 0, skip, axis};
          return skinned(bonesBlending(), rig, nodes, options);
        };
        const SkinnedMesh plain = with(0, 0);
        const float size = computeBounds(plain.positions).size();
        for (const SkinnedMesh& other : {with(1, 0), with(0, 1), with(1, 1)})
          for (std::size_t v = 0; v < plain.positions.size(); ++v) {
            CHECK(glm::length(plain.positions[v] - other.positions[v]) < 5e-6f * size);
            CHECK(glm::length(plain.normals[v] - other.normals[v]) < 1e-3f);
          }
      }
}

TEST_CASE("bones blending: exact normals are those of the moved surface, by finite differences") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    RandomModelOptions random;
    random.nonUniformScale = seed % 2 == 0;
    const Model model = randomModel(seed, random);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed, random));
    BindOptions options;
    options.parameters = {1, 1, 1};
    const SkinnedMesh out = skinned(bonesBlending(), rig, modelFromNode, options);
    const std::vector<BoneAxis> axes = boneAxes(rig);
    const std::vector<Zone> zones = zonesFromWeights(rig, axes);
    // The rig moved along two tangents, forth and back.
    const auto stepped = [&](bool second, float step) {
      Rig moved = rig;
      for (std::size_t v = 0; v < rig.positions.size(); ++v) {
        const vec3& n = rig.normals[v];
        const vec3 u =
            glm::normalize(glm::cross(n, std::abs(n.z) < 0.6f ? vec3(0, 0, 1) : vec3(1, 0, 0)));
        moved.positions[v] += step * (second ? glm::cross(n, u) : u);
      }
      BindOptions fixed = options; // zones and joints as for the rig at rest
      fixed.zones = zones;
      return skinned(bonesBlending(), moved, modelFromNode, fixed).positions;
    };
    const float h = 5e-4f;
    const auto u1 = stepped(false, h), u0 = stepped(false, -h);
    const auto v1 = stepped(true, h), v0 = stepped(true, -h);
    const JointAttachments attachments = attachToJoints(rig, 1);
    int inside = 0;
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const std::uint32_t j = attachments.of(v)[0].joint;
      const float t = zoneParameter(axes[j], zones[j], rig.positions[v]);
      const float along = glm::dot(rig.positions[v] - axes[j].center, axes[j].direction);
      // At a zone's ends t has a kink, where differences straddle two answers.
      if (std::abs(along - zones[j].min) < 2.0f * h || std::abs(along - zones[j].max) < 2.0f * h)
        continue;
      const vec3 difference = glm::cross(u1[v] - u0[v], v1[v] - v0[v]) / (4.0f * h * h);
      if (glm::length(difference) < 0.05f) continue; // folded: no surface to speak of
      CHECK(std::abs(glm::dot(glm::normalize(difference), out.normals[v])) > 0.999f);
      if (t > 0.0f && t < 1.0f) ++inside;
    }
    CHECK(inside > 5);
  }
}
