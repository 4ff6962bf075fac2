#include "animation/sample.h"

#include "model/model.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>

namespace sinew {
namespace {

mat4 nodeFromBind(const Model& model, std::uint32_t node) {
  for (const Skin& skin : model.skins)
    for (const SkinJoint& joint : skin.joints)
      if (joint.node == node) return joint.jointFromBind;
  return mat4(1.0f);
}

// The line about which a spline's end twists, in the space of its third node.
struct TwistAxis {
  vec3 through{0.0f};
  vec3 along{0.0f}; // unit; mirrored nodes turn the other way
};

std::optional<TwistAxis> twistAxis(const Model& model, const FreeSpline& spline, const Pose& pose) {
  const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
  const auto posed = [&](std::size_t i) {
    const std::uint32_t node = spline.nodes[i];
    return transformPoint(modelFromNode[node] * nodeFromBind(model, node), spline.points[i]);
  };
  const mat4& end = modelFromNode[spline.nodes[2]];
  const float determinant = glm::determinant(mat3(end));
  if (!(std::abs(determinant) > 1e-20f)) return std::nullopt;
  const vec3 along = glm::inverse(mat3(end)) * (posed(2) - posed(1));
  const float length = glm::length(along);
  if (!(length > 0.0f)) return std::nullopt;
  return TwistAxis{transformPoint(nodeFromBind(model, spline.nodes[2]), spline.points[2]),
                   along / (determinant < 0.0f ? -length : length)};
}

const FreeSpline* splineEndingAt(const Model& model, std::uint32_t node) {
  const auto found =
      std::ranges::find(model.splines, node, [](const auto& s) { return s.nodes[2]; });
  return found != model.splines.end() ? &*found : nullptr;
}

std::vector<float> keysOfBoth(const Track<quat>& rotation, const Track<float>& twist) {
  std::vector<float> out;
  std::ranges::set_union(rotation.times, twist.times, std::back_inserter(out));
  return out;
}

} // namespace

bool twistNode(const Model& model, std::uint32_t node, float angle, Pose& pose) {
  const FreeSpline* spline = splineEndingAt(model, node);
  const auto axis = spline != nullptr ? twistAxis(model, *spline, pose) : std::nullopt;
  if (!axis) return false;
  const quat rotation = glm::angleAxis(angle, axis->along);
  Transform& local = pose.parentFromNode[node];
  local.translation += local.rotation * (local.scale * (axis->through - rotation * axis->through));
  local.rotation = glm::normalize(local.rotation * rotation);
  return true;
}

namespace {

// Twists of free splines between keys: the numbers of a clip's twist channels lead, and the
// rotations of their nodes follow them. A rotation between two keys goes the shorter way; a twist
// goes as far as its numbers say, through as many whole rotations as they differ by. Corrects, in a
// pose sampled at `time` of the clip, the nodes that have a twist channel. sampled(time): the pose
// as it is sampled without this. Does nothing for models without splines.
void followTwists(const Model& model, const Clip& clip, float time,
                  const std::function<Pose(float time)>& sampled, Pose& pose) {
  for (const TwistChannel& channel : clip.twists) {
    const auto moving = std::ranges::find(clip.channels, channel.node, &Channel::node);
    if (splineEndingAt(model, channel.node) == nullptr || moving == clip.channels.end()) continue;
    const std::vector<float> keys = keysOfBoth(moving->rotation, channel.twist);
    const auto next = std::ranges::upper_bound(keys, time);
    if (next == keys.begin() || next == keys.end()) continue;
    if (moving->rotation.interpolation == Interpolation::step) continue;
    Pose before = sampled(*(next - 1));
    Pose after = sampled(*next);
    if (twistAt(before, channel.node) == twistAt(after, channel.node)) continue;
    twistNode(model, channel.node, -twistAt(before, channel.node), before);
    twistNode(model, channel.node, -twistAt(after, channel.node), after);
    const float share = (time - *(next - 1)) / (*next - *(next - 1));
    Transform& local = pose.parentFromNode[channel.node];
    const Transform& from = before.parentFromNode[channel.node];
    const Transform& to = after.parentFromNode[channel.node];
    local.translation = glm::mix(from.translation, to.translation, share);
    local.rotation = glm::slerp(from.rotation, to.rotation, share);
    twistNode(model, channel.node, twistAt(pose, channel.node), pose);
  }
}

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
