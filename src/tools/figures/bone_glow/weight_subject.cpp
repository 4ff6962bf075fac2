#include "tools/figures/bone_glow/weight_subject.h"

#include "demo/models.h"
#include "demo/rigging.h"
#include "model/implicit.h"

#include <array>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

constexpr glm::u8vec4 kBoneColor(255, 255, 255, 255);

// z points forwards; the left half is mirrored.
float penguinField(const vec3& at) {
  const vec3 p(std::abs(at.x), at.y, at.z);
  float f = ellipsoidField(p, {0, 0.40f, 0}, {0.25f, 0.36f, 0.23f});
  f = smoothUnion(f, ellipsoidField(p, {0, 0.82f, 0.02f}, {0.15f, 0.16f, 0.15f}), 0.12f);
  f = smoothUnion(f, taperedCapsule(p, {0, 0.80f, 0.13f}, {0, 0.77f, 0.33f}, 0.055f, 0.025f),
                  0.03f);
  f = smoothUnion(f, taperedCapsule(p, {0.20f, 0.58f, 0}, {0.43f, 0.30f, 0}, 0.055f, 0.035f),
                  0.04f);
  const float foot = ellipsoidField(p, {0.13f, 0.045f, 0.11f}, {0.085f, 0.045f, 0.16f});
  return smoothUnion(f, foot, 0.05f);
}

constexpr float kCell = 0.016f;

} // namespace

WeightSubject makeSubject(std::string name, Model model, Skeleton skeleton) {
  WeightSubject out{std::move(name), meshesAlone(std::move(model)), {}, std::move(skeleton)};
  out.joined = joinMeshes(out.meshes);
  return out;
}

Skeleton makeBones(std::span<const BoneSpec> bones) {
  std::vector<JointSpec> joints;
  joints.reserve(bones.size());
  for (const BoneSpec& bone : bones)
    joints.push_back({bone.name, bone.parent, bone.bone.from});
  Skeleton out;
  out.hierarchy = makeSkeleton("", joints).hierarchy;
  for (std::uint32_t b = 0; b < bones.size(); ++b) {
    mat4 modelFromJoint(1.0f);
    modelFromJoint[3] = vec4(bones[b].bone.from, 1.0f);
    out.joints.push_back(b);
    out.modelFromJoint.push_back(modelFromJoint);
    out.bones.push_back(bones[b].bone);
    out.jointOfBone.push_back(b);
  }
  return out;
}

WeightSubject humanSubject() {
  constexpr float kArm = 1.305f; // height of the arms' middle
  const std::array kBones = {
      BoneSpec{"lower back", "", {{0, 0.92f, 0}, {0, 1.14f, -0.01f}}},
      BoneSpec{"upper back", "lower back", {{0, 1.14f, -0.01f}, {0, 1.40f, -0.018f}}},
      BoneSpec{"head", "upper back", {{0, 1.40f, -0.018f}, {0, 1.68f, -0.01f}}},
      BoneSpec{"left arm", "upper back", {{0.115f, kArm, -0.014f}, {0.405f, kArm, -0.014f}}},
      BoneSpec{"left forearm", "left arm", {{0.405f, kArm, -0.014f}, {0.72f, kArm, -0.006f}}},
      BoneSpec{"right arm", "upper back", {{-0.115f, kArm, -0.014f}, {-0.405f, kArm, -0.014f}}},
      BoneSpec{"right forearm", "right arm", {{-0.405f, kArm, -0.014f}, {-0.72f, kArm, -0.006f}}},
      BoneSpec{"left leg", "lower back", {{0.088f, 0.88f, 0}, {0.097f, 0.48f, 0.006f}}},
      BoneSpec{"left shin", "left leg", {{0.097f, 0.48f, 0.006f}, {0.1f, 0.06f, -0.02f}}},
      BoneSpec{"left foot", "left shin", {{0.1f, 0.06f, -0.02f}, {0.104f, 0.03f, 0.13f}}},
      BoneSpec{"right leg", "lower back", {{-0.088f, 0.88f, 0}, {-0.097f, 0.48f, 0.006f}}},
      BoneSpec{"right shin", "right leg", {{-0.097f, 0.48f, 0.006f}, {-0.1f, 0.06f, -0.02f}}},
      BoneSpec{"right foot", "right shin", {{-0.1f, 0.06f, -0.02f}, {-0.104f, 0.03f, 0.13f}}}};
  Model model = makeHumanoid();
  std::erase_if(model.meshes, [](const Mesh& mesh) { return !mesh.skin; }); // the face
  return makeSubject("humanoid", std::move(model), makeBones(kBones));
}

std::uint32_t boneNamed(const WeightSubject& subject, std::string_view name) {
  const auto node = findNode(subject.skeleton.hierarchy, name);
  assert(node);
  return *node;
}

WeightOptions asPublished(WeightOptions options) {
  options.influences = 0;
  return options;
}

AutomaticWeights bind(const WeightSubject& subject, WeightOptions options) {
  options.proxy = WeightProxy::none;
  return automaticWeights(subject.joined.positions, subject.joined.triangles,
                          subject.skeleton.bones, options, subject.skeleton.jointOfBone);
}

Image shootWeights(const WeightSubject& subject, const Influences& influences, std::uint32_t bone,
                   Shot shot) {
  const Model model = bindModel(subject.meshes, subject.skeleton, influences);
  Overlay overlay;
  overlay.onTop = true;
  const BoneSegment& segment = subject.skeleton.bones[bone];
  const float thick = 0.008f * computeBounds(subject.joined.positions).size();
  addRod(overlay, segment.from, segment.to, 0.4f * thick, kBoneColor);
  shot.field = gatherWeights(influences, subject.skeleton.jointOfBone[bone]);
  shot.overlays.push_back(std::move(overlay));
  return shoot(poseBy(model, {"lbs"}, restPose(model.hierarchy)), shot);
}

Image shootPosed(const WeightSubject& subject, const Influences& influences,
                 std::span<const BoneRotation> rotations, Shot shot, const std::string& method) {
  const Model model = bindModel(subject.meshes, subject.skeleton, influences);
  Pose pose = restPose(model.hierarchy);
  for (const BoneRotation& each : rotations)
    pose.parentFromNode[boneNamed(subject, each.bone)].rotation = each.rotation;
  shot.textures = false;
  return shoot(poseBy(model, {.method = method, .influences = 12}, pose), shot);
}

WeightShare shareWhere(const WeightSubject& subject, const Influences& influences,
                       std::uint32_t joint, const std::function<bool(std::size_t)>& counts) {
  const auto& [positions, triangles] = subject.joined;
  std::vector<double> areas(positions.size(), 0.0);
  for (const Triangle& t : triangles) {
    const vec3 across =
        glm::cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
    for (const std::uint32_t v : t)
      areas[v] += static_cast<double>(glm::length(across)) / 6.0;
  }
  const std::vector<float> weights = gatherWeights(influences, joint);
  double area = 0.0, there = 0.0, all = 0.0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    const double weight = areas[v] * static_cast<double>(weights[v]);
    all += weight;
    if (!counts(v)) continue;
    there += weight;
    area += areas[v];
  }
  return {area > 0.0 ? there / area : 0.0, all > 0.0 ? there / all : 0.0};
}

WeightSubject penguinSubject() {
  NodeGrid grid{66, 68, 48, [](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
                  return kCell * vec3(static_cast<float>(i) - 32.5f, static_cast<float>(j) - 1.5f,
                                      static_cast<float>(k) - 19.5f);
                }};
  Shape net = surfaceNets(grid, penguinField);
  relax(net.positions, neighbours(net.positions.size(), triangulate(net)), penguinField, 4,
        [](std::uint32_t /*vertex*/, const vec3& p) { return p; });
  Model model;
  model.name = "penguin";
  model.format = "generated";
  model.hierarchy.nodes = {{"root", kNoNode, {}}};
  model.meshes = {toMesh(net, "penguin")};
  model.materials = {Material{}};
  const std::array kBones = {
      BoneSpec{"back", "", {{0, 0.16f, -0.02f}, {0, 0.62f, -0.02f}}},
      BoneSpec{"head", "back", {{0, 0.64f, -0.01f}, {0, 0.90f, 0.02f}}},
      BoneSpec{"beak", "head", {{0, 0.80f, 0.06f}, {0, 0.77f, 0.32f}}},
      BoneSpec{"left flipper", "back", {{0.13f, 0.60f, 0}, {0.42f, 0.31f, 0}}},
      BoneSpec{"right flipper", "back", {{-0.13f, 0.60f, 0}, {-0.42f, 0.31f, 0}}},
      BoneSpec{"left foot", "back", {{0.13f, 0.08f, 0}, {0.13f, 0.04f, 0.22f}}},
      BoneSpec{"right foot", "back", {{-0.13f, 0.08f, 0}, {-0.13f, 0.04f, 0.22f}}}};
  return makeSubject("penguin", std::move(model), makeBones(kBones));
}

} // namespace sinew
