#include "import/assimp/steps.h"
#include "import/clip_repairs.h"
#include "import/repairs.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

vec3 convert(const aiVector3D& v) {
  return toVec3(v);
}
quat convert(const aiQuaternion& q) {
  return toQuat(q);
}

template <class T, class Key>
Track<T> readTrack(const Key* keys, unsigned count, double ticksPerSecond, RepairLog& repairs) {
  Track<T> track;
  for (unsigned i = 0; keys != nullptr && i < count; ++i) {
    const auto time = static_cast<float>(keys[i].mTime / ticksPerSecond);
    const T value = convert(keys[i].mValue);
    if (!isUsable(time) || !isUsable(value)) {
      repairs.add(Repair::keyNotFinite);
      continue;
    }
    track.times.push_back(time);
    track.values.push_back(value);
  }
  sortKeys(track, repairs);
  return track;
}

Channel readChannel(const aiNodeAnim& source, double ticksPerSecond, RepairLog& repairs) {
  Channel channel;
  channel.translation =
      readTrack<vec3>(source.mPositionKeys, source.mNumPositionKeys, ticksPerSecond, repairs);
  channel.rotation =
      readTrack<quat>(source.mRotationKeys, source.mNumRotationKeys, ticksPerSecond, repairs);
  channel.scale =
      readTrack<vec3>(source.mScalingKeys, source.mNumScalingKeys, ticksPerSecond, repairs);
  repairRotationKeys(channel.rotation, repairs);
  repairScaleKeys(channel.scale, repairs);
  return channel;
}

bool isEmpty(const Channel& channel) {
  return channel.translation.times.empty() && channel.rotation.times.empty() &&
         channel.scale.times.empty();
}

double ticksPerSecond(const aiAnimation& animation, SourceKind kind) {
  if (animation.mTicksPerSecond > 0.0 && std::isfinite(animation.mTicksPerSecond))
    return animation.mTicksPerSecond;
  switch (kind) {
  case SourceKind::md5:
    return 24.0;
  case SourceKind::b3d:
    return 60.0;
  default:
    return 25.0;
  }
}

class ClipReader {
 public:
  ClipReader(const aiAnimation& animation, double ticks, const NodeTree& tree, RepairLog& repairs)
      : animation_(animation), ticks_(ticks), tree_(tree), repairs_(repairs) {}

  Clip read() {
    for (unsigned i = 0; i < animation_.mNumChannels; ++i)
      if (animation_.mChannels[i] != nullptr) readOne(*animation_.mChannels[i]);
    clip_.seconds = lastKey(clip_);
    return std::move(clip_);
  }

 private:
  void readOne(const aiNodeAnim& source) {
    Channel channel = readChannel(source, ticks_, repairs_);
    if (isEmpty(channel)) return;
    const auto found = tree_.byName.find(toString(source.mNodeName));
    if (found == tree_.byName.end()) {
      repairs_.add(Repair::channelWithoutNode);
      return;
    }
    channel.node = found->second.front();
    add(std::move(channel));
  }

  void add(Channel channel) {
    if (const auto split = tree_.stretchByNode.find(channel.node);
        split != tree_.stretchByNode.end()) {
      Channel still; // the channel holds the node's whole transform, so its outer half rests
      still.node = split->second;
      still.translation = {{0.0f}, {vec3(0.0f)}};
      still.rotation = {{0.0f}, {quat(1, 0, 0, 0)}};
      still.scale = {{0.0f}, {vec3(1.0f)}};
      clip_.channels.push_back(std::move(still));
    }
    clip_.channels.push_back(std::move(channel));
  }

  const aiAnimation& animation_;
  double ticks_;
  const NodeTree& tree_;
  RepairLog& repairs_;
  Clip clip_;
};

} // namespace

std::vector<Clip> readClips(const aiScene& scene, SourceKind kind, const NodeTree& tree,
                            RepairLog& repairs) {
  std::vector<Clip> clips;
  for (unsigned i = 0; i < scene.mNumAnimations; ++i) {
    if (scene.mAnimations[i] == nullptr) continue;
    const aiAnimation& animation = *scene.mAnimations[i];
    Clip clip = ClipReader(animation, ticksPerSecond(animation, kind), tree, repairs).read();
    clip.name = toString(animation.mName);
    if (clip.moves()) clips.push_back(std::move(clip));
  }
  nameClips(clips);
  return clips;
}

} // namespace sinew
