#include "import/clip_repairs.h"

#include "import/append_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace sinew {
namespace {

template <class T>
void sortAny(Track<T>& track, RepairLog& repairs) {
  const std::size_t count = track.times.size();
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (track.times[i] <= track.times[i - 1]) ++wrong;
  if (wrong == 0) return;
  repairs.add(Repair::keyUnordered, wrong);
  std::vector<std::size_t> sorted(count);
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return track.times[a] < track.times[b]; });
  Track<T> out;
  out.interpolation = track.interpolation;
  for (const std::size_t i : sorted) {
    if (!out.times.empty() && out.times.back() == track.times[i]) {
      out.values.back() = track.values[i];
      if (!track.tangents.empty()) out.tangents.back() = track.tangents[i];
      continue;
    }
    out.times.push_back(track.times[i]);
    out.values.push_back(track.values[i]);
    if (!track.tangents.empty()) out.tangents.push_back(track.tangents[i]);
  }
  track = std::move(out);
}

} // namespace

void sortKeys(Track<vec3>& track, RepairLog& repairs) {
  sortAny(track, repairs);
}

void sortKeys(Track<quat>& track, RepairLog& repairs) {
  sortAny(track, repairs);
}

void sortKeys(Track<float>& track, RepairLog& repairs) {
  sortAny(track, repairs);
}

void repairRotationKeys(Track<quat>& track, RepairLog& repairs) {
  const bool cubic = track.interpolation == Interpolation::cubic;
  Track<quat> out;
  out.interpolation = track.interpolation;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    quat q = track.values[i];
    const float length = glm::length(q);
    if (!(length > 1e-6f)) {
      repairs.add(Repair::keyZeroQuaternion);
      continue;
    }
    if (!cubic) q = q / length;
    if (!cubic && !out.values.empty() && glm::dot(out.values.back(), q) < 0.0f) q = -q;
    out.times.push_back(track.times[i]);
    out.values.push_back(q);
    if (cubic) out.tangents.push_back(track.tangents[i]);
  }
  track = std::move(out);
}

void repairScaleKeys(Track<vec3>& track, RepairLog& repairs) {
  for (vec3& scale : track.values)
    if (repairZeroScale(scale)) repairs.add(Repair::keyScaleZero);
}

float lastKey(const Clip& clip) {
  float last = 0.0f;
  for (const Channel& channel : clip.channels)
    for (const auto* times :
         {&channel.translation.times, &channel.rotation.times, &channel.scale.times})
      if (!times->empty()) last = std::max(last, times->back());
  for (const MorphChannel& channel : clip.morphs)
    if (!channel.weight.times.empty()) last = std::max(last, channel.weight.times.back());
  for (const TwistChannel& channel : clip.twists)
    if (!channel.twist.times.empty()) last = std::max(last, channel.twist.times.back());
  return last;
}

void nameClips(std::vector<Clip>& clips) {
  std::unordered_set<std::string> used;
  std::unordered_map<std::string, int> lastNumber; // per name; many clips may have the same
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (clips[i].name.empty()) clips[i].name = fmt::format("clip {}", i);
    const std::string base = clips[i].name;
    if (used.insert(base).second) continue;
    int& n = lastNumber.try_emplace(base, 1).first->second;
    do
      clips[i].name = fmt::format("{} ({})", base, ++n);
    while (!used.insert(clips[i].name).second);
  }
}

} // namespace sinew
