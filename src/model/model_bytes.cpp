#include "model/model_bytes.h"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sinew {
namespace {

class Writer {
 public:
  static constexpr bool kReads = false;
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) throw std::length_error("model bytes end too early");
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

// What is copied as it lies in memory: it must have no padding, whose bytes are anything. The rest
// is said member by member, once for both ways.
template <class T>
constexpr bool kPlain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;
template <class T>
constexpr bool kPlain<std::optional<T>> = false;

template <class Archive, class T>
void pass(Archive& archive, T& value) {
  if constexpr (kPlain<T>)
    archive.raw(&value, sizeof value);
  else
    members(archive, value);
}

template <class Archive>
std::size_t passSize(Archive& archive, std::size_t size) {
  auto count = static_cast<std::uint64_t>(size);
  archive.raw(&count, sizeof count);
  if constexpr (Archive::kReads)
    if (count > archive.left()) throw std::length_error("model bytes say too many");
  return static_cast<std::size_t>(count);
}

template <class Archive>
void members(Archive& archive, std::string& text) {
  text.resize(passSize(archive, text.size()));
  archive.raw(text.data(), text.size());
}

template <class Archive, class T>
void members(Archive& archive, std::vector<T>& values) {
  values.resize(passSize(archive, values.size()));
  if constexpr (kPlain<T>)
    archive.raw(values.data(), values.size() * sizeof(T));
  else
    for (T& value : values)
      pass(archive, value);
}

template <class Archive, class T>
void members(Archive& archive, std::optional<T>& value) {
  auto there = static_cast<std::uint8_t>(value.has_value());
  archive.raw(&there, sizeof there);
  if constexpr (Archive::kReads)
    if (there != 0) value.emplace();
  if (value) pass(archive, *value);
}

template <class Archive, class... T>
void all(Archive& archive, T&... values) {
  (pass(archive, values), ...);
}

template <class Archive>
void members(Archive& archive, Node& node) {
  all(archive, node.name, node.parent, node.rest);
}
template <class Archive>
void members(Archive& archive, Hierarchy& hierarchy) {
  pass(archive, hierarchy.nodes);
}
template <class Archive>
void members(Archive& archive, Skin& skin) {
  pass(archive, skin.joints);
}
template <class Archive>
void members(Archive& archive, FreeSpline& spline) {
  all(archive, spline.name, spline.nodes, spline.points);
}
template <class Archive>
void members(Archive& archive, Influences& influences) {
  all(archive, influences.offsets, influences.values);
}
template <class Archive>
void members(Archive& archive, MorphOffsets& morph) {
  all(archive, morph.target, morph.vertices, morph.positions, morph.normals);
}
template <class Archive>
void members(Archive& archive, MorphTarget& target) {
  all(archive, target.name, target.weight);
}
template <class Archive>
void members(Archive& archive, Mesh& mesh) {
  all(archive, mesh.name, mesh.positions, mesh.normals, mesh.tangents, mesh.texcoords, mesh.colors,
      mesh.triangles, mesh.material, mesh.node, mesh.skin, mesh.influences, mesh.splineInfluences,
      mesh.morphs, mesh.insertedVertices);
}
template <class Archive>
void members(Archive& archive, Material& material) {
  all(archive, material.name, material.baseColor, material.texture, material.normalTexture,
      material.normalScale, material.shininess, material.specular, material.doubleSided,
      material.alphaMode, material.alphaCutoff);
}
template <class Archive>
void members(Archive& archive, Image& image) {
  all(archive, image.width, image.height, image.rgba);
}
template <class Archive>
void members(Archive& archive, Texture& texture) {
  all(archive, texture.path, texture.source, texture.image, texture.found);
}
template <class Archive, class T>
void members(Archive& archive, Track<T>& track) {
  all(archive, track.times, track.values, track.interpolation, track.tangents);
}
template <class Archive>
void members(Archive& archive, Channel& channel) {
  all(archive, channel.node, channel.translation, channel.rotation, channel.scale);
}
template <class Archive>
void members(Archive& archive, MorphChannel& channel) {
  all(archive, channel.target, channel.weight);
}
template <class Archive>
void members(Archive& archive, TwistChannel& channel) {
  all(archive, channel.node, channel.twist);
}
template <class Archive>
void members(Archive& archive, Clip& clip) {
  all(archive, clip.name, clip.seconds, clip.channels, clip.morphs, clip.twists);
}
template <class Archive>
void members(Archive& archive, Model& model) {
  all(archive, model.name, model.path, model.format, model.metersPerUnit, model.hierarchy,
      model.skins, model.splines, model.morphTargets, model.meshes, model.materials, model.textures,
      model.clips, model.repairs, model.warnings);
}

} // namespace

std::vector<std::byte> bytesOf(const Model& model) {
  Writer writer;
  // The one list of members serves both ways; writing changes nothing.
  members(writer, const_cast<Model&>(model));
  return writer.take();
}

Model modelOfBytes(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Model model;
  members(reader, model);
  if (reader.left() != 0) throw std::length_error("model bytes go on too long");
  return model;
}

} // namespace sinew
