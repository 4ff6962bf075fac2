#include "app/posed_box.h"

#include "core/error.h"
#include "core/transform.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The box of a box under the linear part of a transform.
vec3 rotatedHalf(const mat4& m, const vec3& half) {
  return glm::abs(vec3(m[0])) * half.x + glm::abs(vec3(m[1])) * half.y +
         glm::abs(vec3(m[2])) * half.z;
}

Bounds widened(Bounds box, float margin) {
  if (box.empty()) return box;
  const vec3 more(margin * box.size());
  return {box.min - more, box.max + more};
}

} // namespace

JointBoxes jointBoxes(const Rig& rig, const Method& method) {
  if (method.usesFreeSplines && !rig.splines.empty())
    throw usageError(fmt::format("--cull has no boxes for the free splines of {}", method.name),
                     "leave out --cull");
  if (!rig.morphs.empty())
    throw usageError("--cull has no boxes for morph targets", "leave out --cull");
  std::vector<Bounds> boxes(rig.joints.size());
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    for (const Influence& influence : rig.influences.of(v))
      boxes[influence.joint].include(
          transformPoint(rig.joints[influence.joint].jointFromBind, rig.positions[v]));
  JointBoxes out;
  out.margin = method.entry == PaletteEntry::boneMatrix ? 1e-5f : kBendMargin;
  for (std::size_t j = 0; j < boxes.size(); ++j)
    if (!boxes[j].empty())
      out.joints.push_back({rig.joints[j].node, boxes[j].center(), 0.5f * boxes[j].extent()});
  return out;
}

Bounds posedBox(const JointBoxes& boxes, std::span<const mat4> modelFromNode) {
  Bounds out;
  for (const JointBox& joint : boxes.joints) {
    const mat4& m = modelFromNode[joint.node];
    const vec3 center = transformPoint(m, joint.center);
    const vec3 half = rotatedHalf(m, joint.half);
    out.include(center - half);
    out.include(center + half);
  }
  return widened(out, boxes.margin);
}

void posedBoxes(const JointBoxes& boxes, const PoseLanes& pose, std::array<Bounds, kLanes>& out) {
  out.fill({});
  for (const JointBox& joint : boxes.joints) {
    const Lanes* e = pose.modelFromNode[joint.node].entries;
    for (int r = 0; r < 3; ++r, e += 4)
      for (std::size_t l = 0; l < kLanes; ++l) {
        const float center = e[0][l] * joint.center.x + e[1][l] * joint.center.y +
                             e[2][l] * joint.center.z + e[3][l];
        const float half = std::abs(e[0][l]) * joint.half.x + std::abs(e[1][l]) * joint.half.y +
                           std::abs(e[2][l]) * joint.half.z;
        out[l].min[r] = std::min(out[l].min[r], center - half);
        out[l].max[r] = std::max(out[l].max[r], center + half);
      }
  }
  for (Bounds& each : out)
    each = widened(each, boxes.margin);
}

bool isInPicture(const mat4& clipFromWorld, const Bounds& box) {
  if (box.empty()) return false;
  const auto row = [&](int r) {
    return vec4(clipFromWorld[0][r], clipFromWorld[1][r], clipFromWorld[2][r], clipFromWorld[3][r]);
  };
  const vec4 w = row(3);
  const vec4 center(box.center(), 1.0f);
  const vec3 half = 0.5f * box.extent();
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0f, 1.0f}) {
      const vec4 plane = w + side * row(axis); // inside: plane . p >= 0
      const float reach = glm::dot(glm::abs(vec3(plane)), half);
      if (glm::dot(plane, center) + reach < 0.0f) return false;
    }
  return true;
}

} // namespace sinew
