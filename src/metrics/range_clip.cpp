#include "metrics/range_clip.h"

#include "metrics/compare.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sinew {
namespace {

constexpr float kDegrees = 40.0f;
constexpr float kLevelSeconds = 4.0f;
constexpr std::uint32_t kLevels = 12; // deeper joints move with the last level

struct RangeKey {
  float seconds;
  vec3 toward;
  float degrees;
};
constexpr vec3 kForward(0, 0, 1), kUp(0, 1, 0);
constexpr std::array kKeys{RangeKey{0.0f, kForward, 0.0f},      RangeKey{0.5f, kForward, kDegrees},
                           RangeKey{1.5f, kForward, -kDegrees}, RangeKey{2.0f, kUp, 0.0f},
                           RangeKey{2.5f, kUp, kDegrees},       RangeKey{3.5f, kUp, -kDegrees},
                           RangeKey{kLevelSeconds, kUp, 0.0f}};

std::uint32_t findLevel(const Rig& rig, std::uint32_t joint) {
  std::uint32_t level = 0;
  for (std::uint32_t at = rig.joints[joint].parent; at != kNoNode && level < kLevels;
       at = rig.joints[at].parent)
    ++level;
  return level;
}

} // namespace

Clip rangeOfMotionClip(const Model& model) {
  const Rig rig = buildRig(model);
  const std::vector<BoneAxis> axes = boneAxes(rig);
  Clip clip{"Range of motion", 0.0f, {}};
  std::vector<bool> moved(model.hierarchy.nodes.size(), false); // one node may be in several skins
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    const std::uint32_t level = findLevel(rig, j), node = rig.joints[j].node;
    if (level == 0 || moved[node]) continue;
    moved[node] = true;
    JointProbe probe;
    probe.joint = j;
    probe.axis = axes[j];
    Channel channel;
    channel.node = node;
    const float start = kLevelSeconds * static_cast<float>(level - 1);
    for (const RangeKey& key : kKeys) {
      JointSweep sweep;
      sweep.bendToward = key.toward;
      channel.rotation.times.push_back(start + key.seconds);
      channel.rotation.values.push_back(
          rotatedJoint(model, rig, probe, sweep, key.degrees).parentFromNode[node].rotation);
    }
    clip.seconds = std::max(clip.seconds, start + kLevelSeconds);
    clip.channels.push_back(std::move(channel));
  }
  return clip;
}

} // namespace sinew
