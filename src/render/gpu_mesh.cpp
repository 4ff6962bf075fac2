#include "render/gpu_mesh.h"

#include "core/error.h"
#include "gl/load.h"
#include "render/programs.h"
#include "render/vertex_layout.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
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
std::uint32_t countRowsThatFit(PaletteStorage storage) {
  switch (storage) {
  case PaletteStorage::uniformArray:
    return kUniformArrayRows;
  case PaletteStorage::block:
    return readLimit(GL_MAX_UNIFORM_BLOCK_SIZE) / kRowBytes;
  case PaletteStorage::storageBuffer:
    return readLimit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) / kRowBytes;
  default:
    return readLimit(GL_MAX_TEXTURE_BUFFER_SIZE);
  }
}

void checkStorage(PaletteStorage storage) {
  if (storage == PaletteStorage::storageBuffer &&
      (!hasCompute() || readLimit(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) == 0))
    throw graphicsError("--palette storage-buffer needs OpenGL 4.3, with storage buffers in vertex "
                        "shaders; this driver has " +
                            glInfo().version,
                        "use --palette texture");
}

// The alignment of uniform blocks in rows of 16 bytes: `bytes`, or the driver's if 0. A driver may
// align by less than a row.
std::uint32_t alignmentRows(std::uint32_t bytes) {
  if (bytes == 0) bytes = readLimit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
  return std::max(bytes / std::gcd(bytes, kRowBytes), 1u);
}

GLenum texelFormat(PaletteFormat format) {
  switch (format) {
  case PaletteFormat::f16:
    return GL_RGBA16F;
  case PaletteFormat::dq16:
    return GL_RGBA16;
  default:
    return GL_RGBA32F;
  }
}

} // namespace

std::shared_ptr<const GpuMaterials> uploadMaterials(const Model& model) {
  auto out = std::make_shared<GpuMaterials>();
  out->materials = model.materials;
  if (out->materials.empty()) out->materials.emplace_back();
  out->textures.resize(model.textures.size());
  out->numberTextures.resize(model.textures.size());
  for (const Material& material : model.materials)
    for (const auto& [role, t] : listTextures(material)) {
      if (role == TextureRole::normals && !showsNormalMap(model, material)) continue;
      const Image& image = model.textures[t].image;
      Texture2D& made = isColor(role) ? out->textures[t] : out->numberTextures[t];
      if (image.rgba.empty() || made.name() != 0) continue; // what nobody is to see is not decoded
      made = Texture2D(image, isColor(role) ? Texels::light : Texels::stored);
    }
  return out;
}

GpuMesh::GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig,
                 const Method& method, const Binding& binding, const GpuMeshOptions& options)
    : materials_(std::move(materials)), storage_(options.storage), entryCount_(binding.entryCount),
      rowsPerEntry_(binding.rowsPerEntry) {
  // Without a palette there is nothing to store, and crowds are drawn as with a texture.
  if (storage_ == PaletteStorage::automatic || !hasPalette()) storage_ = PaletteStorage::texture;
  checkStorage(storage_);
  if (storage_ == PaletteStorage::texture && hasPalette()) reading_ = options.reading;
  crowdRows_ = options.crowdRows;
  if (crowdRows_ == 0) crowdRows_ = countRowsThatFit(storage_);

  std::uint32_t entryCapacity = kNoSplit;
  if (drawsByInstance()) {
    const std::uint32_t rows =
        options.capacityRows != 0 ? options.capacityRows : countRowsThatFit(storage_);
    entryCapacity = rows / rowsPerEntry_;
  }
  vertices_ = DrawnVertices(rig, splitMesh(rig, binding, entryCapacity), binding,
                            {.texcoords = !options.compute && !materials_->textures.empty(),
                             .tangents = takesTangents(rig, method, binding),
                             .morphsBound = method.morph != nullptr});
  prepare(method, binding, options);
}

GpuMesh::GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig, MeshSplit layout,
                 bool tangents)
    : materials_(std::move(materials)), storage_(PaletteStorage::texture),
      posed_(std::make_unique<PosedBuffers>()) {
  const Method& method = staticMethod();
  const Binding binding = method.bind(rig, {});
  vertices_ = DrawnVertices(
      rig, std::move(layout), binding,
      {.bindPose = false, .texcoords = !materials_->textures.empty(), .tangents = tangents});
  prepare(method, binding, {});
}

void GpuMesh::prepare(const Method& method, const Binding& binding, const GpuMeshOptions& options) {
  if (!options.compute) uploadIndices();
  planRegions(storage_ == PaletteStorage::block ? alignmentRows(options.blockAlignment) : 1);
  for (const BindingForm& form : listForms(binding)) {
    SkinShaderOptions shader{storage_, paletteCapacity_, hasTangents(), reading_};
    if (options.compute) shader.stored = vertices_.regions()[skinShaders_.size()].attributes;
    skinShaders_.push_back(
        std::make_shared<const SkinShader>(makeSkinShader(method, binding, form, shader)));
  }
}

void GpuMesh::uploadIndices() {
  shortIndices_ = std::all_of(layout().batches.begin(), layout().batches.end(),
                              [](const MeshBatch& batch) { return batch.vertexCount <= 65536; });
  if (!shortIndices_) {
    indexBuffer_ = Buffer(std::as_bytes(std::span(layout().indices)), GL_STATIC_DRAW);
    return;
  }
  std::vector<std::uint16_t> narrow;
  narrow.reserve(layout().indices.size());
  for (const std::uint32_t index : layout().indices)
    narrow.push_back(static_cast<std::uint16_t>(index));
  indexBuffer_ = Buffer(std::as_bytes(std::span(narrow)), GL_STATIC_DRAW);
}

void GpuMesh::planRegions(std::uint32_t alignmentRows) {
  if (!hasPalette()) return;
  const auto align = [&](std::size_t rows) {
    return (rows + alignmentRows - 1) / alignmentRows * alignmentRows;
  };
  rowsOfBatch_.assign(layout().batches.size(), 0);
  for (std::size_t b = 0; b < layout().batches.size(); ++b) {
    const std::vector<std::uint32_t>& entries = layout().batches[b].entries;
    const std::size_t rows = (entries.empty() ? entryCount_ : entries.size()) * rowsPerEntry_;
    paletteCapacity_ = std::max(paletteCapacity_, static_cast<std::uint32_t>(rows));
    if (entries.empty()) {
      instanceRegionRows_ = align(rows); // all batches share the one region
    } else {
      rowsOfBatch_[b] = instanceRegionRows_;
      instanceRegionRows_ += align(rows);
    }
  }
}

void GpuMesh::attachPosed(CrowdPart& part) const {
  const std::size_t first = part.firstInstance * layout().sourceVertex.size();
  VertexArray& array = part.vertices.front();
  const auto attach = [&](GLuint location, GLint components, std::size_t at) {
    const std::size_t size = static_cast<std::size_t>(components) * sizeof(float);
    array.attach(posed_->buffer(), {.location = location,
                                    .components = components,
                                    .offset = at + first * size,
                                    .stride = size});
  };
  attach(fixedLocation("bindPosition"), 3, 0);
  attach(fixedLocation("bindNormal"), 3, posed_->normalsAt());
  if (hasTangents()) attach(kTangentLocation, 4, posed_->tangentsAt());
}

PosedArrays GpuMesh::mapPosed(std::span<const vec3> offsets) {
  assert(isPosed());
  const PosedArrays out = posed_->map(offsets.size() * layout().sourceVertex.size(), hasTangents());
  placePosed(offsets);
  return out;
}

const PosedBuffers& GpuMesh::reservePosed(std::span<const vec3> offsets) {
  assert(isPosed());
  posed_->reserve(offsets.size() * layout().sourceVertex.size(), hasTangents());
  placePosed(offsets);
  return *posed_;
}

void GpuMesh::placePosed(std::span<const vec3> offsets) {
  offsets_.assign(offsets.begin(), offsets.end());
  resizeParts(offsets.size());
  for (std::size_t i = 0; i < crowd_.size(); ++i) {
    crowd_[i].firstInstance = i;
    crowd_[i].instances = 1;
    attachPosed(crowd_[i]);
  }
}

void GpuMesh::setPalette(const Palette& palette) {
  members_.clear();
  static constexpr vec3 kOrigin(0.0f);
  setCrowd(palette.rows, std::span(&kOrigin, 1), palette.nonUniformScale);
}

void GpuMesh::setCrowd(std::span<const vec4> rows, std::span<const vec3> offsets,
                       bool nonUniformScale) {
  assert(rows.size() == offsets.size() * instanceRows());
  nonUniformScale_ = nonUniformScale && holdsScale();
  offsets_.assign(offsets.begin(), offsets.end());
  if (members_.size() > offsets_.size()) members_.resize(offsets_.size());
  if (drawsByInstance()) {
    resizeParts(1);
    crowd_[0].instances = offsets_.size();
    gatherRegions(rows);
  } else {
    uploadRows(rows);
    attachOffsets();
  }
}

bool GpuMesh::hasOwnVertices(std::size_t member) const {
  return member < members_.size() && members_[member].own.buffer;
}

const FurtherAttributes& GpuMesh::further(std::size_t instance) const {
  return hasOwnVertices(instance) ? members_[instance].own.further : vertices_.further();
}

const Buffer& GpuMesh::vertexBuffer(std::size_t instance) const {
  return hasOwnVertices(instance) ? members_[instance].own.buffer : vertices_.buffer();
}

GLuint GpuMesh::vertexArray(const MeshBatch& batch, const CrowdPart& part,
                            std::size_t instance) const {
  const bool own = hasOwnVertices(instance);
  return (own ? members_[instance].arrays : part.vertices)[batch.form].name();
}

// Divides it into parts of at most `capacity` characters, or of one with its own vertices.
void GpuMesh::divideCrowd(std::size_t capacity) {
  const auto isOwn = [&](const Member& member) { return static_cast<bool>(member.own.buffer); };
  if (std::ranges::none_of(members_, isOwn)) {
    // The fewest parts, all of about the same size.
    const std::size_t parts = offsets_.empty() ? 0 : (offsets_.size() + capacity - 1) / capacity;
    resizeParts(parts);
    for (std::size_t p = 0; p < parts; ++p) {
      crowd_[p].firstInstance = offsets_.size() * p / parts;
      crowd_[p].instances = offsets_.size() * (p + 1) / parts - crowd_[p].firstInstance;
    }
    return;
  }
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < offsets_.size(); ++i)
    if (i == 0 || hasOwnVertices(i) || hasOwnVertices(i - 1) || i - starts.back() == capacity)
      starts.push_back(i);
  resizeParts(starts.size());
  for (std::size_t p = 0; p < starts.size(); ++p) {
    const std::size_t end = p + 1 < starts.size() ? starts[p + 1] : offsets_.size();
    crowd_[p].firstInstance = starts[p];
    crowd_[p].instances = end - starts[p];
  }
}

void GpuMesh::setBaked(std::span<const vec4> rows, bool nonUniformScale) {
  assert(isBaked());
  const std::size_t texels =
      rows.size() / rowsPerEntry_ * storedRows(reading_.format, rowsPerEntry_);
  if (texels > crowdRows_)
    throw graphicsError(fmt::format("the baked clips have {} rows, and a buffer texture holds {}",
                                    texels, crowdRows_),
                        "bake one of them: --clip NAME");
  nonUniformScale_ = nonUniformScale && holdsScale();
  storePalette(reading_.format, rows, rowsPerEntry_, stored_);
  bakedRows_ = Buffer(stored_.bytes, GL_STATIC_DRAW);
  stored_.bytes = {};
  bakedTexture_ = BufferTexture(bakedRows_, texelFormat(reading_.format));
}

void GpuMesh::setPlays(std::span<const vec4> plays, std::span<const vec3> offsets) {
  assert(plays.size() == offsets.size());
  offsets_.assign(offsets.begin(), offsets.end());
  divideCrowd(crowdRows_);
  for (CrowdPart& part : crowd_) {
    part.rows.replace(std::as_bytes(plays.subspan(part.firstInstance, part.instances)));
    if (part.texture.name() == 0) part.texture = BufferTexture(part.rows);
  }
  attachOffsets();
}

void GpuMesh::uploadRows(std::span<const vec4> rows) {
  const std::size_t each = storedInstanceRows();
  const std::size_t capacity = each == 0 ? offsets_.size() : crowdRows_ / each;
  if (capacity == 0 && !offsets_.empty())
    throw graphicsError("a buffer cannot hold the palette of one character", "use --palette block");
  divideCrowd(capacity);
  if (each == 0) return;
  auto bytes = std::as_bytes(rows);
  if (reading_.format != PaletteFormat::f32) {
    storePalette(reading_.format, rows, rowsPerEntry_, stored_);
    bytes = stored_.bytes;
  }
  const std::size_t eachBytes =
      entryCount_ * std::size_t{storedBytes(reading_.format, rowsPerEntry_)};
  for (CrowdPart& part : crowd_) {
    part.rows.replace(bytes.subspan(part.firstInstance * eachBytes, part.instances * eachBytes));
    if (storage_ == PaletteStorage::texture && part.texture.name() == 0)
      part.texture = BufferTexture(part.rows, texelFormat(reading_.format));
  }
}

void GpuMesh::gatherRegions(std::span<const vec4> rows) {
  // A region is declared with the capacity of the largest: room for that behind the last one.
  regionRows_.assign(offsets_.size() * instanceRegionRows_ + paletteCapacity_, vec4(0.0f));
  for (std::size_t instance = 0; instance < offsets_.size(); ++instance) {
    const auto from = rows.subspan(instance * instanceRows(), instanceRows());
    for (std::size_t b = 0; b < layout().batches.size(); ++b) {
      auto to = regionRows_.begin() +
                static_cast<std::ptrdiff_t>(instance * instanceRegionRows_ + rowsOfBatch_[b]);
      const std::vector<std::uint32_t>& entries = layout().batches[b].entries;
      if (entries.empty()) {
        std::copy(from.begin(), from.end(), to);
        break; // the region is the same for every batch
      }
      for (const std::uint32_t entry : entries)
        to = std::copy_n(from.begin() + std::ptrdiff_t{entry} * rowsPerEntry_, rowsPerEntry_, to);
    }
  }
  if (storage_ == PaletteStorage::block)
    blockBuffer_.replace(std::as_bytes(std::span(regionRows_)));
}

std::span<const vec4> GpuMesh::paletteRows(std::size_t batch, std::size_t instance) const {
  return std::span(regionRows_)
      .subspan(instance * instanceRegionRows_ + rowsOfBatch_[batch], paletteCapacity_);
}

std::size_t GpuMesh::blockOffset(std::size_t batch, std::size_t instance) const {
  return (instance * instanceRegionRows_ + rowsOfBatch_[batch]) * sizeof(vec4);
}

std::vector<VertexArray> GpuMesh::makeVertexArrays(const Buffer& vertices) const {
  std::vector<VertexArray> arrays;
  for (const VertexRegion& region : vertices_.regions()) {
    VertexArray& array = arrays.emplace_back(VertexArray::make());
    for (const VertexAttribute& attribute : region.attributes)
      array.attach(vertices, attribute);
    array.attachIndices(indexBuffer_);
  }
  if (fieldBuffer_) attachField(arrays);
  return arrays;
}

void GpuMesh::resizeParts(std::size_t parts) {
  if (crowd_.size() > parts)
    crowd_.erase(crowd_.begin() + static_cast<std::ptrdiff_t>(parts), crowd_.end());
  while (crowd_.size() < parts) {
    CrowdPart part;
    part.vertices = makeVertexArrays(vertices_.buffer());
    crowd_.push_back(std::move(part));
  }
}

void GpuMesh::attachOffsets() {
  const bool several = std::ranges::any_of(crowd_, [](const auto& p) { return p.instances > 1; });
  if (several) offsetBuffer_.replace(std::as_bytes(std::span(offsets_)));
  for (CrowdPart& part : crowd_)
    for (VertexArray& array : part.vertices)
      if (part.instances > 1)
        array.attach(offsetBuffer_, {.location = kOffsetLocation,
                                     .components = 3,
                                     .offset = part.firstInstance * sizeof(vec3),
                                     .divisor = 1});
      else
        array.detach(kOffsetLocation);
}

void GpuMesh::attachField(std::span<VertexArray> arrays) const {
  for (std::size_t f = 0; f < arrays.size(); ++f)
    arrays[f].attach(fieldBuffer_, {.location = kFieldLocation,
                                    .components = fieldComponents_,
                                    .offset = vertices_.regions()[f].firstVertex * sizeof(float) *
                                              static_cast<std::size_t>(fieldComponents_)});
}

template <class T>
void GpuMesh::uploadField(std::span<const T> values) {
  assert(values.size() == rigVertexCount());
  std::vector<T> ordered;
  ordered.reserve(layout().sourceVertex.size());
  for (const std::uint32_t source : layout().sourceVertex)
    ordered.push_back(values[source]);
  fieldBuffer_.replace(std::as_bytes(std::span(ordered)), GL_DYNAMIC_DRAW);
  fieldComponents_ = std::is_same_v<T, float> ? 1 : 3;
  for (CrowdPart& part : crowd_)
    attachField(part.vertices);
  for (Member& member : members_)
    attachField(member.arrays);
}

void GpuMesh::placeBlended(const Rig& rig, std::span<const mat4> modelFromNode) {
  places_.assign(layout().batches.size(), vec3(0.0f));
  std::vector<std::size_t> vertices;
  for (std::size_t b = 0; b < places_.size(); ++b) {
    const MeshBatch& batch = layout().batches[b];
    if (batch.vertexCount == 0 || rig.joints.empty() ||
        materials_->materials[batch.material].alphaMode != AlphaMode::blend)
      continue;
    vertices.assign(rig.joints.size(), 0);
    glm::dvec3 sum(0.0);
    for (std::uint32_t i = 0; i < batch.vertexCount; ++i) {
      const std::uint32_t v = layout().sourceVertex[batch.firstVertex + i];
      ++vertices[rig.influences.of(v)[0].joint];
      sum += glm::dvec3(rig.positions[v]);
    }
    const auto common = std::ranges::max_element(vertices) - vertices.begin();
    const RigJoint& joint = rig.joints[static_cast<std::size_t>(common)];
    const vec3 middle(sum / static_cast<double>(batch.vertexCount));
    places_[b] = vec3(modelFromNode[joint.node] * (joint.jointFromBind * vec4(middle, 1.0f)));
  }
}

void GpuMesh::setField(std::span<const float> values) {
  uploadField(values);
}

void GpuMesh::setField(std::span<const vec3> colors) {
  uploadField(colors);
}

void GpuMesh::setMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding) {
  if (!isPosed()) vertices_.setMorphs(rig, morphed, binding);
}

void GpuMesh::setMemberMorphs(std::size_t index, const Rig& rig, const MorphedVertices& morphed,
                              const Binding& binding) {
  if (members_.size() <= index) members_.resize(index + 1);
  Member& member = members_[index];
  if (vertices_.setMorphs(rig, morphed, binding, member.own))
    member.arrays = makeVertexArrays(member.own.buffer);
}

bool GpuMesh::updateVertices(const Binding& binding, std::span<const std::uint32_t> vertices) {
  if (isPosed()) return false; // what they follow may have changed
  if (vertices.empty() || layout().sourceVertex.empty()) return true;
  if (!vertices_.update(binding, vertices)) return false;
  members_.clear(); // made from the vertices before
  return true;
}

} // namespace sinew
