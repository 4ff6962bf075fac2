#include "render/gpu_mesh.h"

#include "core/error.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

constexpr std::uint32_t kRowBytes = sizeof(vec4);

std::uint32_t readLimit(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return static_cast<std::uint32_t>(std::max(value, 0));
}

// Rows that one draw's palette may have.
std::uint32_t capacityOf(PaletteStorage storage) {
  switch (storage) {
  case PaletteStorage::uniformArray:
    return kUniformArrayRows;
  case PaletteStorage::block:
    return readLimit(GL_MAX_UNIFORM_BLOCK_SIZE) / kRowBytes;
  default:
    return readLimit(GL_MAX_TEXTURE_BUFFER_SIZE);
  }
}

template <class T>
Attribute floats(const char* name, AttributeFormat format, const std::vector<T>& values,
                 const MeshSplit& split) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  Attribute out{name, format, false, {}};
  assert(byteSize(format) == sizeof(T));
  out.data.reserve(split.sourceVertex.size() * sizeof(T));
  for (const std::uint32_t source : split.sourceVertex) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&values[source]);
    out.data.insert(out.data.end(), bytes, bytes + sizeof(T));
  }
  return out;
}

} // namespace

std::shared_ptr<const GpuMaterials> uploadMaterials(const Model& model) {
  auto out = std::make_shared<GpuMaterials>();
  out->materials = model.materials;
  if (out->materials.empty()) out->materials.emplace_back();
  for (const Texture& texture : model.textures)
    out->textures.emplace_back(texture.image);
  return out;
}

GpuMesh::GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                 const Method& method, const Binding& binding, const GpuMeshOptions& options)
    : materials_(std::move(materials)), storage_(options.storage),
      skinFile_(skinFileOf(method.name)), bindingDefines_(binding.defines),
      itemCount_(binding.itemCount), rowsPerItem_(binding.rowsPerItem),
      rigVertexCount_(rig.positions.size()) {
  // Without a palette there is nothing to store, and crowds are drawn as with a texture.
  if (storage_ == PaletteStorage::automatic || !hasPalette()) storage_ = PaletteStorage::texture;
  textureTexels_ = options.textureTexels;
  if (textureTexels_ == 0) textureTexels_ = readLimit(GL_MAX_TEXTURE_BUFFER_SIZE);

  std::uint32_t itemCapacity = kNoSplit;
  if (drawsByInstance()) {
    const std::uint32_t rows =
        options.capacityRows != 0 ? options.capacityRows : capacityOf(storage_);
    itemCapacity = rows / rowsPerItem_;
  }
  layout_ = splitMesh(rig, binding, itemCapacity);
  uploadVertices(rig, binding);
  uploadIndices();
  planRegions(storage_ == PaletteStorage::block
                  ? readLimit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT) / kRowBytes
                  : 1);
}

void GpuMesh::uploadVertices(const Rig& rig, const Binding& binding) {
  std::vector<Attribute> attributes;
  attributes.push_back(floats("bindPosition", AttributeFormat::float3, rig.positions, layout_));
  if (binding.normals)
    attributes.push_back(floats("bindNormal", AttributeFormat::float3, rig.normals, layout_));
  if (!materials_->textures.empty())
    attributes.push_back(floats("texcoord", AttributeFormat::float2, rig.texcoords, layout_));
  hasColors_ = std::any_of(rig.colors.begin(), rig.colors.end(),
                           [](const vec4& color) { return color != vec4(1.0f); });
  if (hasColors_)
    attributes.push_back(floats("color", AttributeFormat::float4, rig.colors, layout_));
  for (const Attribute& attribute : binding.attributes)
    attributes.push_back(inDrawOrder(attribute, layout_));
  InterleavedVertices vertices = interleave(attributes, layout_.sourceVertex.size());
  vertexBuffer_ = Buffer(vertices.bytes, GL_STATIC_DRAW);
  attributes_ = std::move(vertices.attributes);
}

void GpuMesh::uploadIndices() {
  shortIndices_ = std::all_of(layout_.batches.begin(), layout_.batches.end(),
                              [](const MeshBatch& batch) { return batch.vertexCount <= 65536; });
  if (!shortIndices_) {
    indexBuffer_ = Buffer(std::as_bytes(std::span(layout_.indices)), GL_STATIC_DRAW);
    return;
  }
  std::vector<std::uint16_t> narrow;
  narrow.reserve(layout_.indices.size());
  for (const std::uint32_t index : layout_.indices)
    narrow.push_back(static_cast<std::uint16_t>(index));
  indexBuffer_ = Buffer(std::as_bytes(std::span(narrow)), GL_STATIC_DRAW);
}

void GpuMesh::planRegions(std::uint32_t alignment) {
  if (!hasPalette()) return;
  const auto align = [&](std::size_t rows) {
    return (rows + alignment - 1) / alignment * alignment;
  };
  regionOfBatch_.assign(layout_.batches.size(), 0);
  for (std::size_t b = 0; b < layout_.batches.size(); ++b) {
    const std::vector<std::uint32_t>& items = layout_.batches[b].items;
    const std::size_t rows = (items.empty() ? itemCount_ : items.size()) * rowsPerItem_;
    paletteCapacity_ = std::max(paletteCapacity_, static_cast<std::uint32_t>(rows));
    if (items.empty()) {
      regionRows_ = align(rows); // all batches share the one region
    } else {
      regionOfBatch_[b] = regionRows_;
      regionRows_ += align(rows);
    }
  }
}

void GpuMesh::setPalette(const Palette& palette) {
  setCrowd(palette.rows, std::vector<vec3>{vec3(0.0f)}, palette.nonUniformScale);
}

void GpuMesh::setCrowd(std::span<const vec4> rows, std::span<const vec3> offsets,
                       bool nonUniformScale) {
  assert(rows.size() == offsets.size() * instanceRows());
  nonUniformScale_ = nonUniformScale;
  offsets_.assign(offsets.begin(), offsets.end());
  if (drawsByInstance()) {
    resizeParts(1);
    crowd_[0].instances = offsets_.size();
    gatherRegions(rows);
  } else {
    uploadTexture(rows);
    attachOffsets();
  }
}

void GpuMesh::uploadTexture(std::span<const vec4> rows) {
  // The fewest parts whose rows fit a buffer texture each, all of about the same size.
  const std::size_t each = instanceRows();
  const std::size_t most = each == 0 ? offsets_.size() : textureTexels_ / each;
  if (most == 0 && !offsets_.empty())
    throw graphicsError("a buffer texture cannot hold the palette of one character",
                        "use --palette block");
  const std::size_t parts = offsets_.empty() ? 0 : (offsets_.size() + most - 1) / most;
  resizeParts(parts);
  for (std::size_t p = 0; p < parts; ++p) {
    CrowdPart& part = crowd_[p];
    part.firstInstance = offsets_.size() * p / parts;
    part.instances = offsets_.size() * (p + 1) / parts - part.firstInstance;
    if (each == 0) continue;
    part.rows.replace(
        std::as_bytes(rows.subspan(part.firstInstance * each, part.instances * each)));
    if (part.texture.name() == 0) part.texture = BufferTexture(part.rows);
  }
}

void GpuMesh::gatherRegions(std::span<const vec4> rows) {
  // A region is declared with the capacity of the largest: room for that behind the last one.
  regions_.assign(offsets_.size() * regionRows_ + paletteCapacity_, vec4(0.0f));
  for (std::size_t instance = 0; instance < offsets_.size(); ++instance) {
    const auto from = rows.subspan(instance * instanceRows(), instanceRows());
    for (std::size_t b = 0; b < layout_.batches.size(); ++b) {
      auto to = regions_.begin() +
                static_cast<std::ptrdiff_t>(instance * regionRows_ + regionOfBatch_[b]);
      const std::vector<std::uint32_t>& items = layout_.batches[b].items;
      if (items.empty()) {
        std::copy(from.begin(), from.end(), to);
        break; // the region is the same for every batch
      }
      for (const std::uint32_t item : items)
        to = std::copy_n(from.begin() + std::ptrdiff_t{item} * rowsPerItem_, rowsPerItem_, to);
    }
  }
  if (storage_ == PaletteStorage::block) blockBuffer_.replace(std::as_bytes(std::span(regions_)));
}

std::span<const vec4> GpuMesh::paletteRows(std::size_t batch, std::size_t instance) const {
  return std::span(regions_).subspan(instance * regionRows_ + regionOfBatch_[batch],
                                     paletteCapacity_);
}

std::size_t GpuMesh::blockOffset(std::size_t batch, std::size_t instance) const {
  return (instance * regionRows_ + regionOfBatch_[batch]) * sizeof(vec4);
}

void GpuMesh::resizeParts(std::size_t parts) {
  if (crowd_.size() > parts)
    crowd_.erase(crowd_.begin() + static_cast<std::ptrdiff_t>(parts), crowd_.end());
  while (crowd_.size() < parts) {
    CrowdPart part;
    part.vertices = VertexArray::make();
    for (const VertexAttribute& attribute : attributes_)
      part.vertices.attach(vertexBuffer_, attribute);
    if (fieldBuffer_)
      part.vertices.attach(fieldBuffer_, {.location = attributeLocation("field"), .components = 1});
    part.vertices.attachIndices(indexBuffer_);
    crowd_.push_back(std::move(part));
  }
}

void GpuMesh::attachOffsets() {
  const GLuint location = attributeLocation("instanceOffset");
  const bool several = offsets_.size() > 1;
  if (several) offsetBuffer_.replace(std::as_bytes(std::span(offsets_)));
  for (CrowdPart& part : crowd_) {
    if (several)
      part.vertices.attach(offsetBuffer_, {.location = location,
                                           .components = 3,
                                           .offset = part.firstInstance * sizeof(vec3),
                                           .divisor = 1});
    else
      part.vertices.detach(location);
  }
}

void GpuMesh::setField(std::span<const float> values) {
  assert(values.size() == rigVertexCount_);
  std::vector<float> ordered;
  ordered.reserve(layout_.sourceVertex.size());
  for (const std::uint32_t source : layout_.sourceVertex)
    ordered.push_back(values[source]);
  const bool isNew = !fieldBuffer_;
  fieldBuffer_.replace(std::as_bytes(std::span(ordered)), GL_DYNAMIC_DRAW);
  if (isNew)
    for (CrowdPart& part : crowd_)
      part.vertices.attach(fieldBuffer_, {.location = attributeLocation("field"), .components = 1});
}

} // namespace sinew
