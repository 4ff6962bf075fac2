#include "export/glb_compress.h"

#include "core/error.h"
#include "export/fewer_keys.h"
#include "export/glb_packed.h"
#include "export/glb_tracks.h"
#include "import/gltf/accessor.h"
#include "import/gltf/document.h"
#include "import/gltf/isolated_gltf.h"

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace sinew {
namespace {

using namespace component;

// The exponent of a grid that has 2^bits steps over an extent.
int gridExponent(float extent, int bits) {
  if (!(extent > 0.0f)) return -126;
  int exponent = 0;
  std::frexp(extent, &exponent);
  return std::clamp(exponent - bits, -100, 100);
}

// Filter EXPONENTIAL by hand: all values on one grid, whose upper bytes are then all the same.
std::string onGrid(const std::vector<float>& values, int exponent, std::vector<float>* decoded) {
  std::string out;
  out.reserve(4 * values.size());
  constexpr int kLargest = (1 << 23) - 1;
  for (const float value : values) {
    const double step = std::ldexp(1.0, exponent);
    const int mantissa = static_cast<int>(
        std::clamp(std::round(static_cast<double>(value) / step), -1.0 * kLargest, 1.0 * kLargest));
    const auto word = (static_cast<std::uint32_t>(static_cast<std::uint8_t>(exponent)) << 24) |
                      (static_cast<std::uint32_t>(mantissa) & 0xffffffu);
    out.append(reinterpret_cast<const char*>(&word), sizeof word);
    if (decoded != nullptr) decoded->push_back(static_cast<float>(mantissa * step));
  }
  return out;
}

const char* getType(std::size_t components) {
  constexpr std::array<const char*, 5> kTypes = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  return kTypes.at(components);
}

class Compressor {
 public:
  explicit Compressor(GltfDocument& document) : document_(document), out_(document.root()) {}

  // Before write().
  void takeClips(const std::vector<Clip>& clips, const GltfOrigin& origin, const NodeReach& reach) {
    made_ = putTracks(clips, origin, out_);
    for (const std::uint32_t node : origin.nodeByFileNode)
      reach_.push_back(node == kNotInGltf ? 1.0 : reach.ofNode[node] / reach.size);
  }

  std::string write() {
    countUses();
    findExtent();
    reorder();
    for (GltfJson& mesh : out_["meshes"])
      for (GltfJson& primitive : mesh["primitives"])
        packPrimitive(primitive);
    if (out_.contains("skins"))
      for (const GltfJson& skin : out_["skins"])
        if (skin.contains("inverseBindMatrices")) packMatrices(skin["inverseBindMatrices"]);
    if (out_.contains("animations")) packAnimations();
    return writePacked(document_, std::move(out_), std::move(packed_), quantised_);
  }

 private:
  // ---- What may be changed

  // What several primitives share, vertices or indices, keeps its order.
  void countUses() {
    if (!out_.contains("meshes")) out_["meshes"] = GltfJson::array();
    for (const GltfJson& mesh : out_["meshes"])
      for (const GltfJson& primitive : mesh["primitives"]) {
        forEachVertexAccessor(primitive, [&](std::size_t accessor) { ++uses_[accessor]; });
        if (primitive.contains("indices")) ++uses_[primitive["indices"].get<std::size_t>()];
      }
  }

  bool isRetained(std::size_t accessor) const {
    const GltfJson& source = document_.item("accessors", accessor);
    return source.contains("extensions");
  }

  void findExtent() {
    for (const GltfJson& mesh : out_["meshes"])
      for (const GltfJson& primitive : mesh["primitives"]) {
        if (hasDraco(primitive) || !primitive["attributes"].contains("POSITION")) continue;
        const std::vector<float> values =
            readFloats(document_, primitive["attributes"]["POSITION"].get<std::size_t>(), 3);
        for (int axis = 0; axis < 3; ++axis) {
          float low = INFINITY, high = -INFINITY;
          for (std::size_t i = static_cast<std::size_t>(axis); i < values.size(); i += 3) {
            low = std::min(low, values[i]);
            high = std::max(high, values[i]);
          }
          if (high > low) extent_ = std::max(extent_, high - low);
        }
      }
  }

  // ---- Order of triangles and vertices, for the caches of the GPU and for compression

  // Application-specific attributes (_NAME) are packed if they are floats; others keep their order.
  bool hasOwnIntegers(const GltfJson& primitive) const {
    for (const auto& [name, accessor] : primitive["attributes"].items())
      if (name.starts_with('_') &&
          document_.item("accessors", accessor.get<std::size_t>()).at("componentType") != kFloat)
        return true;
    return false;
  }

  void reorder() {
    for (GltfJson& mesh : out_["meshes"])
      for (GltfJson& primitive : mesh["primitives"]) {
        const bool triangles = !primitive.contains("mode") || primitive["mode"] == 4;
        bool own = triangles && primitive.contains("indices") && !hasDraco(primitive) &&
                   !hasOwnIntegers(primitive) &&
                   uses_[primitive["indices"].get<std::size_t>()] == 1;
        std::size_t count = 0;
        forEachVertexAccessor(primitive, [&](std::size_t accessor) {
          own = own && uses_[accessor] == 1 && !isRetained(accessor);
          count = accessorAt(document_, accessor).count;
        });
        if (own) reorderOne(primitive["indices"].get<std::size_t>(), count, primitive);
      }
  }

  void reorderOne(std::size_t accessor, std::size_t vertices, const GltfJson& primitive) {
    std::vector<std::uint32_t> indices = readIntegers(document_, accessor, 1);
    if (indices.size() % 3 != 0 || indices.empty()) return;
    if (std::ranges::any_of(indices, [&](std::uint32_t i) { return i >= vertices; })) return;
    meshopt_optimizeVertexCacheStrip(indices.data(), indices.data(), indices.size(), vertices);
    std::vector<std::uint32_t> remap(vertices);
    const std::size_t used =
        meshopt_optimizeVertexFetchRemap(remap.data(), indices.data(), indices.size(), vertices);
    for (std::uint32_t& index : indices)
      index = remap[index];
    forEachVertexAccessor(primitive, [&](std::size_t each) { remaps_[each] = {remap, used}; });
    indices_[accessor] = std::move(indices);
  }

  template <class T>
  std::vector<T> remapped(std::size_t accessor, std::vector<T> values,
                          std::size_t components) const {
    const auto found = remaps_.find(accessor);
    if (found == remaps_.end()) return values;
    const auto& [remap, used] = found->second;
    std::vector<T> out(used * components);
    for (std::size_t v = 0; v < remap.size(); ++v)
      if (remap[v] != ~0u)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(v * components), components,
                    out.begin() + static_cast<std::ptrdiff_t>(remap[v] * components));
    return out;
  }

  // ---- Vertices

  void packPrimitive(const GltfJson& primitive) {
    if (hasDraco(primitive)) return;
    for (const auto& [name, accessor] : primitive["attributes"].items())
      packAttribute(name, accessor.get<std::size_t>());
    if (primitive.contains("targets"))
      for (const GltfJson& target : primitive["targets"])
        for (const auto& [name, accessor] : target.items())
          packAttribute(name == "POSITION" ? "POSITION" : "OFFSET", accessor.get<std::size_t>());
    if (primitive.contains("indices")) packIndices(primitive);
  }

  Packed start(std::size_t accessor, std::size_t stride, int type, bool normalized,
               std::size_t count, std::size_t components) const {
    Packed out;
    out.count = count;
    out.stride = stride;
    out.target = 34962;
    out.accessor = document_.item("accessors", accessor);
    for (const char* key : {"bufferView", "byteOffset", "sparse", "min", "max", "normalized"})
      out.accessor.erase(key);
    out.accessor["componentType"] = type;
    if (normalized) out.accessor["normalized"] = true;
    out.accessor["count"] = count;
    out.accessor["type"] = getType(components);
    return out;
  }

  void packAttribute(const std::string& name, std::size_t accessor) {
    if (packed_.contains(accessor) || isRetained(accessor)) return;
    const GltfAccessor shape = accessorAt(document_, accessor);
    const std::size_t components = shape.components;
    if (name.starts_with("JOINTS_")) return packJoints(accessor);
    std::vector<float> values = remapped(accessor, readFloats(document_, accessor, 0), components);
    const std::size_t count = values.size() / components;
    if (count == 0 || !std::ranges::all_of(values, [](float v) { return std::isfinite(v); }))
      return;
    if (name == "POSITION") return packPositions(accessor, values);
    if (name == "NORMAL" || name == "TANGENT") return packDirections(accessor, values, components);
    if (name == "OFFSET" && components == 3)
      return packGrid(accessor, values, 3, gridExponent(1.0f, 8));
    if (name.starts_with("TEXCOORD_"))
      return packGrid(accessor, values, 2, gridExponent(findLargest(values), 13));
    if (name.starts_with("WEIGHTS_")) return packWeights(accessor, values);
    if (name.starts_with("COLOR_")) return packColors(accessor, values, components);
    if (components > 4 || shape.normalized) return;
    Packed out = start(accessor, 4 * components, kFloat, false, count, components);
    out.bytes.assign(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    if (document_.item("accessors", accessor)["componentType"] == kFloat)
      keep(accessor, std::move(out));
  }

  void packPositions(std::size_t accessor, const std::vector<float>& values) {
    std::vector<float> decoded;
    Packed out = start(accessor, 12, kFloat, false, values.size() / 3, 3);
    out.bytes = onGrid(values, gridExponent(extent_, 14), &decoded);
    out.filter = "EXPONENTIAL";
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float low = decoded[axis], high = decoded[axis];
      for (std::size_t i = axis; i < decoded.size(); i += 3) {
        low = std::min(low, decoded[i]);
        high = std::max(high, decoded[i]);
      }
      out.accessor["min"].push_back(static_cast<double>(low));
      out.accessor["max"].push_back(static_cast<double>(high));
    }
    keep(accessor, std::move(out));
  }

  void packGrid(std::size_t accessor, const std::vector<float>& values, std::size_t components,
                int exponent) {
    Packed out =
        start(accessor, 4 * components, kFloat, false, values.size() / components, components);
    out.bytes = onGrid(values, exponent, nullptr);
    out.filter = "EXPONENTIAL";
    keep(accessor, std::move(out));
  }

  void packDirections(std::size_t accessor, const std::vector<float>& values,
                      std::size_t components) {
    const std::size_t count = values.size() / components;
    std::vector<float> four;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < 4; ++c)
        four.push_back(c < components ? values[components * i + c] : 0.0f);
    Packed out = start(accessor, 4, kByte, true, count, components);
    out.bytes.resize(4 * count);
    meshopt_encodeFilterOct(out.bytes.data(), count, 4, 8, four.data());
    out.filter = "OCTAHEDRAL";
    quantised_ = true;
    keep(accessor, std::move(out));
  }

  // The weights of one set. All sets of a vertex sum to 1 in 8 bits, as the validator demands.
  void packWeights(std::size_t accessor, const std::vector<float>& values) {
    Packed out = start(accessor, 4, kUnsignedByte, true, values.size() / 4, 4);
    for (std::size_t v = 0; v < values.size() / 4; ++v) {
      const float* weights = &values[4 * v];
      const float sum = weights[0] + weights[1] + weights[2] + weights[3];
      std::array<int, 4> bytes{};
      int total = 0;
      for (std::size_t i = 0; i < 4; ++i)
        total += bytes[i] =
            static_cast<int>(std::lround(std::clamp(weights[i], 0.0f, 1.0f) * 255.0f));
      if (std::abs(sum - 1.0f) < 1e-3f) // the only set
        *std::max_element(bytes.begin(), bytes.end()) += 255 - total;
      for (const int byte : bytes)
        out.bytes += static_cast<char>(std::clamp(byte, 0, 255));
    }
    keep(accessor, std::move(out));
  }

  void packColors(std::size_t accessor, const std::vector<float>& values, std::size_t components) {
    const std::size_t count = values.size() / components;
    Packed out = start(accessor, 4, kUnsignedByte, true, count, 4);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < 4; ++c) {
        const float value =
            c < components ? std::clamp(values[components * i + c], 0.0f, 1.0f) : 1.0f;
        out.bytes += static_cast<char>(std::lround(value * 255.0f));
      }
    keep(accessor, std::move(out));
  }

  void packJoints(std::size_t accessor) {
    const std::vector<std::uint32_t> values =
        remapped(accessor, readIntegers(document_, accessor, 4), 4);
    const bool small = std::ranges::all_of(values, [](std::uint32_t j) { return j < 256; });
    Packed out = start(accessor, small ? 4 : 8, small ? kUnsignedByte : kUnsignedShort, false,
                       values.size() / 4, 4);
    for (const std::uint32_t value : values)
      out.bytes.append(reinterpret_cast<const char*>(&value), small ? 1 : 2);
    keep(accessor, std::move(out));
  }

  void packIndices(const GltfJson& primitive) {
    const auto accessor = primitive["indices"].get<std::size_t>();
    if (packed_.contains(accessor) || isRetained(accessor)) return;
    const auto found = indices_.find(accessor);
    const std::vector<std::uint32_t> values =
        found != indices_.end() ? found->second : readIntegers(document_, accessor, 1);
    const bool triangles =
        (!primitive.contains("mode") || primitive["mode"] == 4) && values.size() % 3 == 0;
    if (values.empty()) return;
    const bool small = *std::max_element(values.begin(), values.end()) < 65535;
    Packed out = start(accessor, small ? 2 : 4, small ? kUnsignedShort : kUnsignedInt, false,
                       values.size(), 1);
    for (const std::uint32_t value : values)
      out.bytes.append(reinterpret_cast<const char*>(&value), out.stride);
    out.mode = triangles ? "TRIANGLES" : "INDICES";
    out.target = 34963;
    keep(accessor, std::move(out));
  }

  void packMatrices(const GltfJson& index) {
    const auto accessor = index.get<std::size_t>();
    if (packed_.contains(accessor) || isRetained(accessor)) return;
    const std::vector<float> values = readFloats(document_, accessor, 16);
    Packed out = start(accessor, 64, kFloat, false, values.size() / 16, 4);
    out.accessor["type"] = "MAT4";
    out.target = 0;
    out.bytes.assign(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    keep(accessor, std::move(out));
  }

  // ---- Animations

  void packAnimations() {
    for (const GltfJson& animation : out_["animations"])
      for (const GltfJson& channel : animation["channels"])
        packChannel(animation, channel);
  }

  std::vector<float> getFloats(std::size_t accessor, std::size_t components) {
    const auto found = made_.find(accessor);
    return found != made_.end() ? found->second : readFloats(document_, accessor, components);
  }

  bool stays(std::size_t accessor) const {
    return packed_.contains(accessor) || (!made_.contains(accessor) && isRetained(accessor));
  }

  void packChannel(const GltfJson& animation, const GltfJson& channel) {
    const GltfJson& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const auto output = sampler["output"].get<std::size_t>();
    packTimes(sampler["input"].get<std::size_t>());
    const std::size_t n = countComponents(channel);
    if (stays(output) || n == 0) return;
    std::vector<float> values = getFloats(output, n);
    const bool cubic =
        sampler.contains("interpolation") && sampler["interpolation"] == "CUBICSPLINE";
    if (n == 4 && !cubic) return packRotations(output, values, rotationBits(channel));
    Packed out = startKeys(output, 4 * n, kFloat, values.size() / n);
    // Slopes of cubic keys are larger than their values.
    out.bytes = onGrid(values, gridExponent(findLargest(values), cubic ? 21 : 16), nullptr);
    out.filter = "EXPONENTIAL";
    keep(output, std::move(out));
  }

  Packed startKeys(std::size_t accessor, std::size_t stride, int type, std::size_t count) const {
    Packed out;
    out.count = count;
    out.stride = stride;
    out.accessor = out_["accessors"][accessor];
    for (const char* key : {"bufferView", "byteOffset", "sparse", "normalized"})
      out.accessor.erase(key);
    out.accessor["componentType"] = type;
    return out;
  }

  // As many as keep the skin that the node moves within kRotationError of the size.
  int rotationBits(const GltfJson& channel) const {
    constexpr double kRotationError = 1e-4;
    constexpr double kWorst = 1.5; // radians for one unit of a component
    double reach = 1.0;
    if (const GltfJson& target = channel["target"]; target.contains("node"))
      if (const auto node = target["node"].get<std::size_t>(); node < reach_.size())
        reach = reach_[node];
    const double steps = std::max(kWorst * reach / kRotationError, 1.0);
    return std::clamp(1 + static_cast<int>(std::ceil(std::log2(steps))), 8, 16);
  }

  void packRotations(std::size_t accessor, std::vector<float> values, int bits) {
    for (std::size_t i = 0; i + 3 < values.size(); i += 4) {
      const float length = std::sqrt(values[i] * values[i] + values[i + 1] * values[i + 1] +
                                     values[i + 2] * values[i + 2] + values[i + 3] * values[i + 3]);
      for (std::size_t c = 0; c < 4 && length > 0.0f; ++c)
        values[i + c] /= length;
    }
    Packed out = startKeys(accessor, 8, kShort, values.size() / 4);
    out.accessor["normalized"] = true;
    out.bytes.resize(2 * values.size());
    meshopt_encodeFilterQuat(out.bytes.data(), out.count, 8, bits, values.data());
    out.filter = "QUATERNION";
    keep(accessor, std::move(out));
  }

  void packTimes(std::size_t accessor) {
    if (stays(accessor)) return;
    const std::vector<float> values = getFloats(accessor, 1);
    Packed out = startKeys(accessor, 4, kFloat, values.size());
    out.bytes.assign(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    keep(accessor, std::move(out));
  }

  void keep(std::size_t accessor, Packed packed) { packed_[accessor] = std::move(packed); }

  GltfDocument& document_;
  GltfJson out_;
  float extent_ = 0.0f;
  std::map<std::size_t, std::size_t> uses_;                                          // by accessor
  std::map<std::size_t, std::pair<std::vector<std::uint32_t>, std::size_t>> remaps_; // by accessor
  std::map<std::size_t, std::vector<std::uint32_t>> indices_;
  std::map<std::size_t, Packed> packed_;
  NewAccessors made_;         // keys
  std::vector<double> reach_; // per node of the file, as a fraction of the size
  bool quantised_ = false;
};

} // namespace

std::string compressGlb(const std::string& glb, double keyPercent) try {
  const ImportOptions options;
  GltfDocument document("compressed.glb", glb, options);
  Compressor compressor(document);
  if (document.count("animations") > 0) {
    const GltfModel read = importGlbIsolated(glb);
    compressor.takeClips(fewerKeys(read.model, keyPercent / 100.0).clips, read.origin,
                         nodeReach(read.model));
  }
  return compressor.write();
} catch (const GltfError& error) {
  throw inputError("the model", fmt::format("cannot be compressed: {}", error.what()));
}

} // namespace sinew
