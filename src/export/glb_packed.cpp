#include "export/glb_packed.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr const char* kMeshopt = "EXT_meshopt_compression";

// Elements of the same kind, which are one buffer view.
struct Stream {
  std::string bytes;
  std::size_t count = 0;
};
using StreamKey =
    std::tuple<std::string, std::string, std::size_t, int>; // mode, filter, stride, target

class PackedFile {
 public:
  PackedFile(GltfDocument& document, GltfJson out, std::map<std::size_t, Packed> packed,
             bool quantised)
      : document_(document), out_(std::move(out)), packed_(std::move(packed)),
        quantised_(quantised) {}

  std::string write() {
    bool known = true;
    if (out_.contains("extensionsUsed"))
      for (const GltfJson& name : out_["extensionsUsed"])
        known = known && isKnown(name.get<std::string>());
    const std::set<std::size_t> used = usedAccessors();
    std::map<std::size_t, std::size_t> places;
    GltfJson accessors = GltfJson::array();
    for (std::size_t a = 0; out_.contains("accessors") && a < out_["accessors"].size(); ++a) {
      if (known && !used.contains(a)) continue;
      places[a] = accessors.size();
      accessors.push_back(finishedAccessor(a));
    }
    renumber(places);
    if (!accessors.empty()) out_["accessors"] = std::move(accessors);
    GltfJson old = out_.contains("bufferViews") ? std::move(out_["bufferViews"]) : GltfJson();
    out_["bufferViews"] = GltfJson::array();
    GlbBuffer buffer(out_);
    std::size_t fallback = 0;
    std::map<StreamKey, std::size_t> views;
    for (const auto& [key, stream] : streams_)
      views[key] = addStream(key, stream, buffer, fallback);
    keepViews(old, buffer);
    placeAccessors(views);
    finishBuffers(fallback);
    return buffer.finish();
  }

 private:
  std::set<std::size_t> usedAccessors() const {
    std::set<std::size_t> used;
    for (const GltfJson& mesh : out_["meshes"])
      for (const GltfJson& primitive : mesh["primitives"]) {
        forEachVertexAccessor(primitive, [&](std::size_t accessor) { used.insert(accessor); });
        if (primitive.contains("indices")) used.insert(primitive["indices"].get<std::size_t>());
      }
    if (out_.contains("skins"))
      for (const GltfJson& skin : out_["skins"])
        if (skin.contains("inverseBindMatrices"))
          used.insert(skin["inverseBindMatrices"].get<std::size_t>());
    if (out_.contains("animations"))
      for (const GltfJson& animation : out_["animations"])
        for (const GltfJson& sampler : animation["samplers"])
          for (const char* key : {"input", "output"})
            used.insert(sampler[key].get<std::size_t>());
    return used;
  }

  static bool isKnown(const std::string& extension) {
    return extension.starts_with("KHR_materials_") || extension.starts_with("KHR_texture_") ||
           extension.starts_with("VRMC_") || extension == "KHR_lights_punctual" ||
           extension == "KHR_mesh_quantization" || extension == "KHR_draco_mesh_compression" ||
           extension == kMeshopt || extension == "KHR_meshopt_compression";
  }

  GltfJson finishedAccessor(std::size_t a) {
    const auto found = packed_.find(a);
    if (found == packed_.end()) return out_["accessors"][a];
    Packed& packed = found->second;
    const StreamKey key{packed.mode, packed.filter, packed.stride, packed.target};
    Stream& stream = streams_[key];
    GltfJson out = std::move(packed.accessor);
    out["stream"] = GltfJson::array({packed.mode, packed.filter, packed.stride, packed.target});
    if (!stream.bytes.empty()) out["byteOffset"] = stream.bytes.size();
    stream.bytes += packed.bytes;
    stream.count += packed.count;
    return out;
  }

  void placeAccessors(const std::map<StreamKey, std::size_t>& views) {
    if (!out_.contains("accessors")) return;
    for (GltfJson& accessor : out_["accessors"]) {
      if (!accessor.contains("stream")) continue;
      const GltfJson& s = accessor["stream"];
      accessor["bufferView"] = views.at({s[0].get<std::string>(), s[1].get<std::string>(),
                                         s[2].get<std::size_t>(), s[3].get<int>()});
      accessor.erase("stream");
    }
  }

  void renumber(const std::map<std::size_t, std::size_t>& places) {
    const auto change = [&](GltfJson& index) { index = places.at(index.get<std::size_t>()); };
    for (GltfJson& mesh : out_["meshes"])
      for (GltfJson& primitive : mesh["primitives"]) {
        for (auto& [name, accessor] : primitive["attributes"].items())
          change(accessor);
        if (primitive.contains("targets"))
          for (GltfJson& target : primitive["targets"])
            for (auto& [name, accessor] : target.items())
              change(accessor);
        if (primitive.contains("indices")) change(primitive["indices"]);
      }
    if (out_.contains("skins"))
      for (GltfJson& skin : out_["skins"])
        if (skin.contains("inverseBindMatrices")) change(skin["inverseBindMatrices"]);
    if (out_.contains("animations"))
      for (GltfJson& animation : out_["animations"])
        for (GltfJson& sampler : animation["samplers"])
          for (const char* key : {"input", "output"})
            change(sampler[key]);
    if (out_["meshes"].empty()) out_.erase("meshes");
  }

  std::size_t addStream(const StreamKey& key, const Stream& stream, GlbBuffer& buffer,
                        std::size_t& fallback) {
    const auto& [mode, filter, stride, target] = key;
    const std::string coded = encoded(mode, stride, stream);
    const std::size_t view = buffer.addView(coded.data(), coded.size(), GlbUse::other);
    GltfJson& out = out_["bufferViews"][view];
    GltfJson extension = {
        {"buffer", 0},          {"byteOffset", out["byteOffset"]}, {"byteLength", coded.size()},
        {"byteStride", stride}, {"count", stream.count},           {"mode", mode}};
    if (filter != "NONE") extension["filter"] = filter;
    const std::size_t length = stream.bytes.size();
    out = {{"buffer", 1}, {"byteOffset", fallback}, {"byteLength", length}};
    if (target == 34962) out["byteStride"] = stride;
    if (target != 0) out["target"] = target;
    out["extensions"][kMeshopt] = std::move(extension);
    fallback += (length + 3) / 4 * 4;
    return view;
  }

  static std::string encoded(const std::string& mode, std::size_t stride, const Stream& stream) {
    std::string out;
    const auto* data = reinterpret_cast<const unsigned char*>(stream.bytes.data());
    const auto shrink = [&](std::size_t size) { out.resize(size); };
    const auto bytes = [&] { return reinterpret_cast<unsigned char*>(out.data()); };
    meshopt_encodeVertexVersion(0);
    meshopt_encodeIndexVersion(1);
    if (mode == "ATTRIBUTES") {
      out.resize(meshopt_encodeVertexBufferBound(stream.count, stride));
      shrink(meshopt_encodeVertexBuffer(bytes(), out.size(), data, stream.count, stride));
      return out;
    }
    std::vector<std::uint32_t> indices(stream.count);
    for (std::size_t i = 0; i < stream.count; ++i)
      std::memcpy(&indices[i], data + i * stride, stride);
    const std::size_t vertices = std::size_t{*std::max_element(indices.begin(), indices.end())} + 1;
    if (mode == "TRIANGLES") {
      out.resize(meshopt_encodeIndexBufferBound(indices.size(), vertices));
      shrink(meshopt_encodeIndexBuffer(bytes(), out.size(), indices.data(), indices.size()));
    } else {
      out.resize(meshopt_encodeIndexSequenceBound(indices.size(), vertices));
      shrink(meshopt_encodeIndexSequence(bytes(), out.size(), indices.data(), indices.size()));
    }
    return out;
  }

  // Images, and what was not packed.
  void keepViews(const GltfJson& old, GlbBuffer& buffer) {
    std::map<std::size_t, std::size_t> places;
    const auto move = [&](GltfJson& holder) {
      if (!holder.contains("bufferView")) return;
      const auto index = holder["bufferView"].get<std::size_t>();
      const auto [at, isNew] = places.try_emplace(index, 0);
      if (isNew) {
        const std::string_view bytes = document_.view(index);
        at->second = buffer.addView(bytes.data(), bytes.size(), GlbUse::other);
        for (const char* key : {"byteStride", "target", "name", "extras"})
          if (old[index].contains(key)) out_["bufferViews"][at->second][key] = old[index][key];
      }
      holder["bufferView"] = at->second;
    };
    if (out_.contains("images"))
      for (GltfJson& image : out_["images"])
        move(image);
    if (out_.contains("accessors"))
      for (GltfJson& accessor : out_["accessors"]) {
        if (accessor.contains("stream")) continue;
        move(accessor);
        if (!accessor.contains("sparse")) continue;
        move(accessor["sparse"]["indices"]);
        move(accessor["sparse"]["values"]);
      }
    for (GltfJson& mesh : out_.contains("meshes") ? out_["meshes"] : empty_)
      for (GltfJson& primitive : mesh["primitives"])
        if (hasDraco(primitive)) move(primitive["extensions"]["KHR_draco_mesh_compression"]);
  }

  void finishBuffers(std::size_t fallback) {
    out_["buffers"] = GltfJson::array({GltfJson::object()});
    if (fallback == 0) return;
    out_["buffers"].push_back(
        {{"byteLength", fallback}, {"extensions", {{kMeshopt, {{"fallback", true}}}}}});
    require(kMeshopt);
    if (quantised_) require("KHR_mesh_quantization");
  }

  void require(const char* name) {
    useExtension(out_, name);
    GltfJson& required = out_["extensionsRequired"];
    if (std::find(required.begin(), required.end(), GltfJson(name)) == required.end())
      required.push_back(name);
  }

  GltfDocument& document_;
  GltfJson out_;
  GltfJson empty_ = GltfJson::array();
  std::map<std::size_t, Packed> packed_;
  std::map<StreamKey, Stream> streams_;
  bool quantised_;
};

} // namespace

void forEachVertexAccessor(const GltfJson& primitive,
                           const std::function<void(std::size_t)>& visit) {
  for (const auto& [name, accessor] : primitive["attributes"].items())
    visit(accessor.get<std::size_t>());
  if (!primitive.contains("targets")) return;
  for (const GltfJson& target : primitive["targets"])
    for (const auto& [name, accessor] : target.items())
      visit(accessor.get<std::size_t>());
}

bool hasDraco(const GltfJson& primitive) {
  return primitive.contains("extensions") &&
         primitive["extensions"].contains("KHR_draco_mesh_compression");
}

std::string writePacked(GltfDocument& document, GltfJson out, std::map<std::size_t, Packed> packed,
                        bool quantised) {
  return PackedFile(document, std::move(out), std::move(packed), quantised).write();
}

} // namespace sinew
