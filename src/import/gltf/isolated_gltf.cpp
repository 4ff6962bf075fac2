#include "import/gltf/isolated_gltf.h"

#include "core/error.h"
#include "import/material_rules.h"
#include "import/model_finish.h"
#include "import/readers.h"
#include "model/model_bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>

namespace sinew {
namespace {

constexpr double kSeconds = 120.0;

// Numbers of 32 bits, one after another; lists behind their lengths.
class OriginWriter {
 public:
  void number(std::uint32_t value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
  }
  void numbers(const std::vector<std::uint32_t>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(std::uint32_t));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class OriginReader {
 public:
  explicit OriginReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::uint32_t number() {
    std::uint32_t value = 0;
    if (rest_.size() < sizeof value) throw BadModelBytes("the places in the file end too early");
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::vector<std::uint32_t> numbers() {
    const std::size_t count = number();
    if (count > rest_.size() / sizeof(std::uint32_t))
      throw BadModelBytes("the places in the file end too early");
    std::vector<std::uint32_t> out(count);
    if (count > 0) std::memcpy(out.data(), rest_.data(), count * sizeof(std::uint32_t));
    rest_ = rest_.subspan(count * sizeof(std::uint32_t));
    return out;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

std::vector<std::byte> toBytes(const GltfOrigin& origin) {
  OriginWriter out;
  out.numbers(origin.nodeByFileNode);
  out.numbers(origin.clips);
  out.number(static_cast<std::uint32_t>(origin.meshes.size()));
  for (const GltfMeshOrigin& mesh : origin.meshes) {
    for (const std::uint32_t value : {mesh.node, mesh.mesh, mesh.primitive})
      out.number(value);
    out.numbers(mesh.vertexByFileVertex);
    for (int i = 0; i < 16; ++i)
      out.number(std::bit_cast<std::uint32_t>(mesh.modelFromFile[i / 4][i % 4]));
  }
  out.number(static_cast<std::uint32_t>(origin.skins.size()));
  for (const GltfSkinOrigin& skin : origin.skins)
    for (const std::uint32_t value : {skin.skin, skin.joints})
      out.number(value);
  out.number(static_cast<std::uint32_t>(origin.morphTargets.size()));
  for (const GltfMorphOrigin& target : origin.morphTargets)
    for (const std::uint32_t value : {target.node, target.target})
      out.number(value);
  return out.take();
}

GltfOrigin originOfBytes(std::span<const std::byte> bytes) {
  OriginReader in(bytes);
  GltfOrigin out;
  out.nodeByFileNode = in.numbers();
  out.clips = in.numbers();
  for (std::uint32_t left = in.number(); left > 0; --left) {
    GltfMeshOrigin& mesh = out.meshes.emplace_back();
    for (std::uint32_t* value : {&mesh.node, &mesh.mesh, &mesh.primitive})
      *value = in.number();
    mesh.vertexByFileVertex = in.numbers();
    for (int i = 0; i < 16; ++i)
      mesh.modelFromFile[i / 4][i % 4] = std::bit_cast<float>(in.number());
  }
  for (std::uint32_t left = in.number(); left > 0; --left) {
    GltfSkinOrigin& skin = out.skins.emplace_back();
    for (std::uint32_t* value : {&skin.skin, &skin.joints})
      *value = in.number();
  }
  for (std::uint32_t left = in.number(); left > 0; --left) {
    GltfMorphOrigin& target = out.morphTargets.emplace_back();
    for (std::uint32_t* value : {&target.node, &target.target})
      *value = in.number();
  }
  if (in.left() != 0) throw BadModelBytes("the places in the file go on too long");
  return out;
}

void require(bool holds) {
  if (!holds) throw BadModelBytes("the places in the file are not those of the model");
}

bool allBelow(const std::vector<std::uint32_t>& values, std::size_t limit) {
  return std::ranges::all_of(
      values, [&](std::uint32_t value) { return value == kNotInGltf || value < limit; });
}

// The child is not trusted. Indices of the file are checked where they are used.
void check(const GltfModel& read) {
  const Model& model = read.model;
  const GltfOrigin& origin = read.origin;
  require(allBelow(origin.nodeByFileNode, model.hierarchy.nodes.size()));
  require(origin.meshes.size() == model.meshes.size() &&
          origin.skins.size() == model.skins.size() &&
          origin.morphTargets.size() == model.morphTargets.size() &&
          origin.clips.size() == model.clips.size());
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    require(allBelow(origin.meshes[m].vertexByFileVertex, model.meshes[m].positions.size()));
    for (int i = 0; i < 16; ++i)
      require(std::isfinite(origin.meshes[m].modelFromFile[i / 4][i % 4]));
  }
  for (std::size_t s = 0; s < model.skins.size(); ++s)
    require(origin.skins[s].joints <= model.skins[s].joints.size());
}

using GltfReader = std::function<Model(const ImportOptions&, GltfOrigin&)>;

// The length of the model's bytes, these, and those of the places.
std::vector<std::byte> readWithOrigin(const GltfReader& reader, const ImportProgress& progress) {
  ImportOptions options;
  options.decodeTextures = false;
  options.progress = progress;
  GltfOrigin origin;
  Model model = reader(options, origin);
  repairNumbers(model);
  dropUnusedMaterials(model);
  const std::vector<std::byte> first = toBytes(model);
  const std::vector<std::byte> second = toBytes(origin);
  const std::uint64_t length = first.size();
  std::vector<std::byte> out(sizeof length + first.size() + second.size());
  std::memcpy(out.data(), &length, sizeof length);
  std::copy(second.begin(), second.end(),
            std::copy(first.begin(), first.end(), out.begin() + sizeof length));
  return out;
}

GltfModel readApart(const std::filesystem::path& path, const GltfReader& reader) try {
  const std::vector<std::byte> bytes = bytesIsolated(
      path, [&](const ImportProgress& progress) { return readWithOrigin(reader, progress); }, {},
      {.seconds = kSeconds});
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw BadModelBytes("the model's bytes end too early");
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::span<const std::byte> rest = std::span(bytes).subspan(sizeof length);
  if (length > rest.size()) throw BadModelBytes("the model's bytes end too early");
  GltfModel out{modelOfBytes(rest.first(length)), originOfBytes(rest.subspan(length))};
  check(out);
  return out;
} catch (const BadModelBytes& error) {
  throw inputError(path.string(), error.what());
}

} // namespace

GltfModel importGltfIsolated(const std::filesystem::path& path) {
  const SourceFile file = identifyFile(path, ImportOptions().maxFileBytes);
  if (file.kind != SourceKind::gltf) throw inputError(path.string(), "is not glTF");
  return readApart(path, [&](const ImportOptions& options, GltfOrigin& origin) {
    return readGltf(file, options, origin);
  });
}

GltfModel importGlbIsolated(const std::string& glb) {
  return readApart("model.glb", [&](const ImportOptions& options, GltfOrigin& origin) {
    return readGlb(glb, options, origin);
  });
}

} // namespace sinew
