#include "animation/record_clip.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>

namespace sinew {
namespace {

template <class T>
Track<T> trackOf(std::span<const Pose> poses, std::size_t node, double framesPerSecond,
                 T Transform::*part, const T& rest) {
  Track<T> track;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    T value = poses[i].parentFromNode[node].*part;
    if constexpr (std::is_same_v<T, quat>)
      if (!track.values.empty() && glm::dot(track.values.back(), value) < 0.0f) value = -value;
    track.times.push_back(static_cast<float>(static_cast<double>(i) / framesPerSecond));
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

Clip recordClip(const Hierarchy& hierarchy, std::string name, std::span<const Pose> poses,
                double framesPerSecond) {
  Clip clip{std::move(name), 0.0f, {}};
  if (poses.empty()) return clip;
  clip.seconds = static_cast<float>(static_cast<double>(poses.size() - 1) / framesPerSecond);
  for (std::uint32_t node = 0; node < hierarchy.nodes.size(); ++node) {
    const Transform& rest = hierarchy.nodes[node].rest;
    const auto track = [&]<class T>(T Transform::*part) {
      return trackOf(poses, node, framesPerSecond, part, rest.*part);
    };
    Channel channel{node, track(&Transform::translation), track(&Transform::rotation),
                    track(&Transform::scale)};
    if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
        !channel.scale.times.empty())
      clip.channels.push_back(std::move(channel));
  }
  return clip;
}

} // namespace sinew
