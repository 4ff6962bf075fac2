#include "animation/clip_edit.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr float kSameValue = 1e-6f;

// Components, so that one formula serves numbers, vectors and quaternions.
int countNumbers(float /*unused*/) {
  return 1;
}
int countNumbers(const vec3& /*unused*/) {
  return 3;
}
int countNumbers(const quat& /*unused*/) {
  return 4;
}
float part(const float& value, int /*unused*/) {
  return value;
}
float part(const vec3& value, int i) {
  return value[i];
}
float part(const quat& value, int i) {
  return value[i];
}
float& part(float& value, int /*unused*/) {
  return value;
}
float& part(vec3& value, int i) {
  return value[i];
}
float& part(quat& value, int i) {
  return value[i];
}

// The slope at a key between two segments of those slopes and widths: their weighted harmonic mean
// where both go the same way, else level.
float monotoneSlope(float before, float after, float widthBefore, float widthAfter) {
  if (!(before * after > 0.0f)) return 0.0f;
  const float first = 2.0f * widthAfter + widthBefore;
  const float second = widthAfter + 2.0f * widthBefore;
  return (first + second) / (first / before + second / after);
}

template <class T>
T automaticTangent(const Track<T>& track, std::size_t key) {
  T out = track.values[key];
  const bool inner = key > 0 && key + 1 < track.times.size();
  for (int i = 0; i < countNumbers(out); ++i) {
    float slope = 0.0f;
    if (inner) {
      const float before = track.times[key] - track.times[key - 1];
      const float after = track.times[key + 1] - track.times[key];
      const float here = part(track.values[key], i);
      slope = monotoneSlope((here - part(track.values[key - 1], i)) / before,
                            (part(track.values[key + 1], i) - here) / after, before, after);
    }
    part(out, i) = slope;
  }
  return out;
}

template <class T>
void makeAutomatic(Track<T>& track, std::size_t key) {
  const T tangent = automaticTangent(track, key);
  track.tangents[key] = {tangent, tangent};
}

template <class T>
bool isAutomatic(const Track<T>& track, std::size_t key) {
  const T tangent = automaticTangent(track, key);
  return track.tangents[key][0] == tangent && track.tangents[key][1] == tangent;
}

// The neighbours of a changed key, to be updated where their tangents are automatic.
struct AutomaticNeighbours {
  bool before = false, after = false;
};

template <class T>
AutomaticNeighbours findNeighbours(const Track<T>& track, std::size_t before, std::size_t after) {
  if (track.interpolation != Interpolation::cubic) return {};
  return {before < track.times.size() && isAutomatic(track, before),
          after < track.times.size() && isAutomatic(track, after)};
}

// Negates what follows a key of a linear track, so that neighbours are on one hemisphere. In a
// cubic track it negates this key alone, for there a file may mean the longer way.
void alignRotations(Track<quat>& track, std::size_t key) {
  if (key > 0 && glm::dot(track.values[key - 1], track.values[key]) < 0.0f)
    track.values[key] = -track.values[key];
  else if (key == 0 && track.times.size() > 1 && glm::dot(track.values[0], track.values[1]) < 0.0f)
    track.values[0] = -track.values[0];
  if (track.interpolation == Interpolation::cubic) return;
  for (std::size_t i = key + 1; i < track.values.size(); ++i) {
    if (!(glm::dot(track.values[i - 1], track.values[i]) < 0.0f)) return;
    track.values[i] = -track.values[i];
  }
}
void alignRotations(Track<vec3>& /*unused*/, std::size_t /*unused*/) {}
void alignRotations(Track<float>& /*unused*/, std::size_t /*unused*/) {}

bool same(float a, float b) {
  return std::abs(a - b) <= kSameValue * std::max(1.0f, std::abs(a));
}
bool same(const vec3& a, const vec3& b) {
  return glm::distance(a, b) <= kSameValue * std::max(1.0f, glm::length(a));
}
bool same(const quat& a, const quat& b) {
  const quat d = glm::dot(a, b) < 0.0f ? a + b : a - b;
  return glm::length(d) <= kSameValue;
}

Channel& channelFor(Clip& clip, std::uint32_t node) {
  const auto found = std::ranges::find(clip.channels, node, &Channel::node);
  if (found != clip.channels.end()) return *found;
  return clip.channels.emplace_back(Channel{node, {}, {}, {}});
}

template <class T>
bool keyIfDifferent(Track<T>& track, const T& shown, const T& edited, float time) {
  if (same(shown, edited)) return false;
  setKey(track, time, edited);
  return true;
}

// Calls run(track) for all tracks of a node, or of the clip.
template <class Run>
void forTracks(Clip& clip, std::optional<std::uint32_t> node, Run&& run) {
  for (Channel& channel : clip.channels) {
    if (node && channel.node != *node) continue;
    run(channel.translation);
    run(channel.rotation);
    run(channel.scale);
  }
  for (TwistChannel& channel : clip.twists)
    if (!node || channel.node == *node) run(channel.twist);
  if (node) return;
  for (MorphChannel& channel : clip.morphs)
    run(channel.weight);
}

bool keyMorphs(Clip& clip, std::uint32_t target, float shown, float edited, float time) {
  if (same(shown, edited)) return false;
  auto found = std::ranges::find(clip.morphs, target, &MorphChannel::target);
  if (found == clip.morphs.end())
    found = clip.morphs.insert(clip.morphs.end(), MorphChannel{target, {}});
  setKey(found->weight, time, edited);
  return true;
}

bool keyTwist(Clip& clip, std::uint32_t node, float shown, float edited, float time) {
  if (same(shown, edited)) return false;
  auto found = std::ranges::find(clip.twists, node, &TwistChannel::node);
  if (found == clip.twists.end()) {
    found = clip.twists.insert(clip.twists.end(), TwistChannel{node, {}});
    // Keys that the node has already keep the number that they had without a channel.
    const auto moving = std::ranges::find(clip.channels, node, &Channel::node);
    if (moving != clip.channels.end())
      for (const float at : moving->rotation.times)
        setKey(found->twist, at, 0.0f);
  }
  setKey(found->twist, time, edited);
  return true;
}

} // namespace

template <class T>
std::optional<std::size_t> keyAt(const Track<T>& track, float time) {
  const auto first = std::lower_bound(track.times.begin(), track.times.end(), time - kSameKey);
  if (first == track.times.end() || *first > time + kSameKey) return std::nullopt;
  // The nearest key within reach wins.
  auto best = first;
  for (auto each = first; each != track.times.end() && *each <= time + kSameKey; ++each)
    if (std::abs(*each - time) < std::abs(*best - time)) best = each;
  return static_cast<std::size_t>(best - track.times.begin());
}

template <class T>
void setKey(Track<T>& track, float time, T value) {
  if (track.times.empty()) track.interpolation = Interpolation::cubic;
  const auto there = keyAt(track, time);
  const auto next = std::upper_bound(track.times.begin(), track.times.end(), time);
  const auto key = there ? *there : static_cast<std::size_t>(next - track.times.begin());
  // As they were before the change.
  const AutomaticNeighbours automatic = findNeighbours(track, key - 1, there ? key + 1 : key);
  if (there) {
    track.values[key] = value;
  } else {
    const auto at = static_cast<std::ptrdiff_t>(key);
    track.times.insert(next, time);
    track.values.insert(track.values.begin() + at, value);
    if (track.interpolation == Interpolation::cubic)
      track.tangents.insert(track.tangents.begin() + at, std::array<T, 2>{});
  }
  alignRotations(track, key);
  if (track.interpolation != Interpolation::cubic) return;
  makeAutomatic(track, key);
  if (automatic.before) makeAutomatic(track, key - 1);
  if (automatic.after) makeAutomatic(track, key + 1);
}

template <class T>
void removeKey(Track<T>& track, float time) {
  const auto key = keyAt(track, time);
  if (!key) return;
  const AutomaticNeighbours automatic = findNeighbours(track, *key - 1, *key + 1);
  const auto at = static_cast<std::ptrdiff_t>(*key);
  track.times.erase(track.times.begin() + at);
  track.values.erase(track.values.begin() + at);
  if (!track.tangents.empty()) track.tangents.erase(track.tangents.begin() + at);
  if (*key > 0 && *key < track.times.size()) alignRotations(track, *key);
  if (automatic.before) makeAutomatic(track, *key - 1);
  if (automatic.after) makeAutomatic(track, *key);
}

template <class T>
void moveKey(Track<T>& track, float from, float to) {
  const auto key = keyAt(track, from);
  if (!key) return;
  const T value = track.values[*key];
  const bool cubic = track.interpolation == Interpolation::cubic;
  const bool chosen = cubic && !isAutomatic(track, *key);
  const std::array<T, 2> tangents = cubic ? track.tangents[*key] : std::array<T, 2>{};
  const Interpolation kind = track.interpolation;
  removeKey(track, from);
  if (track.times.empty()) track.tangents.clear();
  setKey(track, to, value);
  if (track.times.size() == 1 && kind != Interpolation::cubic) setInterpolation(track, kind);
  if (!chosen) return;
  const std::size_t at = *keyAt(track, to);
  track.tangents[at] = tangents;
  if constexpr (std::is_same_v<T, quat>)
    if (glm::dot(track.values[at], value) < 0.0f) track.tangents[at] = {-tangents[0], -tangents[1]};
}

template <class T>
void setInterpolation(Track<T>& track, Interpolation interpolation) {
  if (track.interpolation == interpolation) return;
  const bool wasCubic = track.interpolation == Interpolation::cubic;
  track.interpolation = interpolation;
  if (wasCubic) {
    track.tangents.clear();
    if constexpr (std::is_same_v<T, quat>)
      for (std::size_t i = 0; i < track.values.size(); ++i) {
        const float length = glm::length(track.values[i]);
        track.values[i] = length > 0.0f ? track.values[i] / length : quat(1, 0, 0, 0);
        if (i > 0 && glm::dot(track.values[i - 1], track.values[i]) < 0.0f)
          track.values[i] = -track.values[i];
      }
  }
  if (interpolation != Interpolation::cubic) return;
  track.tangents.resize(track.times.size());
  for (std::size_t i = 0; i < track.times.size(); ++i)
    makeAutomatic(track, i);
}

std::size_t keyDifferences(Clip& clip, const Model& model, const Pose& shown, const Pose& edited,
                           float time) {
  std::size_t count = 0;
  for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
    const Transform& from = shown.parentFromNode[node];
    const Transform& to = edited.parentFromNode[node];
    bool keyed = keyTwist(clip, node, twistAt(shown, node), twistAt(edited, node), time);
    if (!same(from.translation, to.translation) || !same(from.rotation, to.rotation) ||
        !same(from.scale, to.scale)) {
      Channel& channel = channelFor(clip, node);
      keyIfDifferent(channel.translation, from.translation, to.translation, time);
      keyIfDifferent(channel.rotation, from.rotation, to.rotation, time);
      keyIfDifferent(channel.scale, from.scale, to.scale, time);
      keyed = true;
    }
    count += keyed ? 1 : 0;
  }
  const MorphWeights before = getMorphWeights(model, shown);
  const MorphWeights after = getMorphWeights(model, edited);
  for (std::uint32_t i = 0; i < before.size(); ++i)
    count += keyMorphs(clip, i, before[i], after[i], time) ? 1 : 0;
  return count;
}

void keyNode(Clip& clip, const Model& model, const Pose& pose, std::uint32_t node, float time) {
  const Transform& rest = model.hierarchy.nodes[node].rest;
  const Transform& now = pose.parentFromNode[node];
  Channel& channel = channelFor(clip, node);
  setKey(channel.rotation, time, now.rotation);
  if (!channel.translation.times.empty() || !same(rest.translation, now.translation))
    setKey(channel.translation, time, now.translation);
  if (!channel.scale.times.empty() || !same(rest.scale, now.scale))
    setKey(channel.scale, time, now.scale);
  for (TwistChannel& twists : clip.twists)
    if (twists.node == node) setKey(twists.twist, time, twistAt(pose, node));
}

void dropEmpty(Clip& clip) {
  std::erase_if(clip.channels, [](const Channel& c) {
    return c.translation.times.empty() && c.rotation.times.empty() && c.scale.times.empty();
  });
  std::erase_if(clip.twists, [](const TwistChannel& c) { return c.twist.times.empty(); });
  std::erase_if(clip.morphs, [](const MorphChannel& c) { return c.weight.times.empty(); });
}

bool removeKeys(Clip& clip, std::optional<std::uint32_t> node, float time) {
  bool any = false;
  forTracks(clip, node, [&](auto& track) {
    any = any || keyAt(track, time).has_value();
    removeKey(track, time);
  });
  dropEmpty(clip);
  return any;
}

bool moveKeys(Clip& clip, std::optional<std::uint32_t> node, float from, float to) {
  bool any = false;
  forTracks(clip, node, [&](auto& track) {
    any = any || keyAt(track, from).has_value();
    moveKey(track, from, to);
  });
  return any;
}

void setInterpolation(Clip& clip, std::uint32_t node, std::optional<ChannelPart> wanted,
                      Interpolation interpolation) {
  for (Channel& channel : clip.channels) {
    if (channel.node != node) continue;
    if (!wanted || *wanted == ChannelPart::translation)
      setInterpolation(channel.translation, interpolation);
    if (!wanted || *wanted == ChannelPart::rotation)
      setInterpolation(channel.rotation, interpolation);
    if (!wanted || *wanted == ChannelPart::scale) setInterpolation(channel.scale, interpolation);
  }
  for (TwistChannel& channel : clip.twists)
    if (channel.node == node && (!wanted || *wanted == ChannelPart::twist))
      setInterpolation(channel.twist, interpolation);
}

const TwistChannel* findTwists(const Clip& clip, std::uint32_t node) {
  const auto found = std::ranges::find(clip.twists, node, &TwistChannel::node);
  return found != clip.twists.end() ? &*found : nullptr;
}

const Channel* findChannel(const Clip& clip, std::uint32_t node) {
  const auto found = std::ranges::find(clip.channels, node, &Channel::node);
  return found != clip.channels.end() ? &*found : nullptr;
}

Clip onNodes(const Clip& clip, std::span<const std::uint32_t> newNodeByOld) {
  Clip out = clip;
  const auto gone = [&](const auto& channel) { return newNodeByOld[channel.node] == kNoNode; };
  std::erase_if(out.channels, gone);
  std::erase_if(out.twists, gone);
  for (Channel& channel : out.channels)
    channel.node = newNodeByOld[channel.node];
  for (TwistChannel& channel : out.twists)
    channel.node = newNodeByOld[channel.node];
  return out;
}

template std::optional<std::size_t> keyAt(const Track<vec3>&, float);
template std::optional<std::size_t> keyAt(const Track<quat>&, float);
template std::optional<std::size_t> keyAt(const Track<float>&, float);
template void setKey(Track<vec3>&, float, vec3);
template void setKey(Track<quat>&, float, quat);
template void setKey(Track<float>&, float, float);
template void moveKey(Track<vec3>&, float, float);
template void moveKey(Track<quat>&, float, float);
template void moveKey(Track<float>&, float, float);
template void removeKey(Track<vec3>&, float);
template void removeKey(Track<quat>&, float);
template void removeKey(Track<float>&, float);
template void setInterpolation(Track<vec3>&, Interpolation);
template void setInterpolation(Track<quat>&, Interpolation);
template void setInterpolation(Track<float>&, Interpolation);

} // namespace sinew
