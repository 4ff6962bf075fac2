#include "animation/clip_keys.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

std::vector<float> sorted(std::vector<float> times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase_if(times, [](float t) { return t < 0.0f; });
  return times;
}

template <class T>
void appendBetween(const Track<T>& track, std::vector<float>& out) {
  for (std::size_t i = 1; i < track.times.size(); ++i) {
    const float from = track.times[i - 1];
    const float to = track.times[i];
    if (track.interpolation == Interpolation::step) out.push_back(std::nextafter(to, from));
    if (track.interpolation == Interpolation::cubic)
      for (int part = 1; part < kCurveParts; ++part)
        out.push_back(from +
                      (to - from) * static_cast<float>(part) / static_cast<float>(kCurveParts));
  }
}

} // namespace

std::vector<float> keyTimes(const Clip& clip, std::optional<std::uint32_t> node) {
  std::vector<float> times;
  for (const Channel& channel : clip.channels) {
    if (node && channel.node != *node) continue;
    for (const auto* track :
         {&channel.translation.times, &channel.rotation.times, &channel.scale.times})
      times.insert(times.end(), track->begin(), track->end());
  }
  if (!node)
    for (const MorphChannel& channel : clip.morphs)
      times.insert(times.end(), channel.weight.times.begin(), channel.weight.times.end());
  for (const TwistChannel& channel : clip.twists)
    if (!node || channel.node == *node)
      times.insert(times.end(), channel.twist.times.begin(), channel.twist.times.end());
  return sorted(std::move(times));
}

std::vector<float> linearKeyTimes(const Clip& clip) {
  std::vector<float> times = keyTimes(clip);
  for (const Channel& channel : clip.channels) {
    appendBetween(channel.translation, times);
    appendBetween(channel.rotation, times);
    appendBetween(channel.scale, times);
  }
  for (const MorphChannel& channel : clip.morphs)
    appendBetween(channel.weight, times);
  for (const TwistChannel& channel : clip.twists)
    appendBetween(channel.twist, times);
  return sorted(std::move(times));
}

float frameSeconds(const Clip& clip) {
  return frameSeconds(keyTimes(clip));
}

float frameSeconds(std::span<const float> times) {
  std::vector<float> steps;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (const float step = times[i] - times[i - 1]; step > 1e-4f) steps.push_back(step);
  if (steps.empty()) return kUsualFrame;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle <= 0.1f ? *middle : kUsualFrame;
}

namespace {

// getValue(i) returns the value in frame i.
template <class T, class GetValue>
Track<T> recordTrack(std::span<const float> times, const T& rest, const GetValue& getValue) {
  Track<T> track;
  for (std::size_t i = 0; i < times.size(); ++i) {
    T value = getValue(i);
    if constexpr (std::is_same_v<T, quat>)
      if (!track.values.empty() && glm::dot(track.values.back(), value) < 0.0f) value = -value;
    track.times.push_back(times[i]);
    track.values.push_back(value);
  }
  const auto isFirst = [&](const T& value) { return value == track.values.front(); };
  if (!std::all_of(track.values.begin(), track.values.end(), isFirst)) return track;
  if (track.values.front() == rest) return {};
  track.times.resize(1);
  track.values.resize(1);
  return track;
}

void recordMorphs(const Model& model, std::span<const Pose> poses, std::span<const float> times,
                  Clip& clip) {
  for (std::uint32_t target = 0; target < model.morphTargets.size(); ++target) {
    const float rest = model.morphTargets[target].weight;
    const auto getWeight = [&](std::size_t i) {
      return poses[i].morphWeights.empty() ? rest : poses[i].morphWeights[target];
    };
    Track<float> track = recordTrack(times, rest, getWeight);
    if (!track.times.empty()) clip.morphs.push_back({target, std::move(track)});
  }
}

void recordTwists(const Model& model, std::span<const Pose> poses, std::span<const float> times,
                  Clip& clip) {
  for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
    const auto getTwist = [&](std::size_t i) { return twistAt(poses[i], node); };
    Track<float> track = recordTrack(times, 0.0f, getTwist);
    if (!track.times.empty()) clip.twists.push_back({node, std::move(track)});
  }
}

} // namespace

Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                double framesPerSecond) {
  std::vector<float> times;
  for (std::size_t i = 0; i < poses.size(); ++i)
    times.push_back(static_cast<float>(static_cast<double>(i) / framesPerSecond));
  return recordClip(model, std::move(name), poses, times);
}

Clip recordClip(const Model& model, std::string name, std::span<const Pose> poses,
                std::span<const float> times) {
  Clip clip{std::move(name), 0.0f, {}};
  if (poses.empty()) return clip;
  clip.seconds = times.back();
  for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
    const Transform& rest = model.hierarchy.nodes[node].rest;
    const auto track = [&]<class T>(T Transform::*part) {
      return recordTrack(times, rest.*part,
                         [&](std::size_t i) { return poses[i].parentFromNode[node].*part; });
    };
    Channel channel{node, track(&Transform::translation), track(&Transform::rotation),
                    track(&Transform::scale)};
    if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
        !channel.scale.times.empty())
      clip.channels.push_back(std::move(channel));
  }
  recordMorphs(model, poses, times, clip);
  recordTwists(model, poses, times, clip);
  return clip;
}

} // namespace sinew
