#include "import/gltf/animations.h"

#include "import/clip_repairs.h"
#include "import/gltf/accessor.h"
#include "import/usable.h"

#include <fmt/format.h>

#include <map>

namespace sinew {
namespace {

template <class T>
T valueAt(const float* at) {
  if constexpr (std::is_same_v<T, quat>)
    return quat(at[3], at[0], at[1], at[2]);
  else
    return vec3(at[0], at[1], at[2]);
}

Interpolation interpolationOf(const std::string& word) {
  if (word.empty() || word == "LINEAR") return Interpolation::linear;
  if (word == "STEP") return Interpolation::step;
  if (word == "CUBICSPLINE") return Interpolation::cubic;
  throw GltfError(fmt::format("the interpolation '{}' is unknown", word));
}

template <class T>
Track<T> readTrack(GltfDocument& document, const GltfJson& sampler, RepairLog& repairs) {
  const auto input = indexIn(sampler, "input");
  const auto output = indexIn(sampler, "output");
  if (!input || !output) throw GltfError("an animation sampler has no input or output");
  constexpr std::size_t kComponents = std::is_same_v<T, quat> ? 4 : 3;
  const std::vector<float> times = readFloats(document, *input, 1);
  const std::vector<float> values = readFloats(document, *output, kComponents);
  Track<T> track;
  track.interpolation = interpolationOf(textIn(sampler, "interpolation"));
  const bool cubic = track.interpolation == Interpolation::cubic;
  const std::size_t perKey = (cubic ? 3 : 1) * kComponents;
  if (values.size() != times.size() * perKey)
    throw GltfError(fmt::format("an animation sampler has {} numbers for {} keys of {}",
                                values.size(), times.size(), perKey));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float* key = &values[i * perKey];
    const T value = valueAt<T>(cubic ? key + kComponents : key);
    bool finite = isUsable(times[i]) && isUsable(value);
    if (cubic)
      finite = finite && isUsable(valueAt<T>(key)) && isUsable(valueAt<T>(key + 2 * kComponents));
    if (!finite) {
      repairs.add(Repair::keyNotFinite);
      continue;
    }
    track.times.push_back(times[i]);
    track.values.push_back(value);
    if (cubic) track.tangents.push_back({valueAt<T>(key), valueAt<T>(key + 2 * kComponents)});
  }
  sortKeys(track, repairs);
  return track;
}

// What the channels of one animation move that a clip cannot hold.
struct Ignored {
  std::size_t morphs = 0;
  std::size_t elsewhere = 0; // nodes of other scenes
  std::size_t others = 0;
};

class GltfClipReader {
 public:
  GltfClipReader(GltfDocument& document, const GltfNodes& nodes, RepairLog& repairs)
      : document_(document), nodes_(nodes), repairs_(repairs) {}

  Clip read(const GltfJson& animation) {
    const GltfJson& samplers = arrayIn(animation, "samplers");
    for (const GltfJson& channel : arrayIn(animation, "channels")) {
      const GltfJson& target = objectIn(channel, "target");
      const auto sampler = indexIn(channel, "sampler");
      const std::string path = textIn(target, "path");
      if (const std::uint32_t node = nodeOf(target, path); node != kNoNode) {
        if (!sampler || *sampler >= samplers.size())
          throw GltfError("an animation channel names no sampler");
        readChannel(samplers[*sampler], path, node);
      }
    }
    Clip clip;
    clip.name = textIn(animation, "name");
    for (auto& [node, channel] : channels_)
      if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
          !channel.scale.times.empty())
        clip.channels.push_back(std::move(channel));
    clip.seconds = lastKey(clip);
    return clip;
  }

  const Ignored& ignored() const { return ignored_; }

 private:
  // kNoNode of a channel that is ignored.
  std::uint32_t nodeOf(const GltfJson& target, const std::string& path) {
    const auto node = indexIn(target, "node");
    if (path == "weights") {
      ++ignored_.morphs;
    } else if (!node || (path != "translation" && path != "rotation" && path != "scale")) {
      ++ignored_.others;
    } else {
      document_.item("nodes", *node); // exists
      if (nodes_.nodeOf[*node] != kNoNode) return nodes_.nodeOf[*node];
      ++ignored_.elsewhere;
    }
    return kNoNode;
  }

  void readChannel(const GltfJson& sampler, const std::string& path, std::uint32_t node) {
    Channel& channel = channels_[node];
    channel.node = node;
    if (path == "translation") {
      channel.translation = readTrack<vec3>(document_, sampler, repairs_);
    } else if (path == "rotation") {
      channel.rotation = readTrack<quat>(document_, sampler, repairs_);
      repairRotationKeys(channel.rotation, repairs_);
    } else {
      channel.scale = readTrack<vec3>(document_, sampler, repairs_);
      repairScaleKeys(channel.scale, repairs_);
    }
  }

  GltfDocument& document_;
  const GltfNodes& nodes_;
  RepairLog& repairs_;
  std::map<std::uint32_t, Channel> channels_;
  Ignored ignored_;
};

void warn(std::size_t count, const char* what, Model& model) {
  if (count > 0)
    model.warnings.push_back(
        fmt::format("{} animation channel{} {}: not used", count, count == 1 ? "" : "s", what));
}

} // namespace

void readGltfAnimations(GltfDocument& document, const GltfNodes& nodes, RepairLog& repairs,
                        Model& model) {
  Ignored ignored;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < document.count("animations"); ++i) {
    GltfClipReader reader(document, nodes, repairs);
    Clip clip = reader.read(document.item("animations", i));
    ignored.morphs += reader.ignored().morphs;
    ignored.elsewhere += reader.ignored().elsewhere;
    ignored.others += reader.ignored().others;
    if (clip.channels.empty())
      ++empty;
    else
      model.clips.push_back(std::move(clip));
  }
  nameClips(model.clips);
  warn(ignored.morphs, "of morph weights", model);
  warn(ignored.elsewhere, "of nodes outside the scene", model);
  warn(ignored.others, "of what is no node's translation, rotation or scale", model);
  if (empty > 0)
    model.warnings.push_back(fmt::format("{} animation{} no node of the scene: left out", empty,
                                         empty == 1 ? " moves" : "s move"));
}

} // namespace sinew
