#include "import/gltf/document.h"

#include "core/base64.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"
#include "core/text.h"
#include "import/gltf/meshopt.h"
#include "import/load_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 16> kSupported = {
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_emissive_strength",
    "KHR_lights_punctual",
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
};

constexpr const char* kVersion1Remedy = "convert it to glTF 2.0, for instance by gltf-pipeline";

// Extensions that change the look alone: a file is the same shape without them. A texture without
// an image that is read becomes a checkerboard.
bool isShading(std::string_view name) {
  return name.starts_with("KHR_materials_") || name == "KHR_texture_basisu" ||
         name == "EXT_texture_avif" || name == "MSFT_texture_dds";
}

std::uint32_t littleEndian32(std::string_view bytes, std::size_t offset) {
  if (offset + sizeof(std::uint32_t) > bytes.size()) throw GltfError("ends within a chunk");
  return loadValue<std::uint32_t>(bytes.data() + offset);
}

GltfJson parsed(std::string_view json, const std::string& path) {
  while (json.ends_with('\0')) // some exporters fill the chunk with these rather than blanks
    json.remove_suffix(1);
  try {
    return parseJson(validUtf8(json), path);
  } catch (const Error& error) {
    const std::string what = error.what();
    const std::string prefix = path + ": ";
    throw GltfError(what.starts_with(prefix) ? what.substr(prefix.size()) : what);
  }
}

} // namespace

GltfDocument::GltfDocument(const SourceFile& file, const ImportOptions& options)
    : GltfDocument(file.path, readFile(file.path), options) {}

GltfDocument::GltfDocument(const std::filesystem::path& path, std::string bytes,
                           const ImportOptions& options)
    : options_(options), budget_(path.string(), bytes.size()),
      folder_(path, options.maxFileBytes, options.fetch), bytes_(std::move(bytes)) {
  std::string_view json = bytes_;
  if (json.starts_with("glTF")) readChunks(json);
  root_ = parsed(json, path.string());
  if (!root_.is_object()) throw GltfError("its JSON is not an object");
  checkVersion();
  checkExtensions();
}

void GltfDocument::readChunks(std::string_view& json) {
  if (const std::uint32_t version = littleEndian32(bytes_, 4); version != 2)
    throw GltfError(fmt::format("it is binary glTF {}.0, and only glTF 2.0 is read; {}", version,
                                kVersion1Remedy));
  const std::string_view all = std::string_view(bytes_).substr(
      0, std::min<std::size_t>(bytes_.size(), littleEndian32(bytes_, 8)));
  constexpr std::uint32_t kJson = 0x4e4f534a;
  constexpr std::uint32_t kBinary = 0x004e4942;
  std::size_t at = 12;
  for (std::size_t i = 0; at < all.size(); ++i) {
    const std::uint32_t length = littleEndian32(all, at);
    const std::uint32_t kind = littleEndian32(all, at + 4);
    if (length > all.size() - at - 8) throw GltfError("a chunk is longer than the file");
    const std::string_view chunk = all.substr(at + 8, length);
    if (i == 0 && kind != kJson) throw GltfError("its first chunk is not JSON");
    if (i == 0) json = chunk;
    if (i == 1 && kind == kBinary) {
      chunk_ = chunk;
      hasChunk_ = true;
    }
    at += 8 + std::size_t{length};
  }
  if (at == 12) throw GltfError("it has no chunks");
}

void GltfDocument::checkVersion() const {
  const GltfJson& asset = objectIn(root_, "asset");
  const GltfJson* version = memberIn(asset, "version");
  const std::string text = version != nullptr && version->is_string() ? version->get<std::string>()
                           : version != nullptr                       ? shown(*version)
                                                                      : std::string();
  const GltfJson* meshes = memberIn(root_, "meshes");
  if (text.starts_with("1") || text.starts_with("0") ||
      (text.empty() && meshes != nullptr && meshes->is_object()))
    throw GltfError(fmt::format("it is glTF 1.0, and only glTF 2.0 is read; {}", kVersion1Remedy));
  if (text.empty()) throw GltfError("it does not say its version (asset.version)");
  if (!text.starts_with("2"))
    throw GltfError(fmt::format("it is glTF {}, and only glTF 2.0 is read", text));
}

void GltfDocument::checkExtensions() {
  const auto isSupported = [](const std::string& name) {
    return std::find(kSupported.begin(), kSupported.end(), name) != kSupported.end();
  };
  const auto names = [&](const char* key) {
    std::vector<std::string> out;
    for (const GltfJson& name : arrayIn(root_, key)) {
      if (!name.is_string()) throw GltfError(fmt::format("'{}' is not a list of names", key));
      out.push_back(name.get<std::string>());
    }
    return out;
  };
  std::string unknown;
  for (const std::string& name : names("extensionsRequired"))
    if (!isSupported(name) && !isShading(name)) unknown += (unknown.empty() ? "" : ", ") + name;
  if (!unknown.empty())
    throw GltfError(fmt::format("it requires {}, which sinew does not support", unknown));
  for (const std::string& name : names("extensionsUsed"))
    if (!isSupported(name) && std::find(ignored_.begin(), ignored_.end(), name) == ignored_.end())
      ignored_.push_back(name);
}

const GltfJson& GltfDocument::item(const char* array, std::size_t index) const {
  const GltfJson& all = arrayIn(root_, array);
  if (index >= all.size())
    throw GltfError(fmt::format("{}[{}] does not exist (there are {})", array, index, all.size()));
  if (!all[index].is_object()) throw GltfError(fmt::format("{}[{}] is no object", array, index));
  return all[index];
}

std::string GltfDocument::readNamedFile(const std::string& uri) const {
  std::string name = uri;
  ModelFolder::Entry entry = folder_.find(name);
  if (entry.kind == ModelFolder::Kind::missing) {
    name = decodePercent(uri);
    entry = folder_.findOrFetch(name);
  }
  if (entry.kind == ModelFolder::Kind::file) return readFile(folder_.toPath(entry.inside));
  throw GltfError(fmt::format("'{}', which it needs, {}", folder_.toInsideName(name),
                              entry.kind == ModelFolder::Kind::refused ? ModelFolder::kRefusal
                                                                       : "was not found"));
}

std::string_view GltfDocument::buffer(std::size_t index) {
  const GltfJson& source = item("buffers", index);
  const GltfJson* uri = memberIn(source, "uri");
  std::string_view bytes;
  if (uri == nullptr) {
    if (index != 0 || !hasChunk_)
      throw GltfError(fmt::format("buffers[{}] has no bytes: neither a URI nor a chunk", index));
    bytes = chunk_;
  } else {
    auto found = buffers_.find(index);
    if (found == buffers_.end()) {
      const std::string name = textIn(source, "uri");
      std::optional<std::string> data = bytesOfDataUri(name);
      if (!data) budget_.grow((data = readNamedFile(name))->size());
      found = buffers_.emplace(index, std::move(*data)).first;
    }
    bytes = found->second;
  }
  const std::size_t length = countIn(source, "byteLength", bytes.size());
  if (length > bytes.size())
    throw GltfError(
        fmt::format("buffers[{}] should have {} bytes but has {}", index, length, bytes.size()));
  return bytes;
}

std::string_view GltfDocument::part(const GltfJson& place) {
  const auto index = indexIn(place, "buffer");
  if (!index) throw GltfError("a buffer view names no buffer");
  const std::string_view bytes = buffer(*index);
  const std::size_t offset = countIn(place, "byteOffset", 0);
  const std::size_t length = countIn(place, "byteLength", 0);
  if (offset > bytes.size() || length > bytes.size() - offset)
    throw GltfError(fmt::format("bytes {} to {} of buffers[{}] are used, which has {}", offset,
                                offset + length, *index, bytes.size()));
  return bytes.substr(offset, length);
}

std::string_view GltfDocument::view(std::size_t index) {
  const GltfJson& source = item("bufferViews", index);
  const GltfJson* compressed = extensionIn(source, "KHR_meshopt_compression");
  const GltfJson* older = extensionIn(source, "EXT_meshopt_compression");
  if (compressed != nullptr && older != nullptr)
    throw GltfError("a buffer view is compressed both as KHR and as EXT_meshopt_compression");
  if (compressed == nullptr) compressed = older;
  if (compressed == nullptr) return part(source);
  const auto known = decompressed_.find(index);
  if (known != decompressed_.end()) return known->second;
  return decompressed_.emplace(index, meshoptBytes(*compressed, part(*compressed), budget_))
      .first->second;
}

std::optional<std::string> bytesOfDataUri(std::string_view uri) {
  if (!uri.starts_with("data:")) return std::nullopt;
  const std::size_t comma = uri.find(',');
  if (comma == uri.npos) throw GltfError("a data URI has no data");
  const std::string_view data = uri.substr(comma + 1);
  if (!uri.substr(0, comma).ends_with(";base64")) return decodePercent(data);
  std::optional<std::string> bytes = fromBase64(data);
  if (!bytes) throw GltfError("a data URI is not base64");
  return bytes;
}

} // namespace sinew
