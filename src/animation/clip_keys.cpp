#include "animation/clip_keys.h"

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

} // namespace sinew
