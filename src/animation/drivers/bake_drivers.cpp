#include "animation/drivers/bake_drivers.h"

#include "animation/clip_keys.h"
#include "animation/record_clip.h"
#include "animation/sample.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr float kKeysPerSecond = 60.0f;
constexpr float kSecondsLimit = 3600.0f; // of a clip with further keys of its own

std::vector<float> bakedTimes(const Clip& clip) {
  std::vector<float> times = linearKeyTimes(clip);
  const float seconds = std::min(clip.seconds, kSecondsLimit);
  const auto count = static_cast<int>(seconds * kKeysPerSecond);
  for (int i = 0; i <= count; ++i)
    times.push_back(static_cast<float>(i) / kKeysPerSecond);
  times.push_back(clip.seconds);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool contains(std::span<const std::uint32_t> sorted, std::uint32_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

void bake(const Model& model, const PreparedDrivers& drivers, Clip& clip) {
  const std::vector<float> times = bakedTimes(clip);
  std::vector<Pose> poses(times.size());
  SampleCursor cursor;
  for (std::size_t i = 0; i < times.size(); ++i) {
    sample(model, clip, times[i], Wrap::clamp, cursor, poses[i]);
    drivers.apply(model, poses[i]);
  }
  Clip baked = recordClip(model, clip.name, poses, times);
  std::erase_if(clip.channels, [&](const Channel& c) { return contains(drivers.nodes(), c.node); });
  std::erase_if(clip.morphs,
                [&](const MorphChannel& c) { return contains(drivers.targets(), c.target); });
  for (Channel& channel : baked.channels)
    if (contains(drivers.nodes(), channel.node)) clip.channels.push_back(std::move(channel));
  for (MorphChannel& channel : baked.morphs)
    if (contains(drivers.targets(), channel.target)) clip.morphs.push_back(std::move(channel));
}

} // namespace

void bakeDrivers(Model& model, const PreparedDrivers& drivers) {
  if (drivers.nodes().empty() && drivers.targets().empty()) return;
  for (Clip& clip : model.clips)
    bake(model, drivers, clip);
}

} // namespace sinew
