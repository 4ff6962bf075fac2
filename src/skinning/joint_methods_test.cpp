// What must hold for every method that moves joints: bones blending and the splines.
#include "core/test_effort.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "rig/joint_weights.h"
#include "skinning/bone_palette.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using test::boneMatrix;
using test::jointOptions;
using test::largestMove;
using test::skinned;

namespace {

std::vector<const Method*> jointMethods() {
  std::vector<const Method*> found;
  for (const Method& method : methods())
    if (method.usesZones && !method.perJoint) found.push_back(&method);
  return found;
}

constexpr float kSources[] = {0.0f, 1.0f};

struct ArmScene {
  Model model = findDemo("arm").make();
  Rig rig = buildRig(model);
  std::uint32_t elbow = jointNamed(model, "LowerArm"); // node and joint

  std::vector<mat4> rotated(const quat& rotation) const {
    Pose pose = restPose(model.hierarchy);
    pose.parentFromNode[elbow].rotation = rotation;
    return modelFromNodes(model.hierarchy, pose);
  }
};

} // namespace

TEST_CASE("joint methods: in the bind pose no vertex moves") {
  for (const Method* method : jointMethods())
    for (const float source : kSources)
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(method->name);
        CAPTURE(source);
        CAPTURE(seed);
        RandomModelOptions options;
        options.rigidMesh = false;
        const Model model = randomModel(seed, options);
        const Rig rig = buildRig(model);
        const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
        const SkinnedMesh out = skinned(*method, rig, modelFromNode, jointOptions(source, 3));
        CHECK(largestMove(rig.positions, out.positions) <
              1e-6f * computeBounds(rig.positions).size());
      }
}

TEST_CASE("joint methods: rigid where one bone has all the weight, whatever the pose") {
  for (const Method* method : jointMethods())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(method->name);
      CAPTURE(seed);
      const Model model = randomModel(seed);
      Rig rig = buildRig(model);
      test::bindToOneBone(rig);
      const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
      const SkinnedMesh out = skinned(*method, rig, modelFromNode);
      const SkinnedMesh rigid = skinned(findMethod("rigid"), rig, modelFromNode);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        CHECK(glm::length(out.positions[v] - rigid.positions[v]) < 1e-5f);
        CHECK(glm::length(out.normals[v] - rigid.normals[v]) < 1e-4f);
      }
    }
}

TEST_CASE("joint methods: a joint may also translate and stretch, fully at the end of its motion") {
  for (const Method* method : jointMethods())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(method->name);
      CAPTURE(seed);
      RandomModelOptions options;
      options.nonUniformScale = true;
      const Model model = randomModel(seed, options);
      Rig rig = buildRig(model);
      test::bindToOneBone(rig);
      Pose pose = randomPose(model, seed, options);
      Random random(seed);
      for (Transform& t : pose.parentFromNode)
        t.translation += 0.2f * randomDirection(random);
      const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
      const SkinnedMesh out = skinned(*method, rig, modelFromNode);
      const SkinnedMesh rigid = skinned(findMethod("rigid"), rig, modelFromNode);
      const float size = computeBounds(rigid.positions).size();
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        CHECK(glm::length(out.positions[v] - rigid.positions[v]) < 1e-5f * size);
        CHECK(glm::length(out.normals[v] - rigid.normals[v]) < 1e-3f);
      }
    }
}

TEST_CASE("joint methods: by zone, rigid with the parent before it and with the joint after it") {
  for (const Method* method : jointMethods())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(method->name);
      CAPTURE(seed);
      const Model model = randomModel(seed);
      const Rig rig = buildRig(model);
      const std::vector<BoneAxis> axes = boneAxes(rig);
      BindOptions options = jointOptions(1, 1);
      for (const BoneAxis& axis : axes) // short, so that many vertices are outside
        options.zones.push_back({-0.1f * axis.parentLength, 0.1f * axis.length});
      const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
      const SkinnedMesh out = skinned(*method, rig, modelFromNode, options);
      const JointAttachments attachments = test::bindAttachments(rig, options);
      int outside = 0;
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const std::uint32_t j = attachments.of(v)[0].joint;
        const float t = zoneParameter(axes[j], options.zones[j], rig.positions[v]);
        if (t > 0.0f && t < 1.0f) continue;
        const std::uint32_t bone = t == 1.0f ? j : parentOrSelf(rig)[j];
        const vec3 rigid = transformPoint(boneMatrix(rig, modelFromNode, bone), rig.positions[v]);
        CHECK(glm::length(out.positions[v] - rigid) < 1e-5f);
        ++outside;
      }
      CHECK(outside > 50);
    }
}

TEST_CASE("joint methods: a twist by any angle to 180 degrees keeps every cross-section's radius") {
  const ArmScene arm;
  for (const Method* method : jointMethods())
    for (const float source : kSources)
      for (const float degrees : {-180.0f, -135.0f, 20.0f, 90.0f, 179.0f, 180.0f}) {
        CAPTURE(method->name);
        CAPTURE(source);
        CAPTURE(degrees);
        const auto modelFromNode = arm.rotated(rotationAbout(vec3(1, 0, 0), degrees));
        const SkinnedMesh out = skinned(*method, arm.rig, modelFromNode, jointOptions(source, 1));
        for (std::size_t v = 0; v < out.positions.size(); ++v) {
          const vec3& before = arm.rig.positions[v];
          const vec3& after = out.positions[v];
          CHECK(std::abs(std::hypot(after.y, after.z) - std::hypot(before.y, before.z)) < 2e-6f);
          CHECK(std::abs(after.x - before.x) < 2e-6f);
        }
      }
}

TEST_CASE("joint methods: as a bend approaches zero, so does the skin's displacement") {
  const ArmScene arm;
  const float size = computeBounds(arm.rig.positions).size();
  for (const Method* method : jointMethods())
    for (const float source : kSources)
      for (int direction = 0; direction < 24; direction += test::rounds(1, 5)) {
        CAPTURE(method->name);
        CAPTURE(source);
        CAPTURE(direction);
        const float around = 6.2831853f * static_cast<float>(direction) / 24.0f;
        const vec3 axis(0.0f, std::cos(around), std::sin(around));
        for (const float angle : {1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f, 0.0f}) {
          const auto modelFromNode = arm.rotated(glm::angleAxis(angle, axis));
          const SkinnedMesh out = skinned(*method, arm.rig, modelFromNode, jointOptions(source, 3));
          CHECK(largestMove(arm.rig.positions, out.positions) < size * (angle + 1e-6f));
        }
      }
}

TEST_CASE("joint methods: a source set for a joint is that joint's alone") {
  for (const Method* method : jointMethods())
    for (const float parameter : kSources)
      for (const float extra : {0.0f, 1.0f}) { // splines together, exact normals
        CAPTURE(method->name);
        CAPTURE(parameter);
        const Model model = randomModel(31);
        const Rig rig = buildRig(model);
        const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, 32));
        const auto with = [&](float source, std::vector<std::optional<ParameterSource>> sources) {
          BindOptions options = jointOptions(source, 1);
          options.parameters.insert(options.parameters.end(), {extra, extra});
          options.sources = std::move(sources);
          return skinned(*method, rig, modelFromNode, options);
        };
        const SkinnedMesh plain = with(parameter, {});
        const SkinnedMesh other = with(1.0f - parameter, {});
        std::vector<std::optional<ParameterSource>> sources(rig.joints.size());
        for (std::size_t j = 0; j < sources.size(); j += 2)
          sources[j] = parameter == 0.0f ? ParameterSource::zone : ParameterSource::weights;
        sources[1] = parameter == 0.0f ? ParameterSource::weights : ParameterSource::zone;
        const SkinnedMesh mixed = with(parameter, sources);
        const JointAttachments attachments = attachToJoints(rig, 1);
        int differ = 0;
        for (std::size_t v = 0; v < mixed.positions.size(); ++v) {
          const SkinnedMesh& same = attachments.of(v)[0].joint % 2 == 0 ? other : plain;
          CHECK(mixed.positions[v] == same.positions[v]);
          // Exact normals of joints that do not need them take another way to the cheap ones.
          CHECK(glm::length(mixed.normals[v] - same.normals[v]) < 1e-5f);
          if (plain.positions[v] != other.positions[v]) ++differ;
        }
        CHECK(differ > 50);
      }
}

TEST_CASE("joint methods: with a curve the bind pose stays, and the ends are rigid") {
  const BlendCurve drawn{BlendCurve::Kind::drawn, {{0.25f, 0.5f}, {0.5f, 0.625f}}};
  for (const Method* method : jointMethods()) {
    CAPTURE(method->name);
    test::OneSpline scene(9, 0.5f, 0.4f);
    scene.options.zones[1].curve = drawn;
    const quat rotation = glm::angleAxis(1.2f, glm::normalize(vec3(0.3f, 0.2f, 1.0f)));
    const auto posedBy = [&](const quat& each) {
      return skinned(*method, scene.rig, scene.rotated(each), scene.options).positions;
    };
    const std::vector<vec3> rest = posedBy(quat(1, 0, 0, 0));
    const std::vector<vec3> posed = posedBy(rotation);
    const std::vector<vec3> linear = [&] {
      scene.options.zones[1].curve = {};
      return posedBy(rotation);
    }();
    float within = 0.0f;
    for (std::size_t v = 0; v < posed.size(); ++v) {
      const vec3& p = scene.rig.positions[v];
      CHECK(glm::length(rest[v] - p) < 1e-5f);
      if (p.x <= -0.5f) CHECK(glm::length(posed[v] - p) < 1e-5f);
      if (p.x >= 0.4f) CHECK(glm::length(posed[v] - rotation * p) < 1e-5f);
      if (p.x > -0.5f && p.x < 0.4f) within = std::max(within, glm::length(posed[v] - linear[v]));
    }
    CHECK(within > 0.02f); // it is another bend
  }
}

TEST_CASE("bones blending: a smooth curve turns the skin without a kink, a linear one has two") {
  // Along the bone, how much the rate at which the normal turns changes from step to step, at most.
  const auto largestKink = [](BlendCurve::Kind kind) {
    test::OneSpline scene(1, 0.5f, 0.5f);
    constexpr int kSteps = 200;
    constexpr float kBend = 2.0f;
    scene.options.zones[1].curve.kind = kind;
    for (int i = 0; i < kSteps; ++i) {
      scene.rig.positions[static_cast<std::size_t>(i)] = {
          -1.0f + 2.0f * static_cast<float>(i) / kSteps, 0.1f, 0.0f};
      scene.rig.normals[static_cast<std::size_t>(i)] = {0, 1, 0};
    }
    const SkinnedMesh out =
        skinned(findMethod("bones-blending"), scene.rig,
                scene.rotated(glm::angleAxis(kBend, vec3(0, 0, 1))), scene.options);
    float largest = 0.0f, before = 0.0f;
    for (std::size_t i = 0; i + 1 < kSteps; ++i) {
      const vec3& a = out.normals[i];
      const vec3& b = out.normals[i + 1];
      const float rate = std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) * kSteps / 2.0f;
      if (i > 0) largest = std::max(largest, std::abs(rate - before));
      before = rate;
    }
    return largest / kBend; // relative to the turn over the zone's length, 1
  };
  CHECK(largestKink(BlendCurve::Kind::linear) > 0.4f);
  CHECK(largestKink(BlendCurve::Kind::smooth) < 0.1f);
}

TEST_CASE("methods: noise in scale that is handled as a rotation moves skin by less than stated") {
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    int rigid = 0;
    int stretched = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      for (const float noise : {1e-5f, 5e-5f, 2e-4f, 4e-3f}) {
        CAPTURE(seed);
        CAPTURE(noise);
        RandomModelOptions options;
        options.rigidMesh = false;
        const Model model = randomModel(seed, options);
        const Rig rig = buildRig(model);
        auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
        Random random(seed);
        const auto factor = [&] { return 1.0f + random.uniform(-noise, noise); };
        for (mat4& m : modelFromNode)
          m = glm::scale(m, vec3(factor(), factor(), factor()));
        // Normals of blended matrices differ in the two forms, those of one matrix do not.
        const bool blended = method.entry == PaletteEntry::boneMatrix;
        const Binding binding = method.bind(rig, {.influences = blended ? 1 : kDefaultInfluences});
        Palette palette;
        packPalette(method, rig, binding, modelFromNode, palette);
        ++(palette.nonUniformScale ? stretched : rigid);
        if (palette.nonUniformScale) continue;
        SkinnedMesh taken;
        method.skin(rig, binding, palette, taken);
        palette.nonUniformScale = true;
        SkinnedMesh exact;
        method.skin(rig, binding, palette, exact);
        Bounds skeleton;
        for (const RigJoint& joint : rig.joints)
          skeleton.include(vec3(glm::inverse(joint.jointFromBind)[3]));
        CHECK(largestMove(exact.positions, taken.positions) <
              (kRigidError + 2e-6f) * skeleton.size());
        if (!method.perJoint) CHECK(largestMove(exact.normals, taken.normals) < 5.0f * kRigidSlope);
      }
    CHECK(rigid >= 4);
    CHECK(stretched >= 4);
  }
}
