#include "render/gpu_mesh.h"

#include "core/error.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <numeric>
#include <type_traits>

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

// The alignment of uniform blocks in rows of 16 bytes: `bytes`, or the driver's if 0. A driver may
// align by less than a row.
std::uint32_t alignmentRows(std::uint32_t bytes) {
  if (bytes == 0) bytes = readLimit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
  return std::max(bytes / std::gcd(bytes, kRowBytes), 1u);
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

// The attribute's value of a vertex as a batch holds it; false where the batch lacks an entry.
bool localValue(const Attribute& attribute, std::size_t vertex, const MeshBatch& batch,
                Attribute& out) {
  out.data.clear();
  glm::uvec4 entries = readUint(attribute, vertex);
  for (int c = 0; c < 4; ++c) {
    const auto found = std::lower_bound(batch.entries.begin(), batch.entries.end(), entries[c]);
    if (found == batch.entries.end() || *found != entries[c]) return false;
    entries[c] = static_cast<std::uint32_t>(found - batch.entries.begin());
  }
  append(out, entries);
  return true;
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
    : materials_(std::move(materials)), storage_(options.storage), entryCount_(binding.entryCount),
      rowsPerEntry_(binding.rowsPerEntry), rigVertexCount_(rig.positions.size()),
      bindingMorphs_(method.morph != nullptr) {
  // Without a palette there is nothing to store, and crowds are drawn as with a texture.
  if (storage_ == PaletteStorage::automatic || !hasPalette()) storage_ = PaletteStorage::texture;
  textureTexels_ = options.textureTexels;
  if (textureTexels_ == 0) textureTexels_ = readLimit(GL_MAX_TEXTURE_BUFFER_SIZE);

  std::uint32_t entryCapacity = kNoSplit;
  if (drawsByInstance()) {
    const std::uint32_t rows =
        options.capacityRows != 0 ? options.capacityRows : capacityOf(storage_);
    entryCapacity = rows / rowsPerEntry_;
  }
  layout_ = splitMesh(rig, binding, entryCapacity);
  uploadVertices(rig, binding);
  uploadIndices();
  planRegions(storage_ == PaletteStorage::block ? alignmentRows(options.blockAlignment) : 1);
  skinShader_ = std::make_shared<const SkinShader>(
      makeSkinShader(method, binding, storage_, paletteCapacity_));
}

void GpuMesh::uploadVertices(const Rig& rig, const Binding& binding) {
  std::vector<Attribute> attributes;
  attributes.push_back(floats("bindPosition", AttributeFormat::float3, rig.positions, layout_));
  if (binding.variant.hasNormals())
    attributes.push_back(floats("bindNormal", AttributeFormat::float3, rig.normals, layout_));
  if (!materials_->textures.empty())
    attributes.push_back(floats("texcoord", AttributeFormat::float2, rig.texcoords, layout_));
  hasColors_ = std::any_of(rig.colors.begin(), rig.colors.end(),
                           [](const vec4& color) { return color != vec4(1.0f); });
  if (hasColors_)
    attributes.push_back(floats("color", AttributeFormat::float4, rig.colors, layout_));
  std::vector<Attribute> bound;
  for (const Attribute& attribute : std::span(binding.attributes).first(locatedCount(binding)))
    bound.push_back(inDrawOrder(attribute, layout_));
  InterleavedVertices vertices = interleave(attributes, bound, layout_.sourceVertex.size());
  vertexBuffer_ = Buffer(vertices.bytes, GL_STATIC_DRAW);
  attributes_ = std::move(vertices.attributes);
  further_ = FurtherAttributes(binding, layout_.sourceVertex);
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

void GpuMesh::planRegions(std::uint32_t alignmentRows) {
  if (!hasPalette()) return;
  const auto align = [&](std::size_t rows) {
    return (rows + alignmentRows - 1) / alignmentRows * alignmentRows;
  };
  regionOfBatch_.assign(layout_.batches.size(), 0);
  for (std::size_t b = 0; b < layout_.batches.size(); ++b) {
    const std::vector<std::uint32_t>& entries = layout_.batches[b].entries;
    const std::size_t rows = (entries.empty() ? entryCount_ : entries.size()) * rowsPerEntry_;
    paletteCapacity_ = std::max(paletteCapacity_, static_cast<std::uint32_t>(rows));
    if (entries.empty()) {
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
  const std::size_t capacity = each == 0 ? offsets_.size() : textureTexels_ / each;
  if (capacity == 0 && !offsets_.empty())
    throw graphicsError("a buffer texture cannot hold the palette of one character",
                        "use --palette block");
  const std::size_t parts = offsets_.empty() ? 0 : (offsets_.size() + capacity - 1) / capacity;
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
      const std::vector<std::uint32_t>& entries = layout_.batches[b].entries;
      if (entries.empty()) {
        std::copy(from.begin(), from.end(), to);
        break; // the region is the same for every batch
      }
      for (const std::uint32_t entry : entries)
        to = std::copy_n(from.begin() + std::ptrdiff_t{entry} * rowsPerEntry_, rowsPerEntry_, to);
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
    if (fieldBuffer_) attachField(part);
    part.vertices.attachIndices(indexBuffer_);
    crowd_.push_back(std::move(part));
  }
}

void GpuMesh::attachOffsets() {
  const bool several = offsets_.size() > 1;
  if (several) offsetBuffer_.replace(std::as_bytes(std::span(offsets_)));
  for (CrowdPart& part : crowd_) {
    if (several)
      part.vertices.attach(offsetBuffer_, {.location = kOffsetLocation,
                                           .components = 3,
                                           .offset = part.firstInstance * sizeof(vec3),
                                           .divisor = 1});
    else
      part.vertices.detach(kOffsetLocation);
  }
}

void GpuMesh::attachField(CrowdPart& part) {
  part.vertices.attach(fieldBuffer_, {.location = kFieldLocation, .components = fieldComponents_});
}

template <class T>
void GpuMesh::uploadField(std::span<const T> values) {
  assert(values.size() == rigVertexCount_);
  std::vector<T> ordered;
  ordered.reserve(layout_.sourceVertex.size());
  for (const std::uint32_t source : layout_.sourceVertex)
    ordered.push_back(values[source]);
  fieldBuffer_.replace(std::as_bytes(std::span(ordered)), GL_DYNAMIC_DRAW);
  fieldComponents_ = std::is_same_v<T, float> ? 1 : 3;
  for (CrowdPart& part : crowd_)
    attachField(part);
}

void GpuMesh::setField(std::span<const float> values) {
  uploadField(values);
}

void GpuMesh::setField(std::span<const vec3> colors) {
  uploadField(colors);
}

void GpuMesh::readVertices() {
  if (!bytes_.empty()) return;
  bytes_.resize(vertexBuffer_.size());
  readBuffer(vertexBuffer_, bytes_);
  drawnOffsets_.assign(rigVertexCount_ + 1, 0);
  for (const std::uint32_t vertex : layout_.sourceVertex)
    ++drawnOffsets_[vertex + 1];
  for (std::size_t v = 0; v < rigVertexCount_; ++v)
    drawnOffsets_[v + 1] += drawnOffsets_[v];
  drawn_.resize(layout_.sourceVertex.size());
  std::vector<std::uint32_t> next(drawnOffsets_.begin(), drawnOffsets_.end() - 1);
  for (std::uint32_t i = 0; i < layout_.sourceVertex.size(); ++i)
    drawn_[next[layout_.sourceVertex[i]]++] = i;
}

void GpuMesh::writeValues(std::span<const std::byte> values, std::size_t size, GLuint location,
                          std::span<const std::uint32_t> vertices) {
  const auto place = std::ranges::find(attributes_, location, &VertexAttribute::location);
  if (place == attributes_.end()) return; // the shader needs none of them
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i)
      std::memcpy(bytes_.data() + drawn_[i] * place->stride + place->offset,
                  values.data() + vertex * size, size);
}

void GpuMesh::writeFurther(const Binding& binding, std::span<const std::uint32_t> vertices) {
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i)
      further_.write(binding, vertex, drawn_[i]);
}

void GpuMesh::uploadDrawn(std::span<const std::uint32_t> vertices) {
  std::uint32_t first = ~0u;
  std::uint32_t last = 0;
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
      first = std::min(first, drawn_[i]);
      last = std::max(last, drawn_[i]);
    }
  if (first > last) return;
  further_.upload(first, last);
  const std::size_t stride = bytes_.size() / layout_.sourceVertex.size();
  vertexBuffer_.update(first * stride,
                       std::span(bytes_).subspan(first * stride, (last + 1 - first) * stride));
}

void GpuMesh::setMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding) {
  if (morphed.weights == morphWeights_) return;
  morphWeights_ = morphed.weights;
  std::vector<std::uint32_t> changed;
  std::ranges::set_union(morphedVertices_, morphed.vertices, std::back_inserter(changed));
  morphedVertices_ = morphed.vertices;
  if (changed.empty() || layout_.sourceVertex.empty()) return;
  readVertices();
  const BindVertices vertices(rig, morphed);
  writeValues(std::as_bytes(vertices.positions), sizeof(vec3), fixedLocation("bindPosition"),
              changed);
  writeValues(std::as_bytes(vertices.normals), sizeof(vec3), fixedLocation("bindNormal"), changed);
  for (std::size_t a = 0; bindingMorphs_ && a < locatedCount(binding); ++a)
    if (!binding.attributes[a].palette)
      writeValues(binding.attributes[a].data, byteSize(binding.attributes[a].format),
                  bindingLocation(a), changed);
  if (bindingMorphs_) writeFurther(binding, changed);
  uploadDrawn(changed);
}

bool GpuMesh::updateVertices(const Binding& binding, std::span<const std::uint32_t> vertices) {
  if (vertices.empty() || layout_.sourceVertex.empty()) return true;
  readVertices();
  std::vector<std::byte> fresh = bytes_;
  const std::size_t stride = bytes_.size() / layout_.sourceVertex.size();
  const auto batchOf = [&](std::uint32_t drawn) -> const MeshBatch& {
    const auto after =
        std::ranges::upper_bound(layout_.batches, drawn, {}, &MeshBatch::firstVertex);
    return *std::prev(after);
  };
  std::uint32_t first = ~0u;
  std::uint32_t last = 0;
  for (std::size_t a = 0; a < locatedCount(binding); ++a) {
    const Attribute& attribute = binding.attributes[a];
    const auto place =
        std::ranges::find(attributes_, bindingLocation(a), &VertexAttribute::location);
    assert(place != attributes_.end());
    const std::size_t size = byteSize(attribute.format);
    Attribute local{attribute.name, attribute.format, true, {}};
    for (const std::uint32_t vertex : vertices)
      for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
        const std::byte* value = attribute.data.data() + vertex * size;
        const MeshBatch& batch = batchOf(drawn_[i]);
        if (attribute.palette && !batch.entries.empty()) {
          if (!localValue(attribute, vertex, batch, local)) return false;
          value = local.data.data();
        }
        std::memcpy(fresh.data() + drawn_[i] * stride + place->offset, value, size);
        first = std::min(first, drawn_[i]);
        last = std::max(last, drawn_[i]);
      }
  }
  writeFurther(binding, vertices);
  further_.upload(first, last);
  bytes_ = std::move(fresh);
  if (first <= last)
    vertexBuffer_.update(first * stride,
                         std::span(bytes_).subspan(first * stride, (last + 1 - first) * stride));
  return true;
}

} // namespace sinew
