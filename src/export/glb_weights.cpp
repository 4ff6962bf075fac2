#include "export/glb_weights.h"

#include "animation/clip_keys.h"
#include "animation/sample.h"

#include <algorithm>

namespace sinew {
namespace {

const Track<float>* findTrack(const Clip& clip, std::uint32_t target) {
  const auto found = std::ranges::find(clip.morphs, target, &MorphChannel::target);
  return found == clip.morphs.end() ? nullptr : &found->weight;
}

// The part of the clip that moves these targets.
Clip ownPart(std::span<const std::uint32_t> targets, const Clip& clip) {
  Clip own{clip.name, clip.seconds, {}, {}};
  for (const std::uint32_t target : targets)
    if (const Track<float>* track = findTrack(clip, target);
        track != nullptr && !track->times.empty())
      own.morphs.push_back({target, *track});
  return own;
}

bool alike(const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  return std::ranges::all_of(own.morphs, [&](const MorphChannel& channel) {
    return channel.weight.times == first.times &&
           channel.weight.interpolation == first.interpolation;
  });
}

WeightKeys commonKeys(const Model& model, std::span<const std::uint32_t> targets, const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  WeightKeys keys{first.times, {}, first.interpolation};
  const auto addTangents = [&](std::size_t key, std::size_t side) {
    if (keys.interpolation != Interpolation::cubic) return;
    for (const std::uint32_t target : targets) {
      const Track<float>* track = findTrack(own, target);
      keys.values.push_back(track != nullptr ? track->tangents[key].at(side) : 0.0f);
    }
  };
  for (std::size_t key = 0; key < first.times.size(); ++key) {
    addTangents(key, 0);
    for (const std::uint32_t target : targets) {
      const Track<float>* track = findTrack(own, target);
      keys.values.push_back(track != nullptr ? track->values[key]
                                             : model.morphTargets[target].weight);
    }
    addTangents(key, 1);
  }
  return keys;
}

WeightKeys sampledKeys(const Model& model, std::span<const std::uint32_t> targets,
                       const Clip& own) {
  WeightKeys keys{linearKeyTimes(own), {}, Interpolation::linear};
  for (const float time : keys.times) {
    const Pose pose = sample(model, own, time);
    for (const std::uint32_t target : targets)
      keys.values.push_back(pose.morphWeights[target]);
  }
  return keys;
}

} // namespace

WeightKeys weightKeys(const Model& model, std::span<const std::uint32_t> targets,
                      const Clip& clip) {
  const Clip own = ownPart(targets, clip);
  if (own.morphs.empty()) return {};
  return alike(own) ? commonKeys(model, targets, own) : sampledKeys(model, targets, own);
}

} // namespace sinew
