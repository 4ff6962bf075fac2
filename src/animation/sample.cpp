#include "animation/sample.h"

#include "animation/twist_curves.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

float between(float a, float b, float t) {
  return a + t * (b - a);
}
vec3 between(const vec3& a, const vec3& b, float t) {
  return a + t * (b - a);
}
quat between(const quat& a, const quat& b, float t) {
  return slerpShortest(a, b, t);
}

float unitRotation(float value) {
  return value;
}
vec3 unitRotation(const vec3& value) {
  return value;
}
quat unitRotation(const quat& value) {
  const float length = glm::length(value);
  return length > 0.0f ? value / length : quat(1, 0, 0, 0);
}

// Between key and key + 1, of which time passed the first by t in [0, 1].
template <class T>
T onSpline(const Track<T>& track, std::uint32_t key, float t, float span) {
  const float t2 = t * t;
  const float t3 = t2 * t;
  return track.values[key] * (2.0f * t3 - 3.0f * t2 + 1.0f) +
         track.tangents[key][1] * (span * (t3 - 2.0f * t2 + t)) +
         track.values[key + 1] * (3.0f * t2 - 2.0f * t3) +
         track.tangents[key + 1][0] * (span * (t3 - t2));
}

} // namespace

// Playback mostly stays on a key or steps to the next, so these are tried before the binary search.
std::uint32_t findKey(const std::vector<float>& times, float time, std::uint32_t key) {
  const auto last = static_cast<std::uint32_t>(times.size() - 1);
  key = std::min(key, last);
  if (times[key] <= time) {
    if (key == last || time < times[key + 1]) return key;
    if (key + 1 == last || time < times[key + 2]) return key + 1;
  }
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return after == times.begin() ? 0 : static_cast<std::uint32_t>(after - times.begin() - 1);
}

namespace {

template <class T>
void sampleTrack(const Track<T>& track, float time, std::uint32_t& key, T& out) {
  if (track.times.empty()) return;
  key = findKey(track.times, time, key);
  const bool cubic = track.interpolation == Interpolation::cubic;
  if (time <= track.times[key] || key + 1 == track.times.size() ||
      track.interpolation == Interpolation::step) {
    out = cubic ? unitRotation(track.values[key]) : track.values[key];
    return;
  }
  const float span = track.times[key + 1] - track.times[key];
  const float t = (time - track.times[key]) / span;
  out = cubic ? unitRotation(onSpline(track, key, t, span))
              : between(track.values[key], track.values[key + 1], t);
}

} // namespace

vec3 valueAt(const Track<vec3>& track, float time, std::uint32_t& key) {
  vec3 out(0.0f);
  sampleTrack(track, time, key, out);
  return out;
}

quat valueAt(const Track<quat>& track, float time, std::uint32_t& key) {
  quat out(1, 0, 0, 0);
  sampleTrack(track, time, key, out);
  return out;
}

float wrapTime(float time, float seconds, Wrap wrap) {
  if (!(seconds > 0.0f) || !std::isfinite(time)) return 0.0f;
  if (wrap == Wrap::clamp) return std::clamp(time, 0.0f, seconds);
  const float period = wrap == Wrap::pingPong ? 2.0f * seconds : seconds;
  const float rest = std::fmod(time, period);
  const float wrapped = rest < 0.0f ? rest + period : rest;
  return wrap == Wrap::pingPong && wrapped > seconds ? period - wrapped : wrapped;
}

void sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap,
            SampleCursor& cursor, Pose& out) {
  time = wrapTime(time, clip.seconds, wrap);
  cursor.keys.resize(3 * clip.channels.size(), 0);
  out.morphWeights.clear();
  out.parentFromNode.resize(hierarchy.nodes.size());
  for (std::size_t i = 0; i < hierarchy.nodes.size(); ++i)
    out.parentFromNode[i] = hierarchy.nodes[i].rest;
  for (std::size_t i = 0; i < clip.channels.size(); ++i) {
    const Channel& channel = clip.channels[i];
    Transform& t = out.parentFromNode[channel.node];
    sampleTrack(channel.translation, time, cursor.keys[3 * i], t.translation);
    sampleTrack(channel.rotation, time, cursor.keys[3 * i + 1], t.rotation);
    sampleTrack(channel.scale, time, cursor.keys[3 * i + 2], t.scale);
  }
  out.twists.clear();
  cursor.twistKeys.resize(clip.twists.size(), 0);
  if (!clip.twists.empty()) out.twists.resize(hierarchy.nodes.size(), 0.0f);
  for (std::size_t i = 0; i < clip.twists.size(); ++i)
    sampleTrack(clip.twists[i].twist, time, cursor.twistKeys[i], out.twists[clip.twists[i].node]);
}

void sampleMorphs(const Model& model, const Clip& clip, float time, Wrap wrap, SampleCursor& cursor,
                  MorphWeights& out) {
  out.resize(model.morphTargets.size());
  for (std::size_t i = 0; i < model.morphTargets.size(); ++i)
    out[i] = model.morphTargets[i].weight;
  cursor.morphKeys.resize(clip.morphs.size(), 0);
  for (std::size_t i = 0; i < clip.morphs.size(); ++i)
    sampleTrack(clip.morphs[i].weight, wrapTime(time, clip.seconds, wrap), cursor.morphKeys[i],
                out[clip.morphs[i].target]);
}

void sample(const Model& model, const Clip& clip, float time, Wrap wrap, SampleCursor& cursor,
            Pose& out) {
  sample(model.hierarchy, clip, time, wrap, cursor, out);
  if (!clip.twists.empty() && !model.splines.empty())
    followTwists(
        model, clip, wrapTime(time, clip.seconds, wrap),
        [&](float at) { return sample(model.hierarchy, clip, at); }, out);
  sampleMorphs(model, clip, time, wrap, cursor, out.morphWeights);
}

Pose sample(const Model& model, const Clip& clip, float time, Wrap wrap) {
  SampleCursor cursor;
  Pose pose;
  sample(model, clip, time, wrap, cursor, pose);
  return pose;
}

Pose sample(const Hierarchy& hierarchy, const Clip& clip, float time, Wrap wrap) {
  SampleCursor cursor;
  Pose pose;
  sample(hierarchy, clip, time, wrap, cursor, pose);
  return pose;
}

} // namespace sinew
