#include "animation/clip_of_poses.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

template <class T, class Part>
Track<T> trackOf(std::span<const Pose> poses, std::size_t node, double perSecond, const Part& part,
                 const T& rest) {
  Track<T> track;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    T value = part(poses[i].parentFromNode[node]);
    if constexpr (std::is_same_v<T, quat>)
      if (!track.values.empty() && glm::dot(track.values.back(), value) < 0.0f) value = -value;
    track.times.push_back(static_cast<float>(static_cast<double>(i) / perSecond));
    track.values.push_back(value);
  }
  const auto isFirst = [&](const T& value) { return value == track.values.front(); };
  if (!std::all_of(track.values.begin(), track.values.end(), isFirst)) return track;
  if (track.values.front() == rest) return {};
  track.times.resize(1);
  track.values.resize(1);
  return track;
}

} // namespace

Clip clipOfPoses(const Hierarchy& hierarchy, std::string name, std::span<const Pose> poses,
                 double perSecond) {
  assert(!poses.empty());
  Clip clip{
      std::move(name), static_cast<float>(static_cast<double>(poses.size() - 1) / perSecond), {}};
  for (std::uint32_t node = 0; node < hierarchy.nodes.size(); ++node) {
    const Transform& rest = hierarchy.nodes[node].rest;
    Channel channel{node, {}, {}, {}};
    channel.translation = trackOf<vec3>(
        poses, node, perSecond, [](const Transform& t) { return t.translation; }, rest.translation);
    channel.rotation = trackOf<quat>(
        poses, node, perSecond, [](const Transform& t) { return t.rotation; }, rest.rotation);
    channel.scale = trackOf<vec3>(
        poses, node, perSecond, [](const Transform& t) { return t.scale; }, rest.scale);
    if (channel.translation.times.empty() && channel.rotation.times.empty() &&
        channel.scale.times.empty())
      continue;
    clip.channels.push_back(std::move(channel));
  }
  return clip;
}

} // namespace sinew
