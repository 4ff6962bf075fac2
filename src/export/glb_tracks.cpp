#include "export/glb_tracks.h"

#include "export/glb_parts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace sinew {
namespace {

using namespace component;

void append(std::vector<float>& out, const vec3& v) {
  out.insert(out.end(), {v.x, v.y, v.z});
}
void append(std::vector<float>& out, const quat& q) {
  out.insert(out.end(), {q.x, q.y, q.z, q.w});
}

class TrackPlacing {
 public:
  TrackPlacing(const GltfOrigin& origin, GltfJson& out) : origin_(origin), out_(out) {}

  void place(const Clip& clip, GltfJson& animation) {
    GltfJson channels = GltfJson::array();
    GltfJson samplers = GltfJson::array();
    for (GltfJson& channel : animation["channels"]) {
      GltfJson sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      if (!placeChannel(clip, channel, sampler)) continue;
      channel["sampler"] = samplers.size();
      channels.push_back(std::move(channel));
      samplers.push_back(std::move(sampler));
    }
    animation["channels"] = std::move(channels);
    animation["samplers"] = std::move(samplers);
  }

  NewAccessors take() { return std::move(made_); }

 private:
  // False: the channel goes.
  bool placeChannel(const Clip& clip, const GltfJson& channel, GltfJson& sampler) {
    if (countComponents(channel) == 0 || !channel["target"].contains("node")) return true;
    const std::uint32_t node = origin_.nodeByFileNode[channel["target"]["node"].get<std::size_t>()];
    const auto found = std::ranges::find(clip.channels, node, &Channel::node);
    if (node == kNotInGltf || found == clip.channels.end()) return true;
    const std::string& path = channel["target"]["path"].get_ref<const std::string&>();
    return path == "rotation"      ? put(found->rotation, sampler)
           : path == "translation" ? put(found->translation, sampler)
                                   : put(found->scale, sampler);
  }

  template <class T>
  bool put(const Track<T>& track, GltfJson& sampler) {
    if (track.times.empty()) return false;
    std::vector<float> values;
    for (std::size_t i = 0; i < track.values.size(); ++i) {
      const bool cubic = track.interpolation == Interpolation::cubic;
      if (cubic) append(values, track.tangents[i][0]);
      append(values, track.values[i]);
      if (cubic) append(values, track.tangents[i][1]);
    }
    sampler["input"] = timesAccessor(track.times);
    constexpr std::size_t kComponents = std::is_same_v<T, quat> ? 4 : 3;
    const GltfJson accessor = {{"componentType", kFloat},
                               {"count", values.size() / kComponents},
                               {"type", kComponents == 4 ? "VEC4" : "VEC3"}};
    sampler["output"] = add(accessor, std::move(values));
    sampler.erase("interpolation");
    if (track.interpolation != Interpolation::linear)
      sampler["interpolation"] = toString(track.interpolation);
    return true;
  }

  std::size_t timesAccessor(const std::vector<float>& times) {
    const auto [at, isNew] = times_.try_emplace(times, 0);
    if (isNew)
      at->second = add({{"componentType", kFloat},
                        {"count", times.size()},
                        {"type", "SCALAR"},
                        {"min", numbersJson(std::span(&times.front(), 1))},
                        {"max", numbersJson(std::span(&times.back(), 1))}},
                       times);
    return at->second;
  }

  std::size_t add(GltfJson accessor, std::vector<float> values) {
    const std::size_t index = appendTo(out_, "accessors", std::move(accessor));
    made_[index] = std::move(values);
    return index;
  }

  const GltfOrigin& origin_;
  GltfJson& out_;
  NewAccessors made_;
  std::map<std::vector<float>, std::size_t> times_;
};

} // namespace

NewAccessors putTracks(const std::vector<Clip>& clips, const GltfOrigin& origin, GltfJson& out) {
  TrackPlacing placing(origin, out);
  for (std::size_t c = 0; c < clips.size(); ++c)
    placing.place(clips[c], out["animations"][origin.clips[c]]);
  return placing.take();
}

std::size_t countComponents(const GltfJson& channel) {
  const GltfJson& path = channel["target"]["path"];
  return path == "rotation" ? 4 : path == "translation" || path == "scale" ? 3 : 0;
}

float findLargest(const std::vector<float>& values) {
  float out = 0.0f;
  for (const float value : values)
    out = std::max(out, std::abs(value));
  return out;
}

} // namespace sinew
