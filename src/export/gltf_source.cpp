#include "export/gltf_source.h"

#include "core/error.h"
#include "import/gltf/document.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace sinew {
namespace {

constexpr std::array<const char*, 2> kCompressions = {"EXT_meshopt_compression",
                                                      "KHR_meshopt_compression"};

// What "mimeType" says of the bytes of an image; empty for kinds that glTF does not embed.
std::string detectMimeType(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG"sv)) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  if (bytes.starts_with("RIFF"sv) && bytes.substr(0, 16).find("WEBP") != std::string_view::npos)
    return "image/webp";
  if (bytes.starts_with("\xabKTX 20\xbb"sv)) return "image/ktx2";
  return {};
}

class SourceReader {
 public:
  explicit SourceReader(GltfDocument& document) : document_(document) {
    out_.json = document.root();
  }

  GltfSource read() {
    joinBuffers();
    embedImages();
    return std::move(out_);
  }

 private:
  struct Place {
    std::size_t buffer = 0;
    std::size_t offset = 0;
  };

  // A buffer without bytes stands for what compressed views become.
  bool hasBytes(std::size_t index) const {
    const GltfJson& buffer = document_.item("buffers", index);
    if (memberIn(buffer, "uri") != nullptr) return true;
    for (const char* name : kCompressions)
      if (const GltfJson* extension = extensionIn(buffer, name);
          extension != nullptr && flagIn(*extension, "fallback"))
        return false;
    return index == 0;
  }

  void joinBuffers() {
    const std::size_t count = document_.count("buffers");
    GltfJson buffers = GltfJson::array();
    std::vector<Place> places(count);
    std::size_t joined = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!hasBytes(i)) continue;
      out_.bytes.resize((out_.bytes.size() + 3) / 4 * 4, '\0');
      places[i] = {0, out_.bytes.size()};
      const std::size_t length = countIn(document_.item("buffers", i), "byteLength", 0);
      out_.bytes += document_.part({{"buffer", i}, {"byteLength", length}});
      if (joined++ > 0) continue;
      buffers.push_back(document_.item("buffers", i));
      buffers[0].erase("uri");
    }
    if (joined == 0 && count > 0) buffers.push_back({{"byteLength", 0}});
    if (joined > 1) buffers[0]["byteLength"] = out_.bytes.size();
    for (std::size_t i = 0; i < count; ++i)
      if (!hasBytes(i)) {
        places[i] = {buffers.size(), 0};
        buffers.push_back(document_.item("buffers", i));
      }
    if (count > 0) out_.json["buffers"] = std::move(buffers);
    if (!out_.json.contains("bufferViews")) return;
    for (GltfJson& view : out_.json["bufferViews"]) {
      move(places, view);
      for (const char* name : kCompressions)
        if (extensionIn(view, name) != nullptr) move(places, view["extensions"][name]);
    }
  }

  void move(const std::vector<Place>& places, GltfJson& view) const {
    const auto buffer = indexIn(view, "buffer");
    if (!buffer || *buffer >= places.size()) return;
    const Place& place = places[*buffer];
    if (place.buffer != *buffer) view["buffer"] = place.buffer;
    if (place.offset != 0) view["byteOffset"] = place.offset + countIn(view, "byteOffset", 0);
  }

  void embedImages() {
    if (!out_.json.contains("images")) return;
    for (GltfJson& image : out_.json["images"]) {
      const std::string uri = image.is_object() ? textIn(image, "uri") : std::string();
      if (uri.empty() || uri.starts_with("data:")) continue;
      std::string bytes;
      try {
        bytes = document_.readNamedFile(uri);
      } catch (const GltfError&) {
        out_.notes.push_back(fmt::format("image {}: it was not found", uri));
        continue;
      }
      const std::string type = detectMimeType(bytes);
      if (type.empty()) {
        out_.notes.push_back(fmt::format("image {}: of a kind that is not put into a .glb", uri));
        continue;
      }
      embed(bytes, type, image);
    }
  }

  void embed(const std::string& bytes, const std::string& type, GltfJson& image) {
    if (!image.contains("name")) image["name"] = image["uri"];
    image.erase("uri");
    image["mimeType"] = type;
    GlbBuffer buffer(out_.json, std::move(out_.bytes));
    image["bufferView"] = buffer.addView(bytes.data(), bytes.size(), GlbUse::other);
    out_.bytes = buffer.takeBytes();
  }

  GltfDocument& document_;
  GltfSource out_;
};

} // namespace

GltfSource readGltfSource(const std::filesystem::path& path) try {
  const ImportOptions options;
  GltfDocument document(identifyFile(path, options.maxFileBytes), options);
  return SourceReader(document).read();
} catch (const GltfError& error) {
  throw inputError(path.string(), fmt::format("not a usable glTF file: {}", error.what()));
}

} // namespace sinew
