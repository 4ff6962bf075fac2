// Rigs, methods and poses for the tests of skinning on the CPU.
#pragma once

#include "core/random.h"
#include "cpu_skin/cpu_skin.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>

#include <string_view>
#include <vector>

namespace sinew::test {

struct KernelCase {
  std::string_view method;
  std::vector<float> parameters;
  bool twists = false; // every joint has a twist range of its own
};

inline BindOptions kernelOptions(const KernelCase& each, const Rig& rig) {
  BindOptions options;
  options.influences = kInfluenceLimit;
  options.parameters = each.parameters;
  if (each.twists)
    options.twists.assign(rig.joints.size(), TwistRange{TwistRange::Kind::given, -0.3f, 0.4f});
  return options;
}

inline std::vector<KernelCase> kernelCases() {
  std::vector<KernelCase> out{{"rigid", {}}, {"lbs", {}},  {"dqs", {}},
                              {"cor", {}},   {"stbs", {}}, {"ddm", {}}};
  for (const char* joints : {"bones-blending", "arc-spline", "bezier-spline"})
    for (const float source : {0.0f, 1.0f})
      for (const float attachments : {1.0f, 3.0f})
        out.push_back({joints, {source, attachments}});
  out.push_back({"bones-blending", {0, 3, 2, 1, 1}});   // normals=none, skip=on, axis=per-vertex
  out.push_back({"arc-spline", {0, 3, 1, 2, 1, 0, 0}}); // vectorized, normals=none, mixing=plain
  out.push_back({"arc-spline", {0, 3, 0, 0, 0, 0, 1}}); // directions=texture
  out.push_back({"ddm", {2, 4, 0.5f, 1, 8}});           // joints=8
  for (const char* joints : {"bones-blending", "arc-spline", "bezier-spline"})
    out.push_back({joints, {}, true});
  return out;
}

// Any tangents across the normals.
inline void giveRandomTangents(Rig& rig, std::uint64_t seed) {
  Random random(seed);
  for (const vec3& normal : rig.normals) {
    vec3 tangent(0.0f);
    while (glm::length(tangent) < 0.1f)
      tangent = glm::cross(normal, randomDirection(random));
    rig.tangents.emplace_back(glm::normalize(tangent), random.below(2) == 0 ? 1.0f : -1.0f);
  }
}

inline CpuSkin skinWithTangents(const Method& method, const Rig& rig, const Binding& binding) {
  CpuSkin out(method, rig, binding, {}, true);
  out.addTangentBlocks(rig, binding);
  return out;
}

struct PosedInOrder {
  std::vector<vec3> positions, normals;
  std::vector<vec4> tangents;
  bool operator==(const PosedInOrder&) const = default;
};

inline PosedInOrder poseInOrder(const CpuSkin& skin, const Palette& palette, bool tangents) {
  const std::size_t count = skin.vertexCount();
  PosedInOrder out{std::vector<vec3>(count), std::vector<vec3>(count),
                   std::vector<vec4>(tangents ? count : 0)};
  SkinRoom room;
  SkinTarget target{&out.positions[0].x, &out.normals[0].x, true};
  if (tangents) target.tangents = &out.tangents[0].x;
  skin.skinInOrder(palette.rows, palette.nonUniformScale, room, target);
  return out;
}

} // namespace sinew::test
