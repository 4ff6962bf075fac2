#include "import/clip_repairs.h"
#include "import/gltf/accessor.h"
#include "import/gltf/json_values.h"
#include "import/gltf/steps.h"
#include "import/repairs.h"

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

Interpolation parseInterpolation(const std::string& word) {
  if (word.empty() || word == "LINEAR") return Interpolation::linear;
  if (word == "STEP") return Interpolation::step;
  if (word == "CUBICSPLINE") return Interpolation::cubic;
  throw GltfError(fmt::format("the interpolation '{}' is unknown", word));
}

struct GltfSampler {
  std::vector<float> times;
  std::vector<float> values;
  Interpolation interpolation = Interpolation::linear;
};

GltfSampler readSampler(GltfDocument& document, const GltfJson& sampler, std::size_t components) {
  const auto input = indexIn(sampler, "input");
  const auto output = indexIn(sampler, "output");
  if (!input || !output) throw GltfError("an animation sampler has no input or output");
  return {readFloats(document, *input, 1), readFloats(document, *output, components),
          parseInterpolation(textIn(sampler, "interpolation"))};
}

void checkSampler(std::size_t values, std::size_t keys, std::size_t perKey) {
  if (values != keys * perKey)
    throw GltfError(
        fmt::format("an animation sampler has {} numbers for {} keys of {}", values, keys, perKey));
}

template <class T>
Track<T> readTrack(GltfDocument& document, const GltfJson& sampler, RepairLog& repairs) {
  constexpr std::size_t kComponents = std::is_same_v<T, quat> ? 4 : 3;
  const auto [times, values, interpolation] = readSampler(document, sampler, kComponents);
  Track<T> track;
  track.interpolation = interpolation;
  const bool cubic = track.interpolation == Interpolation::cubic;
  const std::size_t perKey = (cubic ? 3 : 1) * kComponents;
  checkSampler(values.size(), times.size(), perKey);
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

// One track per morph target: a key holds the weights of all, and of a cubic sampler in-tangents,
// weights and out-tangents of all.
std::vector<Track<float>> readWeightTracks(GltfDocument& document, const GltfJson& sampler,
                                           std::size_t count, RepairLog& repairs) {
  const auto [times, values, interpolation] = readSampler(document, sampler, 1);
  const bool cubic = interpolation == Interpolation::cubic;
  const std::size_t perKey = (cubic ? 3 : 1) * count;
  checkSampler(values.size(), times.size(), perKey);
  std::vector<Track<float>> tracks(count);
  for (std::size_t t = 0; t < count; ++t) {
    Track<float>& track = tracks[t];
    track.interpolation = interpolation;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const float* key = &values[i * perKey + t];
      const float value = key[cubic ? count : 0];
      const bool finite = isUsable(times[i]) && isUsable(value) &&
                          (!cubic || (isUsable(key[0]) && isUsable(key[2 * count])));
      if (!finite) {
        repairs.add(Repair::keyNotFinite);
        continue;
      }
      track.times.push_back(times[i]);
      track.values.push_back(value);
      if (cubic) track.tangents.push_back({key[0], key[2 * count]});
    }
    sortKeys(track, repairs);
  }
  return tracks;
}

// What the channels of one animation move that a clip cannot hold.
struct Ignored {
  std::size_t morphs = 0;    // weights of nodes that have no mesh with morph targets
  std::size_t elsewhere = 0; // nodes of other scenes
  std::size_t others = 0;
};

class GltfClipReader {
 public:
  GltfClipReader(GltfDocument& document, const GltfNodes& nodes, const GltfMorphsOfNodes& morphs,
                 RepairLog& repairs)
      : document_(document), nodes_(nodes), morphs_(morphs), repairs_(repairs) {}

  Clip read(const GltfJson& animation) {
    const GltfJson& samplers = arrayIn(animation, "samplers");
    for (const GltfJson& channel : arrayIn(animation, "channels")) {
      const GltfJson& target = objectIn(channel, "target");
      const auto sampler = indexIn(channel, "sampler");
      const GltfAnimatedProperty property = animatedProperty(target);
      if (property.path == "weights") {
        readWeights(samplers, sampler, property);
        continue;
      }
      if (const std::uint32_t node = requireNode(property); node != kNoNode)
        readChannel(samplerAt(samplers, sampler), property.path, node);
    }
    Clip clip;
    clip.name = textIn(animation, "name");
    for (auto& [node, channel] : channels_)
      if (!channel.translation.times.empty() || !channel.rotation.times.empty() ||
          !channel.scale.times.empty())
        clip.channels.push_back(std::move(channel));
    for (auto& [target, weight] : weights_)
      if (!weight.times.empty()) clip.morphs.push_back({target, std::move(weight)});
    readTwists(animation, clip);
    clip.seconds = lastKey(clip);
    return clip;
  }

  const Ignored& ignored() const { return ignored_; }

 private:
  // sinew's own: extras.sinew.twists.
  void readTwists(const GltfJson& animation, Clip& clip) {
    const GltfJson* extras = memberIn(animation, "extras");
    const GltfJson* own =
        extras != nullptr && extras->is_object() ? memberIn(*extras, "sinew") : nullptr;
    if (own == nullptr || !own->is_object()) return;
    for (const GltfJson& source : arrayIn(*own, "twists")) {
      const auto node = indexIn(source, "node");
      const std::size_t count = arrayIn(source, "times").size();
      if (!node) throw GltfError("a twist of an animation names no node");
      document_.item("nodes", *node); // exists
      TwistChannel channel{nodes_.nodeByFileNode[*node],
                           {numbersIn(source, "times", count), numbersIn(source, "values", count)}};
      if (channel.twist.values.size() != count)
        throw GltfError("a twist of an animation has not as many values as times");
      readTwistCurve(source, channel.twist);
      sortKeys(channel.twist, repairs_);
      if (channel.node == kNoNode)
        ++ignored_.elsewhere;
      else if (!channel.twist.times.empty())
        clip.twists.push_back(std::move(channel));
    }
  }

  // How the twist goes between keys; by straight lines where that is not said or is not whole.
  static void readTwistCurve(const GltfJson& source, Track<float>& track) {
    const GltfJson* kind = memberIn(source, "interpolation");
    if (kind == nullptr) return;
    if (*kind == "STEP") track.interpolation = Interpolation::step;
    const std::size_t count = arrayIn(source, "tangents").size();
    if (*kind != "CUBICSPLINE" || count != 2 * track.times.size()) return;
    const std::vector<float> tangents = numbersIn(source, "tangents", count);
    if (tangents.size() != count) return;
    track.interpolation = Interpolation::cubic;
    for (std::size_t i = 0; i < count; i += 2)
      track.tangents.push_back({tangents[i], tangents[i + 1]});
  }

  // kNoNode of a channel that is ignored.
  std::uint32_t requireNode(const GltfAnimatedProperty& property) {
    const auto& node = property.node;
    const std::string& path = property.path;
    if (!node || (path != "translation" && path != "rotation" && path != "scale")) {
      ++ignored_.others;
    } else {
      document_.item("nodes", *node); // exists
      if (nodes_.nodeByFileNode[*node] != kNoNode) return nodes_.nodeByFileNode[*node];
      ++ignored_.elsewhere;
    }
    return kNoNode;
  }

  static const GltfJson& samplerAt(const GltfJson& samplers, std::optional<std::size_t> index) {
    if (!index || *index >= samplers.size())
      throw GltfError("an animation channel names no sampler");
    return samplers[*index];
  }

  // The nodes whose morph weights the property is.
  std::vector<std::size_t> listNodes(const GltfAnimatedProperty& property) {
    if (property.node) {
      document_.item("nodes", *property.node); // exists
      if (morphs_.contains(*property.node)) return {*property.node};
    }
    std::vector<std::size_t> nodes;
    if (property.mesh)
      for (const auto& [node, morphs] : morphs_) {
        const GltfJson& source = document_.item("nodes", node);
        if (indexIn(source, "mesh") == property.mesh && memberIn(source, "weights") == nullptr)
          nodes.push_back(node);
      }
    return nodes;
  }

  void readWeights(const GltfJson& samplers, std::optional<std::size_t> sampler,
                   const GltfAnimatedProperty& property) {
    const std::vector<std::size_t> nodes = listNodes(property);
    if (nodes.empty()) ++ignored_.morphs;
    for (const std::size_t node : nodes) {
      auto [first, count] = morphs_.at(node);
      if (property.weight) {
        if (*property.weight >= count)
          throw GltfError("an animation channel moves a morph weight that does not exist");
        first += static_cast<std::uint32_t>(*property.weight);
        count = 1;
      }
      std::vector<Track<float>> tracks =
          readWeightTracks(document_, samplerAt(samplers, sampler), count, repairs_);
      for (std::uint32_t t = 0; t < count; ++t)
        weights_[first + t] = std::move(tracks[t]);
    }
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
  const GltfMorphsOfNodes& morphs_;
  RepairLog& repairs_;
  std::map<std::uint32_t, Channel> channels_;
  std::map<std::uint32_t, Track<float>> weights_; // by morph target
  Ignored ignored_;
};

void warn(std::size_t count, const char* what, Model& model) {
  if (count > 0)
    model.warnings.push_back(
        fmt::format("{} animation channel{} {}: not used", count, count == 1 ? "" : "s", what));
}

} // namespace

void readGltfAnimations(GltfDocument& document, const GltfNodes& nodes,
                        const GltfMorphsOfNodes& morphs, RepairLog& repairs, Model& model,
                        GltfOrigin& origin) {
  Ignored ignored;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < document.count("animations"); ++i) {
    GltfClipReader reader(document, nodes, morphs, repairs);
    Clip clip = reader.read(document.item("animations", i));
    ignored.morphs += reader.ignored().morphs;
    ignored.elsewhere += reader.ignored().elsewhere;
    ignored.others += reader.ignored().others;
    if (!clip.moves()) {
      ++empty;
    } else {
      model.clips.push_back(std::move(clip));
      origin.clips.push_back(static_cast<std::uint32_t>(i));
    }
  }
  nameClips(model.clips);
  warn(ignored.morphs, "of morph weights of nodes that show no mesh with morph targets", model);
  warn(ignored.elsewhere, "of nodes outside the scene", model);
  warn(ignored.others, "of what is no node's translation, rotation or scale", model);
  if (empty > 0)
    model.warnings.push_back(fmt::format("{} animation{} no node of the scene: left out", empty,
                                         empty == 1 ? " moves" : "s move"));
}

} // namespace sinew
