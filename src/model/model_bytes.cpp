#include "model/model_bytes.h"

#include "model/check_model.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace sinew {
namespace {

class Counter {
 public:
  static constexpr bool kReads = false;
  void raw(const void* /*data*/, std::size_t size) { size_ += size; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

// Gathers what is small, so that few pieces are given away.
class Writer {
 public:
  static constexpr bool kReads = false;
  explicit Writer(const PutBytes& put) : put_(put) {}
  void raw(const void* data, std::size_t size) {
    if (size > small_.size() - used_) flush();
    if (size > small_.size()) return put_({static_cast<const std::byte*>(data), size});
    if (size > 0) std::memcpy(small_.data() + used_, data, size);
    used_ += size;
  }
  void flush() {
    if (used_ > 0) put_(std::span(small_).first(used_));
    used_ = 0;
  }

 private:
  const PutBytes& put_;
  std::array<std::byte, 65536> small_;
  std::size_t used_ = 0;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) throw BadModelBytes("model bytes end too early");
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
template <>
constexpr bool kPlain<bool> = false; // a bool is 0 or 1, and no other byte

template <class Archive, class T>
void pass(Archive& archive, T& value) {
  if constexpr (kPlain<T>)
    archive.raw(&value, sizeof value);
  else
    members(archive, value);
}

template <class Archive>
std::size_t passSize(Archive& archive, std::size_t size, std::size_t bytesEach) {
  auto count = static_cast<std::uint64_t>(size);
  archive.raw(&count, sizeof count);
  if constexpr (Archive::kReads)
    if (count > archive.left() / bytesEach) throw BadModelBytes("model bytes say too many");
  return static_cast<std::size_t>(count);
}

template <class Archive>
void members(Archive& archive, bool& value) {
  auto byte = static_cast<std::uint8_t>(value);
  archive.raw(&byte, sizeof byte);
  if (byte > 1) throw BadModelBytes("a flag of the model bytes is neither 0 nor 1");
  value = byte != 0;
}

template <class Archive>
void members(Archive& archive, std::string& text) {
  text.resize(passSize(archive, text.size(), 1));
  archive.raw(text.data(), text.size());
}

template <class Archive, class T>
void members(Archive& archive, std::vector<T>& values) {
  const std::size_t size = passSize(archive, values.size(), kPlain<T> ? sizeof(T) : 1);
  if constexpr (kPlain<T>) {
    values.resize(size);
    archive.raw(values.data(), size * sizeof(T));
  } else if constexpr (Archive::kReads) { // one by one: memory grows as they are there
    for (std::size_t i = 0; i < size; ++i)
      pass(archive, values.emplace_back());
  } else {
    for (T& value : values)
      pass(archive, value);
  }
}

template <class Archive, class T>
void members(Archive& archive, std::optional<T>& value) {
  bool there = value.has_value();
  pass(archive, there);
  if constexpr (Archive::kReads)
    if (there) value.emplace();
  if (value) pass(archive, *value);
}

template <class Archive, class... T>
void all(Archive& archive, T&... values) {
  (pass(archive, values), ...);
}

template <class Archive>
void members(Archive& archive, SceneCamera& camera) {
  all(archive, camera.name, camera.isOrthographic, camera.fieldOfView, camera.height, camera.aspect,
      camera.nearPlane, camera.farPlane, camera.nodeFromCamera);
}
template <class Archive>
void members(Archive& archive, SceneLight& light) {
  all(archive, light.name, light.kind, light.color, light.intensity, light.range, light.innerAngle,
      light.outerAngle, light.nodeFromLight);
}
template <class Archive>
void members(Archive& archive, Node& node) {
  all(archive, node.name, node.parent, node.rest, node.camera, node.light, node.extras,
      node.humanBone);
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
void members(Archive& archive, MorphPose& pose) {
  all(archive, pose.name, pose.weights, pose.binary);
}
template <class Archive>
void members(Archive& archive, SpringCollider& collider) {
  all(archive, collider.node, collider.shape, collider.inside, collider.offset, collider.radius,
      collider.end);
}
template <class Archive>
void members(Archive& archive, SpringJoint& joint) {
  all(archive, joint.node, joint.tail, joint.endLength, joint.stiffness, joint.drag, joint.gravity,
      joint.radius);
}
template <class Archive>
void members(Archive& archive, Spring& spring) {
  all(archive, spring.name, spring.center, spring.joints, spring.colliderGroups);
}
template <class Archive>
void members(Archive& archive, SpringBones& bones) {
  all(archive, bones.colliders, bones.colliderGroups, bones.springs);
}
template <class Archive>
void members(Archive& archive, Mesh& mesh) {
  all(archive, mesh.name, mesh.positions, mesh.normals, mesh.tangents, mesh.texcoords,
      mesh.texcoords1, mesh.colors, mesh.dualQuaternionShares, mesh.triangles, mesh.material,
      mesh.node, mesh.skin, mesh.influences, mesh.splineInfluences, mesh.morphs,
      mesh.insertedVertices);
}
template <class Archive>
void members(Archive& archive, Material& material) {
  all(archive, material.name, material.baseColor, material.texture, material.normalTexture,
      material.normalScale, material.metallic, material.roughness, material.surfaceTexture,
      material.occlusionTexture, material.occlusionStrength, material.emissive,
      material.emissiveTexture, material.shininess, material.specular, material.doubleSided,
      material.flat, material.alphaMode, material.alphaCutoff, material.texturesBySecondSet);
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
  all(archive, model.name, model.path, model.format, model.metersPerUnit, model.skinnedBy,
      model.hierarchy, model.skins, model.splines, model.morphTargets, model.morphPoses,
      model.springBones, model.meshes, model.materials, model.textures, model.clips, model.repairs,
      model.warnings);
}

} // namespace

// The one list of members serves both ways; writing changes nothing.
void putBytes(const Model& model, const PutBytes& put) {
  Writer writer(put);
  members(writer, const_cast<Model&>(model));
  writer.flush();
}

std::size_t countBytes(const Model& model) {
  Counter counter;
  members(counter, const_cast<Model&>(model));
  return counter.size();
}

std::vector<std::byte> toBytes(const Model& model) {
  std::vector<std::byte> out;
  out.reserve(countBytes(model));
  putBytes(model, [&](std::span<const std::byte> piece) {
    out.insert(out.end(), piece.begin(), piece.end());
  });
  return out;
}

Model modelOfBytes(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Model model;
  members(reader, model);
  if (reader.left() != 0) throw BadModelBytes("model bytes go on too long");
  if (const std::string problem = modelProblem(model); !problem.empty())
    throw BadModelBytes(problem);
  return model;
}

} // namespace sinew
