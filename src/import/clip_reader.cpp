#include "import/clip_reader.h"

#include "import/assimp_types.h"
#include "import/clip_repairs.h"
#include "import/usable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

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

constexpr double kDirectXTicks = 4800.0; // a second, where an .x file does not say
constexpr double kFramesPerSecond = 30.0;

// Whether the keys of an .x file that does not say its ticks are plainly counted in frames: one or
// two ticks apart, which at 4800 a second no display could show. Blender's exporter writes such.
bool countsFrames(const aiAnimation& animation) {
  double ticks = 0.0;
  double keys = 0.0;
  for (unsigned i = 0; i < animation.mNumChannels; ++i)
    if (const aiNodeAnim* channel = animation.mChannels[i];
        channel != nullptr && channel->mNumRotationKeys > 1 && channel->mRotationKeys != nullptr) {
      const unsigned last = channel->mNumRotationKeys - 1;
      ticks += channel->mRotationKeys[last].mTime - channel->mRotationKeys[0].mTime;
      keys += last;
    }
  return keys > 0.0 && ticks > 0.0 && ticks < 5.0 * keys;
}

double ticksPerSecond(const aiAnimation& animation, SourceKind kind) {
  if (animation.mTicksPerSecond > 0.0 && std::isfinite(animation.mTicksPerSecond))
    return animation.mTicksPerSecond;
  switch (kind) {
  case SourceKind::x:
    return countsFrames(animation) ? kFramesPerSecond : kDirectXTicks;
  case SourceKind::gltf:
    return 1000.0; // Assimp counts milliseconds
  case SourceKind::md5:
    return 24.0;
  case SourceKind::fbx:
    return 30.0;
  case SourceKind::b3d:
    return 60.0;
  default:
    return 25.0;
  }
}

using ChannelsByName = std::unordered_map<std::string, const aiNodeAnim*>;

class ClipReader {
 public:
  ClipReader(const aiAnimation& animation, double ticks, const NodeTree& tree,
             const MorphsOfNodes& morphs, float tolerance, RepairLog& repairs)
      : animation_(animation), ticks_(ticks), tree_(tree), morphs_(morphs), tolerance_(tolerance),
        repairs_(repairs) {}

  Clip read() {
    for (unsigned i = 0; i < animation_.mNumChannels; ++i)
      if (animation_.mChannels[i] != nullptr) readOne(*animation_.mChannels[i]);
    for (auto& [node, parts] : partsOf_)
      add(bakePivots(tree_.pivots.at(node), parts, tolerance_));
    for (unsigned i = 0; i < animation_.mNumMorphMeshChannels; ++i)
      if (animation_.mMorphMeshChannels[i] != nullptr)
        readMorphs(*animation_.mMorphMeshChannels[i]);
    clip_.seconds = lastKey(clip_);
    return std::move(clip_);
  }

 private:
  void readOne(const aiNodeAnim& source) {
    const std::string name = toString(source.mNodeName);
    Channel channel = readChannel(source, ticks_, repairs_);
    if (isEmpty(channel)) return;
    if (isPivotNode(name) && readPart(name, channel)) return;
    const auto found = tree_.byName.find(name);
    if (found == tree_.byName.end()) {
      repairs_.add(Repair::channelWithoutNode);
      return;
    }
    channel.node = found->second.front();
    if (const auto chain = tree_.pivots.find(channel.node); chain != tree_.pivots.end())
      undoPostRotation(chain->second, channel);
    add(std::move(channel));
  }

  void readMorphs(const aiMeshMorphAnim& source) {
    std::vector<MorphChannel> channels = readMorphChannel(source, ticks_, tree_, morphs_, repairs_);
    if (channels.empty()) repairs_.add(Repair::channelWithoutNode);
    std::ranges::move(channels, std::back_inserter(clip_.morphs));
  }

  // Keys of one helper node: only what its name says, the rest are fillers.
  bool readPart(const std::string& name, Channel channel) {
    const std::string base = name.substr(0, name.find("_$AssimpFbx$_"));
    const auto found = tree_.byName.find(base);
    if (found == tree_.byName.end() || !tree_.pivots.contains(found->second.front())) return false;
    const std::uint32_t node = found->second.front();
    const auto isPart = [&](std::string_view part) { return name == pivotChannelName(base, part); };
    Channel& parts = partsOf_[node];
    parts.node = node;
    if (isPart("Translation"))
      parts.translation = std::move(channel.translation);
    else if (isPart("Rotation"))
      parts.rotation = std::move(channel.rotation);
    else if (isPart("Scaling"))
      parts.scale = std::move(channel.scale);
    return true;
  }

  // Where Assimp animates the whole chain by one channel on the real node (a chain without
  // pivots), it multiplies by the file's PostRotation although the node's place has its inverse.
  static void undoPostRotation(const FbxPivots& pivots, Channel& channel) {
    for (quat& q : channel.rotation.values)
      q = glm::normalize(q * pivots.post * pivots.post);
  }

  void add(Channel channel) {
    if (const auto split = tree_.stretchOf.find(channel.node); split != tree_.stretchOf.end()) {
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
  const MorphsOfNodes& morphs_;
  float tolerance_;
  RepairLog& repairs_;
  std::map<std::uint32_t, Channel> partsOf_;
  Clip clip_;
};

} // namespace

std::vector<Clip> readClips(const aiScene& scene, SourceKind kind, const NodeTree& tree,
                            const MorphsOfNodes& morphs, float tolerance, RepairLog& repairs) {
  std::vector<Clip> clips;
  for (unsigned i = 0; i < scene.mNumAnimations; ++i) {
    if (scene.mAnimations[i] == nullptr) continue;
    const aiAnimation& animation = *scene.mAnimations[i];
    const double ticks = ticksPerSecond(animation, kind);
    if (kind == SourceKind::x && ticks == kFramesPerSecond && !(animation.mTicksPerSecond > 0.0))
      repairs.add(Repair::clipInFrames);
    Clip clip = ClipReader(animation, ticks, tree, morphs, tolerance, repairs).read();
    clip.name = toString(animation.mName);
    if (clip.moves()) clips.push_back(std::move(clip));
  }
  nameClips(clips);
  return clips;
}

} // namespace sinew
