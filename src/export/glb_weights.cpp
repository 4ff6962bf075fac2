#include "export/glb_weights.h"

#include "animation/clip_keys.h"
#include "animation/sample.h"

#include <algorithm>

namespace sinew {
namespace {

const Track<float>* trackOf(const Clip& clip, std::uint32_t target) {
  const auto found = std::ranges::find(clip.morphs, target, &MorphChannel::target);
  return found == clip.morphs.end() ? nullptr : &found->weight;
}

// The part of the clip that moves targets of the mesh.
Clip ownPart(const Mesh& mesh, const Clip& clip) {
  Clip own{clip.name, clip.seconds, {}, {}};
  for (const MorphOffsets& morph : mesh.morphs)
    if (const Track<float>* track = trackOf(clip, morph.target);
        track != nullptr && !track->times.empty())
      own.morphs.push_back({morph.target, *track});
  return own;
}

bool alike(const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  return std::ranges::all_of(own.morphs, [&](const MorphChannel& channel) {
    return channel.weight.times == first.times &&
           channel.weight.interpolation == first.interpolation;
  });
}

WeightKeys commonKeys(const Model& model, const Mesh& mesh, const Clip& own) {
  const Track<float>& first = own.morphs.front().weight;
  WeightKeys keys{first.times, {}, first.interpolation};
  const auto addTangents = [&](std::size_t key, std::size_t side) {
    if (keys.interpolation != Interpolation::cubic) return;
    for (const MorphOffsets& morph : mesh.morphs) {
      const Track<float>* track = trackOf(own, morph.target);
      keys.values.push_back(track != nullptr ? track->tangents[key].at(side) : 0.0f);
    }
  };
  for (std::size_t key = 0; key < first.times.size(); ++key) {
    addTangents(key, 0);
    for (const MorphOffsets& morph : mesh.morphs) {
      const Track<float>* track = trackOf(own, morph.target);
      keys.values.push_back(track != nullptr ? track->values[key]
                                             : model.morphTargets[morph.target].weight);
    }
    addTangents(key, 1);
  }
  return keys;
}

WeightKeys sampledKeys(const Model& model, const Mesh& mesh, const Clip& own) {
  WeightKeys keys{linearKeyTimes(own), {}, Interpolation::linear};
  for (const float time : keys.times) {
    const Pose pose = sample(model, own, time);
    for (const MorphOffsets& morph : mesh.morphs)
      keys.values.push_back(pose.morphWeights[morph.target]);
  }
  return keys;
}

} // namespace

WeightKeys weightKeys(const Model& model, const Mesh& mesh, const Clip& clip) {
  const Clip own = ownPart(mesh, clip);
  if (own.morphs.empty()) return {};
  return alike(own) ? commonKeys(model, mesh, own) : sampledKeys(model, mesh, own);
}

} // namespace sinew
