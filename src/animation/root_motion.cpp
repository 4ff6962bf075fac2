#include "animation/root_motion.h"

#include "core/bounds.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>

namespace sinew {
namespace {

mat4 computeModelFromParent(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node) {
  mat4 modelFromParent(1.0f);
  for (std::uint32_t up = hierarchy.nodes[node].parent; up != kNoNode;
       up = hierarchy.nodes[up].parent)
    modelFromParent = toMatrix(pose.parentFromNode[up]) * modelFromParent;
  return modelFromParent;
}

vec3 positionAt(const Model& model, const Clip& clip, std::uint32_t node, float time) {
  const Pose pose = sample(model.hierarchy, clip, time);
  return transformPoint(computeModelFromParent(model.hierarchy, pose, node),
                        pose.parentFromNode[node].translation);
}

vec3 horizontal(const vec3& v) {
  return {v.x, 0.0f, v.z};
}

// Joints and their ancestors. Other nodes that a file moves (a camera, a light) do not move the
// character.
std::vector<bool> carriers(const Model& model) {
  std::vector<bool> carries(model.hierarchy.nodes.size(), false);
  for (std::uint32_t node : jointNodes(model))
    for (; node != kNoNode && !carries[node]; node = model.hierarchy.nodes[node].parent)
      carries[node] = true;
  return carries;
}

float skeletonSize(const Model& model) {
  Bounds bounds;
  const std::vector<mat4> rest = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (const std::uint32_t node : jointNodes(model))
    bounds.include(vec3(rest[node][3]));
  return bounds.empty() ? 0.0f : bounds.size();
}

bool travels(const Model& model, const Pose& rest, const Channel& channel, float least) {
  if (channel.translation.values.size() < 2) return false;
  const mat4 modelFromParent = computeModelFromParent(model.hierarchy, rest, channel.node);
  const vec3& first = channel.translation.values.front();
  for (const vec3& translation : channel.translation.values)
    if (glm::length(transformVector(modelFromParent, translation - first)) > least) return true;
  return false;
}

} // namespace

std::optional<RootPath> rootPath(const Model& model, const Clip& clip, const TimeMap& map) {
  const std::vector<bool> carries = carriers(model);
  const float least = 1e-3f * skeletonSize(model);
  const Pose rest = restPose(model.hierarchy);
  std::optional<RootPath> path;
  for (const Channel& channel : clip.channels)
    if (carries[channel.node] && (!path || channel.node < path->node) &&
        travels(model, rest, channel, least))
      path = RootPath{channel.node, {}, {}};
  if (!path) return path;
  TimeMap once;
  once.begin = map.begin;
  once.end = map.end;
  once.wrap = Wrap::clamp;
  const float first = mapTime(once, -1.0, clip.seconds).time;
  const float last =
      mapTime(once, 2.0 * static_cast<double>(clip.seconds) + 1.0, clip.seconds).time;
  path->start = horizontal(positionAt(model, clip, path->node, first));
  path->travel = horizontal(positionAt(model, clip, path->node, last)) - path->start;
  return path;
}

void moveRoot(const Hierarchy& hierarchy, const RootPath& path, RootMotion motion, double loops,
              Pose& pose) {
  if (motion == RootMotion::keep) return;
  const mat4 modelFromParent = computeModelFromParent(hierarchy, pose, path.node);
  if (glm::determinant(modelFromParent) == 0.0f) return; // scaled to nothing
  vec3& translation = pose.parentFromNode[path.node].translation;
  vec3 position = transformPoint(modelFromParent, translation);
  if (motion == RootMotion::off)
    position = {path.start.x, position.y, path.start.z};
  else
    position += static_cast<float>(loops) * path.travel;
  translation = transformPoint(glm::inverse(modelFromParent), position);
}

} // namespace sinew
