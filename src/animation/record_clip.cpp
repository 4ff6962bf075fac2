#include "animation/record_clip.h"

#include <algorithm>

namespace sinew {
namespace {

template <class T>
Track<T> trackOf(std::span<const Pose> poses, std::uint32_t node, T Transform::*part, const T& rest,
                 float framesPerSecond) {
  Track<T> track;
  const auto at = [&](std::size_t i) { return poses[i].parentFromNode[node].*part; };
  bool still = true;
  for (std::size_t i = 0; i < poses.size(); ++i)
    still = still && at(i) == at(0);
  if (poses.empty() || (still && at(0) == rest)) return track;
  for (std::size_t i = 0; i < (still ? 1 : poses.size()); ++i) {
    track.times.push_back(static_cast<float>(i) / framesPerSecond);
    track.values.push_back(at(i));
  }
  return track;
}

} // namespace

Clip recordClip(std::string name, const Hierarchy& hierarchy, std::span<const Pose> poses,
                float framesPerSecond) {
  Clip clip{std::move(name), 0.0f, {}};
  if (poses.size() > 1) clip.seconds = static_cast<float>(poses.size() - 1) / framesPerSecond;
  for (std::uint32_t node = 0; node < hierarchy.nodes.size(); ++node) {
    const Transform& rest = hierarchy.nodes[node].rest;
    Channel channel{
        node, trackOf(poses, node, &Transform::translation, rest.translation, framesPerSecond),
        trackOf(poses, node, &Transform::rotation, rest.rotation, framesPerSecond),
        trackOf(poses, node, &Transform::scale, rest.scale, framesPerSecond)};
    // Neighbours on the same hemisphere, as a Channel has them.
    for (std::size_t i = 1; i < channel.rotation.values.size(); ++i)
      if (quat& q = channel.rotation.values[i]; glm::dot(channel.rotation.values[i - 1], q) < 0.0f)
        q = -q;
    if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
        !channel.scale.times.empty())
      clip.channels.push_back(std::move(channel));
  }
  return clip;
}

} // namespace sinew
