#include "export/glb_tracks.h"

#include "import/gltf/accessor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace sinew {
namespace {

using namespace component;

class TrackShortening {
 public:
  TrackShortening(GltfDocument& document, GltfJson& out) : document_(document), out_(out) {}

  ShortTracks run() {
    for (GltfJson& animation : out_["animations"])
      shorten(animation);
    return std::move(made_);
  }

 private:
  void shorten(GltfJson& animation) {
    float end = 0.0f;
    for (const GltfJson& sampler : animation["samplers"])
      end = std::max(end, lastOf(sampler["input"].get<std::size_t>()));
    GltfJson retained = GltfJson::array();
    bool reaches = false;
    for (GltfJson& channel : animation["channels"]) {
      GltfJson& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      if (isConstant(channel, sampler)) {
        if (isRest(channel, sampler) &&
            (reaches || animation["channels"].size() > retained.size() + 1))
          continue;
        made_.held.insert(sampler["output"].get<std::size_t>());
      } else {
        reaches = reaches || lastOf(sampler["input"].get<std::size_t>()) >= end;
      }
      retained.push_back(channel);
    }
    if (!reaches || retained.empty()) { // the clip would be shorter
      for (const GltfJson& sampler : animation["samplers"])
        made_.held.erase(sampler["output"].get<std::size_t>());
      return;
    }
    animation["channels"] = std::move(retained);
    GltfJson samplers = GltfJson::array();
    for (GltfJson& channel : animation["channels"]) {
      GltfJson sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      if (made_.held.contains(sampler["output"].get<std::size_t>())) sampler["input"] = firstTime();
      channel["sampler"] = samplers.size();
      samplers.push_back(std::move(sampler));
    }
    animation["samplers"] = std::move(samplers);
  }

  float lastOf(std::size_t input) {
    const auto [at, isNew] = last_.try_emplace(input, 0.0f);
    if (isNew)
      if (const std::vector<float> times = readFloats(document_, input, 1); !times.empty())
        at->second = times.back();
    return at->second;
  }

  // The accessor of the time 0 alone, which is appended.
  std::size_t firstTime() {
    if (made_.firstTime == kNoAccessor)
      made_.firstTime = appendTo(out_, "accessors",
                                 {{"componentType", kFloat}, {"count", 1}, {"type", "SCALAR"}});
    return made_.firstTime;
  }

  bool isConstant(const GltfJson& channel, const GltfJson& sampler) {
    const std::size_t n = componentsOf(channel);
    if (n == 0 || (sampler.contains("interpolation") && sampler["interpolation"] == "CUBICSPLINE"))
      return false;
    const std::vector<float> values =
        readFloats(document_, sampler["output"].get<std::size_t>(), n);
    float largest = 0.0f;
    for (std::size_t i = n; i < values.size(); ++i)
      largest = std::max(largest, std::abs(values[i] - values[i % n]));
    const float scale = n == 4 ? 1.0f : std::max(largestOf(values), 1e-12f);
    constexpr float kSame = 2e-5f;
    return largest <= kSame * scale;
  }

  bool isRest(const GltfJson& channel, const GltfJson& sampler) {
    if (!channel["target"].contains("node")) return false;
    const GltfJson& node = out_["nodes"][channel["target"]["node"].get<std::size_t>()];
    const std::string path = channel["target"]["path"].get<std::string>();
    if (node.contains("matrix")) return false;
    std::vector<float> rest = path == "rotation" ? std::vector<float>{0, 0, 0, 1}
                              : path == "scale"  ? std::vector<float>{1, 1, 1}
                                                 : std::vector<float>{0, 0, 0};
    if (node.contains(path)) rest = node[path].get<std::vector<float>>();
    const std::vector<float> values =
        readFloats(document_, sampler["output"].get<std::size_t>(), rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (std::abs(values[i] - rest[i]) > 1e-6f * std::max(1.0f, std::abs(rest[i]))) return false;
    return true;
  }

  GltfDocument& document_;
  GltfJson& out_;
  ShortTracks made_;
  std::map<std::size_t, float> last_; // times by accessor
};

} // namespace

ShortTracks shortenTracks(GltfDocument& document, GltfJson& out) {
  return TrackShortening(document, out).run();
}

std::size_t componentsOf(const GltfJson& channel) {
  const GltfJson& path = channel["target"]["path"];
  return path == "rotation" ? 4 : path == "translation" || path == "scale" ? 3 : 0;
}

float largestOf(const std::vector<float>& values) {
  float out = 0.0f;
  for (const float value : values)
    out = std::max(out, std::abs(value));
  return out;
}

} // namespace sinew
