#include "editor/time/joint_curves.h"

#include "animation/pose_edit.h"
#include "animation/sample.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

vec3 getValue(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node, ChannelPart part) {
  const Transform& t = pose.parentFromNode[node];
  if (part == ChannelPart::translation) return t.translation;
  if (part == ChannelPart::scale) return t.scale;
  if (part == ChannelPart::twist) return {glm::degrees(twistAt(pose, node)), 0.0f, 0.0f};
  return glm::degrees(toEuler(rotationFromRest(hierarchy, pose, node)));
}

Channel* channelToChange(Clip& clip, std::uint32_t node) {
  const auto found = std::ranges::find(clip.channels, node, &Channel::node);
  return found != clip.channels.end() ? &*found : nullptr;
}

template <class Run>
void onTrack(Clip& clip, std::uint32_t node, ChannelPart part, Run&& run) {
  for (TwistChannel& twists : clip.twists)
    if (part == ChannelPart::twist && twists.node == node) run(twists.twist);
  Channel* channel = channelToChange(clip, node);
  if (channel == nullptr) return;
  if (part == ChannelPart::translation) run(channel->translation);
  if (part == ChannelPart::rotation) run(channel->rotation);
  if (part == ChannelPart::scale) run(channel->scale);
}

std::vector<float> getTimes(const Clip& clip, std::uint32_t node, ChannelPart part) {
  if (part == ChannelPart::twist) {
    const TwistChannel* twists = findTwists(clip, node);
    return twists != nullptr ? twists->twist.times : std::vector<float>{};
  }
  const Channel* channel = findChannel(clip, node);
  if (channel == nullptr) return {};
  return part == ChannelPart::translation ? channel->translation.times
         : part == ChannelPart::rotation  ? channel->rotation.times
                                          : channel->scale.times;
}

} // namespace

vec3 nearestAngles(const vec3& angles, const vec3& to) {
  const auto near = [&](vec3 triple) {
    for (int i = 0; i < 3; ++i)
      triple[i] += 360.0f * std::round((to[i] - triple[i]) / 360.0f);
    return triple;
  };
  const vec3 one = near(angles);
  const vec3 other = near({angles.x + 180.0f, 180.0f - angles.y, angles.z + 180.0f});
  return glm::distance(other, to) < glm::distance(one, to) ? other : one;
}

JointCurves jointCurves(const Model& model, const Clip& clip, std::uint32_t node, ChannelPart part,
                        std::size_t samples) {
  Clip alone{{}, clip.seconds, {}};
  if (const Channel* channel = findChannel(clip, node)) alone.channels.push_back(*channel);
  if (const TwistChannel* twists = findTwists(clip, node)) alone.twists.push_back(*twists);
  SampleCursor cursor;
  Pose pose;
  const auto at = [&](float time) {
    sample(model.hierarchy, alone, time, Wrap::clamp, cursor, pose);
    return getValue(model.hierarchy, pose, node, part);
  };
  JointCurves out;
  const std::vector<float> keys = getTimes(clip, node, part);
  std::size_t next = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const float time = clip.seconds * static_cast<float>(i) / static_cast<float>(samples - 1);
    vec3 value = at(time);
    if (part == ChannelPart::rotation && i > 0) value = nearestAngles(value, out.line[i - 1].value);
    out.line.push_back({time, value});
    for (; next < keys.size() && keys[next] <= time; ++next) {
      const vec3 own = at(keys[next]);
      out.keys.push_back(
          {keys[next], part == ChannelPart::rotation ? nearestAngles(own, value) : own});
    }
  }
  out.low = std::numeric_limits<float>::max();
  out.high = -out.low;
  const auto include = [&](const vec3& value) {
    for (int i = 0; i < 3; ++i) {
      out.low = std::min(out.low, value[i]);
      out.high = std::max(out.high, value[i]);
    }
  };
  for (const TimedValue& point : out.line)
    include(point.value);
  for (const TimedValue& key : out.keys)
    include(key.value);
  return out;
}

namespace {

// The node rotates along, by a key of its own where it has none at that time.
void setTwistKey(Clip& clip, const Model& model, std::uint32_t node, float time, float twist) {
  const TwistChannel* twists = findTwists(clip, node);
  const auto key = twists != nullptr ? keyAt(twists->twist, time) : std::nullopt;
  if (!key) return;
  const float at = twists->twist.times[*key];
  Pose pose = sample(model, clip, at);
  if (!twistNode(model, node, twist - twists->twist.values[*key], pose)) return;
  setTwistAt(pose, node, twist);
  keyNode(clip, model, pose, node, at);
}

} // namespace

void setKeyValue(Clip& clip, const Model& model, std::uint32_t node, ChannelPart part, float time,
                 const vec3& value) {
  if (part == ChannelPart::twist)
    return setTwistKey(clip, model, node, time, glm::radians(value.x));
  Channel* channel = channelToChange(clip, node);
  if (channel == nullptr) return;
  const auto set = [&](auto& track, const auto& to) {
    if (const auto key = keyAt(track, time)) setKey(track, track.times[*key], to);
  };
  if (part == ChannelPart::translation) return set(channel->translation, value);
  if (part == ChannelPart::scale) return set(channel->scale, value);
  const quat& rest = model.hierarchy.nodes[node].rest.rotation;
  set(channel->rotation, glm::normalize(rest * rotationOfEuler(glm::radians(value))));
}

void movePartKey(Clip& clip, std::uint32_t node, ChannelPart part, float from, float to) {
  onTrack(clip, node, part, [&](auto& track) { moveKey(track, from, to); });
}

void removePartKey(Clip& clip, std::uint32_t node, ChannelPart part, float time) {
  onTrack(clip, node, part, [&](auto& track) { removeKey(track, time); });
  dropEmpty(clip);
}

} // namespace sinew
