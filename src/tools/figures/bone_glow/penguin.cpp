#include "tools/figures/bone_glow/penguin.h"

#include "model/implicit.h"

#include <array>
#include <cmath>

namespace sinew {
namespace {

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
