#include "animation/twist_curves.h"

#include "model/model.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace sinew {
namespace {

mat4 nodeFromBind(const Model& model, std::uint32_t node) {
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (joint.node == node) return joint.jointFromBind;
  return mat4(1.0f);
}

// The line about which a spline's end twists, in the space of its third node.
struct TwistAxis {
  vec3 through{0.0f};
  vec3 along{0.0f}; // unit; mirrored nodes turn the other way
};

std::optional<TwistAxis> twistAxis(const Model& model, const FreeSpline& spline, const Pose& pose) {
  const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
  const auto posed = [&](std::size_t i) {
    const std::uint32_t node = spline.nodes[i];
    return transformPoint(modelFromNode[node] * nodeFromBind(model, node), spline.points[i]);
  };
  const mat4& end = modelFromNode[spline.nodes[2]];
  const float determinant = glm::determinant(mat3(end));
  if (!(std::abs(determinant) > 1e-20f)) return std::nullopt;
  const vec3 along = glm::inverse(mat3(end)) * (posed(2) - posed(1));
  const float length = glm::length(along);
  if (!(length > 0.0f)) return std::nullopt;
  return TwistAxis{transformPoint(nodeFromBind(model, spline.nodes[2]), spline.points[2]),
                   along / (determinant < 0.0f ? -length : length)};
}

const FreeSpline* splineEndingAt(const Model& model, std::uint32_t node) {
  const auto found =
      std::ranges::find(model.splines, node, [](const auto& s) { return s.nodes[2]; });
  return found != model.splines.end() ? &*found : nullptr;
}

std::vector<float> keysOfBoth(const Track<quat>& rotation, const Track<float>& twist) {
  std::vector<float> out;
  std::ranges::set_union(rotation.times, twist.times, std::back_inserter(out));
  return out;
}

} // namespace

bool twistNode(const Model& model, std::uint32_t node, float angle, Pose& pose) {
  const FreeSpline* spline = splineEndingAt(model, node);
  const auto axis = spline != nullptr ? twistAxis(model, *spline, pose) : std::nullopt;
  if (!axis) return false;
  const quat rotation = glm::angleAxis(angle, axis->along);
  Transform& local = pose.parentFromNode[node];
  local.translation += local.rotation * (local.scale * (axis->through - rotation * axis->through));
  local.rotation = glm::normalize(local.rotation * rotation);
  return true;
}

void followTwists(const Model& model, const Clip& clip, float time,
                  const std::function<Pose(float time)>& sampled, Pose& pose) {
  for (const TwistChannel& channel : clip.twists) {
    const auto moving = std::ranges::find(clip.channels, channel.node, &Channel::node);
    if (splineEndingAt(model, channel.node) == nullptr || moving == clip.channels.end()) continue;
    const std::vector<float> keys = keysOfBoth(moving->rotation, channel.twist);
    const auto next = std::ranges::upper_bound(keys, time);
    if (next == keys.begin() || next == keys.end()) continue;
    if (moving->rotation.interpolation == Interpolation::step) continue;
    Pose before = sampled(*(next - 1));
    Pose after = sampled(*next);
    if (twistAt(before, channel.node) == twistAt(after, channel.node)) continue;
    twistNode(model, channel.node, -twistAt(before, channel.node), before);
    twistNode(model, channel.node, -twistAt(after, channel.node), after);
    const float share = (time - *(next - 1)) / (*next - *(next - 1));
    Transform& local = pose.parentFromNode[channel.node];
    const Transform& from = before.parentFromNode[channel.node];
    const Transform& to = after.parentFromNode[channel.node];
    local.translation = glm::mix(from.translation, to.translation, share);
    local.rotation = glm::slerp(from.rotation, to.rotation, share);
    twistNode(model, channel.node, twistAt(pose, channel.node), pose);
  }
}

} // namespace sinew
