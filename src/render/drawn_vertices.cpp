#include "render/drawn_vertices.h"

#include "render/vertex_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>

namespace sinew {
namespace {

template <class T>
Attribute floats(const char* name, AttributeFormat format, const std::vector<T>& values,
                 std::span<const std::uint32_t> sources) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  Attribute out{name, format, false, {}};
  assert(byteSize(format) == sizeof(T));
  out.data.resize(sources.size() * sizeof(T));
  std::byte* to = out.data.data();
  for (const std::uint32_t source : sources) {
    std::memcpy(to, &values[source], sizeof(T));
    to += sizeof(T);
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

// Makes the morph targets the shown ones. Returns the vertices that either the former or the new
// ones move: none where the weights do not change.
std::vector<std::uint32_t> takeMorphs(const MorphedVertices& morphed, ShownMorphs& shown) {
  std::vector<std::uint32_t> changed;
  if (morphed.weights == shown.weights) return changed;
  std::ranges::set_union(shown.vertices, morphed.vertices, std::back_inserter(changed));
  shown = {morphed.weights, morphed.vertices};
  return changed;
}

} // namespace

DrawnVertices::DrawnVertices(const Rig& rig, MeshSplit layout, const Binding& binding,
                             const DrawnVertexOptions& options)
    : options_(options), layout_(std::move(layout)), rigVertexCount_(rig.positions.size()) {
  hasColors_ = std::any_of(rig.colors.begin(), rig.colors.end(),
                           [](const vec4& color) { return color != vec4(1.0f); });
  const std::vector<BindingForm> forms = listForms(binding);
  further_ = FurtherAttributes(binding, layout_.sourceVertex, options_.tangents);
  assert(further_.empty() || forms.size() == 1);
  const std::size_t located = locatedCount(binding, options_.tangents);
  std::vector<std::byte> bytes;
  auto batches = std::span<const MeshBatch>(layout_.batches);
  std::uint32_t firstVertex = 0;
  for (std::uint32_t f = 0; f < forms.size(); ++f) {
    const auto behind = std::ranges::find_if(batches, [&](const auto& b) { return b.form != f; });
    const auto own = batches.first(static_cast<std::size_t>(behind - batches.begin()));
    batches = batches.subspan(own.size());
    const std::uint32_t end =
        own.empty() ? firstVertex : own.back().firstVertex + own.back().vertexCount;
    const auto sources = std::span(layout_.sourceVertex).subspan(firstVertex, end - firstVertex);
    std::vector<Attribute> attributes;
    if (options_.bindPose)
      attributes.push_back(floats("bindPosition", AttributeFormat::float3, rig.positions, sources));
    if (binding.variant.hasNormals() && options_.bindPose)
      attributes.push_back(floats("bindNormal", AttributeFormat::float3, rig.normals, sources));
    if (options_.texcoords)
      attributes.push_back(floats("texcoord", AttributeFormat::float2, rig.texcoords, sources));
    if (hasColors_)
      attributes.push_back(floats("color", AttributeFormat::float4, rig.colors, sources));
    if (options_.tangents && options_.bindPose)
      attributes.push_back(floats("bindTangent", AttributeFormat::float4, rig.tangents, sources));
    std::vector<Attribute> bound;
    for (std::size_t a = 0; a < std::min<std::size_t>(forms[f].attributes, located); ++a)
      bound.push_back(inDrawOrder(binding.attributes[a], layout_, own));
    InterleavedVertices vertices = interleave(attributes, bound, sources.size());
    VertexRegion region{firstVertex, end - firstVertex, bytes.size(), 0,
                        std::move(vertices.attributes)};
    if (!region.attributes.empty()) region.stride = region.attributes.front().stride;
    for (VertexAttribute& attribute : region.attributes)
      attribute.offset += region.firstByte;
    regions_.push_back(std::move(region));
    bytes.insert(bytes.end(), vertices.bytes.begin(), vertices.bytes.end());
    firstVertex = end;
  }
  buffer_ = Buffer(bytes, GL_STATIC_DRAW);
}

const VertexRegion& DrawnVertices::findRegion(std::uint32_t drawn) const {
  const auto after = std::ranges::upper_bound(regions_, drawn, {}, &VertexRegion::firstVertex);
  return *std::prev(after); // an empty region before one with the same first vertex is passed over
}

std::size_t DrawnVertices::findFirstByte(std::uint32_t drawn) const {
  const VertexRegion& region = findRegion(drawn);
  return region.firstByte + (drawn - region.firstVertex) * region.stride;
}

void DrawnVertices::read() {
  if (!bytes_.empty()) return;
  bytes_.resize(buffer_.size());
  readBuffer(buffer_, bytes_);
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

// out: the vertex buffer's bytes from firstByte on.
void DrawnVertices::writeValues(std::span<const std::byte> values, std::size_t size,
                                GLuint location, std::span<const std::uint32_t> vertices,
                                std::size_t firstByte, std::span<std::byte> out) const {
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
      const VertexRegion& region = findRegion(drawn_[i]);
      const auto place = std::ranges::find(region.attributes, location, &VertexAttribute::location);
      if (place == region.attributes.end()) continue; // the shader needs none of them
      const std::size_t at = place->offset + (drawn_[i] - region.firstVertex) * region.stride;
      std::memcpy(out.data() + (at - firstByte), values.data() + vertex * size, size);
    }
}

void DrawnVertices::writeMorphs(const Rig& rig, const MorphedVertices& morphed,
                                const Binding& binding, std::span<const std::uint32_t> vertices,
                                std::size_t firstByte, std::span<std::byte> out) const {
  const BindVertices bind(rig, morphed);
  const auto write = [&](std::span<const std::byte> values, std::size_t size, GLuint location) {
    writeValues(values, size, location, vertices, firstByte, out);
  };
  write(std::as_bytes(bind.positions), sizeof(vec3), fixedLocation("bindPosition"));
  write(std::as_bytes(bind.normals), sizeof(vec3), fixedLocation("bindNormal"));
  for (std::size_t a = 0; options_.morphsBound && a < locatedCount(binding, options_.tangents); ++a)
    if (!binding.attributes[a].palette)
      write(binding.attributes[a].data, byteSize(binding.attributes[a].format), bindingLocation(a));
}

// And uploads them.
void DrawnVertices::writeFurther(const Binding& binding, std::span<const std::uint32_t> vertices,
                                 FurtherAttributes& further) const {
  if (further.empty()) return;
  std::uint32_t first = ~0u;
  std::uint32_t last = 0;
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
      further.write(binding, vertex, drawn_[i]);
      first = std::min(first, drawn_[i]);
      last = std::max(last, drawn_[i]);
    }
  further.upload(first, last);
}

// The range of bytes that has all copies of these vertices.
DrawnVertices::ByteRange DrawnVertices::drawnRange(std::span<const std::uint32_t> vertices) const {
  ByteRange range{~std::size_t{0}, 0};
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
      const std::size_t first = findFirstByte(drawn_[i]);
      range.first = std::min(range.first, first);
      range.last = std::max(range.last, first + findRegion(drawn_[i]).stride);
    }
  return range;
}

void DrawnVertices::setMorphs(const Rig& rig, const MorphedVertices& morphed,
                              const Binding& binding) {
  const std::vector<std::uint32_t> changed = takeMorphs(morphed, morphs_);
  if (changed.empty() || layout_.sourceVertex.empty()) return;
  read();
  writeMorphs(rig, morphed, binding, changed, 0, bytes_);
  if (options_.morphsBound) writeFurther(binding, changed, further_);
  const auto [first, last] = drawnRange(changed);
  if (first < last) buffer_.update(first, std::span(bytes_).subspan(first, last - first));
}

bool DrawnVertices::setMorphs(const Rig& rig, const MorphedVertices& morphed,
                              const Binding& binding, OwnVertices& own) {
  const std::vector<std::uint32_t> changed = takeMorphs(morphed, own.morphs);
  if (changed.empty() || layout_.sourceVertex.empty()) return false;
  read();
  const bool made = !own.buffer;
  if (made) {
    own.buffer = Buffer(bytes_, GL_DYNAMIC_DRAW);
    own.further = FurtherAttributes(binding, layout_.sourceVertex, options_.tangents);
  } else if (options_.morphsBound) {
    writeFurther(binding, changed, own.further);
  }
  const auto [first, last] = drawnRange(changed);
  if (first >= last) return made;
  std::vector<std::byte> shown(bytes_.begin() + static_cast<std::ptrdiff_t>(first),
                               bytes_.begin() + static_cast<std::ptrdiff_t>(last));
  writeMorphs(rig, morphed, binding, changed, first, shown);
  own.buffer.update(first, shown);
  return made;
}

bool DrawnVertices::update(const Binding& binding, std::span<const std::uint32_t> vertices) {
  if (vertices.empty() || layout_.sourceVertex.empty()) return true;
  read();
  std::vector<std::byte> fresh = bytes_;
  const auto findBatch = [&](std::uint32_t drawn) -> const MeshBatch& {
    const auto after =
        std::ranges::upper_bound(layout_.batches, drawn, {}, &MeshBatch::firstVertex);
    return *std::prev(after);
  };
  for (const std::uint32_t vertex : vertices)
    for (std::uint32_t i = drawnOffsets_[vertex]; i < drawnOffsets_[vertex + 1]; ++i) {
      const MeshBatch& batch = findBatch(drawn_[i]);
      if (!binding.formByVertex.empty() && binding.formByVertex[vertex] > batch.form) return false;
      const VertexRegion& region = regions_[batch.form];
      for (const VertexAttribute& place : region.attributes) {
        const std::size_t bound = place.location - kFirstBindingLocation;
        const bool isTangent = options_.tangents && place.location == kTangentLocation;
        if (place.location < kFirstBindingLocation || isTangent) continue;
        const Attribute& attribute = binding.attributes[bound];
        const std::size_t size = byteSize(attribute.format);
        const std::byte* value = attribute.data.data() + vertex * size;
        Attribute local{attribute.name, attribute.format, true, {}};
        if (attribute.palette && !batch.entries.empty()) {
          if (!localValue(attribute, vertex, batch, local)) return false;
          value = local.data.data();
        }
        std::memcpy(fresh.data() + place.offset + (drawn_[i] - region.firstVertex) * region.stride,
                    value, size);
      }
    }
  writeFurther(binding, vertices, further_);
  bytes_ = std::move(fresh);
  const auto [first, last] = drawnRange(vertices);
  if (first < last) buffer_.update(first, std::span(bytes_).subspan(first, last - first));
  return true;
}

} // namespace sinew
