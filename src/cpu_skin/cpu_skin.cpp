#include "cpu_skin/cpu_skin.h"

#include "skinning/binding_parts.h"
#include "skinning/modified.h"
#include "skinning/velocity.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace sinew {
namespace {

// What a thread does at a time: enough that it does not wait for the next.
constexpr std::size_t kPieceBlocks = 128;
constexpr std::size_t kPieceVertices = kPieceBlocks * kBlockLanes;

// The parts one after another, each filled up with its first vertex.
void placeInOrder(std::span<const std::span<const std::uint32_t>> parts, SkinBlocks& blocks) {
  for (const auto& part : parts) {
    blocks.source.insert(blocks.source.end(), part.begin(), part.end());
    if (!part.empty())
      blocks.source.resize((blocks.source.size() + kBlockLanes - 1) / kBlockLanes * kBlockLanes,
                           part[0]);
    blocks.partEnds.push_back(blocks.source.size());
  }
}

float* floatsOf(std::span<vec3> values, std::size_t first) {
  return values.empty() ? nullptr : &values[first].x;
}

// What rowsOfPart() reads.
Binding withoutVertices(const Binding& binding) {
  Binding out;
  out.entryCount = binding.entryCount;
  out.rowsPerEntry = binding.rowsPerEntry;
  for (const BindingPart& part : binding.parts)
    out.parts.push_back({part.method, withoutVertices(part.binding), part.firstRow, {}});
  return out;
}

void putAt(float* to, std::size_t stride, std::size_t vertex, const vec3& value) {
  std::memcpy(reinterpret_cast<std::byte*>(to) + stride * vertex, &value, sizeof(value));
}

} // namespace

CpuSkin::CpuSkin(const Method& method, const BindVertices& vertices, const Binding& binding,
                 std::span<const std::span<const std::uint32_t>> parts, bool tangents)
    : method_(&method), vertexCount_(binding.vertexCount),
      paletteRows_(std::size_t{binding.entryCount} * binding.rowsPerEntry) {
  std::vector<std::uint32_t> everyVertex(parts.empty() ? binding.vertexCount : 0);
  std::iota(everyVertex.begin(), everyVertex.end(), 0u);
  const std::span<const std::uint32_t> whole(everyVertex);
  if (parts.empty()) parts = std::span(&whole, 1);
  const bool both = sinew::isModified(binding, velocityModifier());
  const Method& first = both ? *binding.parts[0].method : method;
  const Binding& own = both ? binding.parts[0].binding : binding;
  const SkinKernel kernel = kernelOf(first, own);
  if (kernel == SkinKernel::reference)
    placeInOrder(parts, blocks_);
  else
    blocks_ = makeSkinBlocks(kernel, vertices, own, parts);
  if (both && hasKernel()) whole_ = withoutVertices(binding);
  if (!hasKernel() || isModified() || (tangents && method.skinTangents != nullptr))
    slices_ = sliceBinding(vertices, binding, blocks_.source);
}

void CpuSkin::setBind(const BindVertices& vertices, const Binding& binding) {
  if (hasKernel())
    fillSkinBlocks(vertices, isModified() ? binding.parts[0].binding : binding, blocks_);
  if (!slices_.empty()) slices_ = sliceBinding(vertices, binding, blocks_.source);
}

void CpuSkin::skinByReference(const ReferenceSlice& slice, const Palette& palette,
                              const PosedArrays& out, std::size_t firstVertex) const {
  SkinnedMesh skinned;
  method_->skin(slice.bind.vertices(), slice.bind.binding, palette, skinned);
  const auto to = static_cast<std::ptrdiff_t>(firstVertex + slice.first);
  std::ranges::copy(skinned.positions, out.positions.begin() + to);
  std::ranges::copy(skinned.normals, out.normals.begin() + to);
}

void CpuSkin::skinSlice(const ReferenceSlice& slice, const Palette& palette, const PosedArrays& out,
                        std::size_t firstVertex) const {
  const BindVertices vertices = slice.bind.vertices();
  if (!hasKernel()) skinByReference(slice, palette, out, firstVertex);
  if (out.tangents.empty()) return;
  assert(method_->skinTangents != nullptr);
  std::ranges::copy(method_->skinTangents(vertices, slice.bind.binding, palette),
                    out.tangents.begin() + static_cast<std::ptrdiff_t>(firstVertex + slice.first));
}

// All workers on one character.
void CpuSkin::skinOne(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
                      const PosedArrays& out, std::size_t character) {
  const std::size_t first = character * blocks_.source.size();
  if (!slices_.empty()) {
    const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
    workers.forEach(slices_.size(), [&](std::size_t slice, std::size_t) {
      skinSlice(slices_[slice], palette, out, first);
    });
  }
  if (!hasKernel()) return;
  const SkinTarget target{floatsOf(out.positions, first), floatsOf(out.normals, first), false,
                          out.streaming};
  if (!isModified()) return skinKernel(rows, nonUniformScale, workers, target);
  const Parts palettes = partsOf(rows, nonUniformScale);
  if (!palettes.moves) return skinKernel(palettes.base.rows, nonUniformScale, workers, target);
  modify(palettes, workers, out, first);
}

void CpuSkin::skinKernel(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
                         const SkinTarget& target) {
  makeSkinTables(blocks_, rows, nonUniformScale, tables_[0]);
  const std::size_t blocks = blocks_.blocks.size();
  workers.forEach((blocks + kPieceBlocks - 1) / kPieceBlocks, [&](std::size_t piece, std::size_t) {
    skinBlockRange(blocks_, tables_[0], target, piece * kPieceBlocks,
                   std::min((piece + 1) * kPieceBlocks, blocks));
  });
}

CpuSkin::Parts CpuSkin::partsOf(std::span<const vec4> rows, bool nonUniformScale) const {
  Parts out{{rowsOfPart(whole_, whole_.parts[0], rows), nonUniformScale},
            {rowsOfPart(whole_, whole_.parts[1], rows), nonUniformScale}};
  out.moves =
      std::ranges::any_of(out.modifier.rows, [](const vec4& row) { return row != vec4(0.0f); });
  return out;
}

// What is posed stays in the caches, for memory of `out` may be slow to read.
void CpuSkin::modify(const Parts& palettes, Workers& workers, const PosedArrays& out,
                     std::size_t first) {
  posed_.positions.resize(blocks_.source.size());
  posed_.normals.resize(blocks_.source.size());
  skinKernel(palettes.base.rows, palettes.base.nonUniformScale, workers,
             {floatsOf(posed_.positions, 0), floatsOf(posed_.normals, 0), false, false});
  const Method& modifier = *whole_.parts[1].method;
  workers.forEach(slices_.size(), [&](std::size_t s, std::size_t) {
    const ReferenceSlice& slice = slices_[s];
    BindVertices vertices = slice.bind.vertices();
    const std::size_t count = vertices.positions.size();
    vertices.positions = std::span(posed_.positions).subspan(slice.first, count);
    vertices.normals = std::span(posed_.normals).subspan(slice.first, count);
    SkinnedMesh moved;
    modifier.skin(vertices, slice.bind.binding.parts[1].binding, palettes.modifier, moved);
    const auto to = static_cast<std::ptrdiff_t>(first + slice.first);
    std::ranges::copy(moved.positions, out.positions.begin() + to);
    std::ranges::copy(moved.normals, out.normals.begin() + to);
  });
}

void CpuSkin::skin(std::span<const vec4> rows, std::size_t characters, bool nonUniformScale,
                   Workers& workers, const PosedArrays& out) {
  const std::size_t each = blocks_.source.size();
  assert(rows.size() == characters * paletteRows_ && out.positions.size() == characters * each);
  tables_.resize(workers.threads());
  const auto rowsOf = [&](std::size_t c) { return rows.subspan(c * paletteRows_, paletteRows_); };
  const std::size_t together =
      std::max<std::size_t>(kPieceVertices / std::max<std::size_t>(each, 1), 1);
  if (!slices_.empty() || characters < std::size_t{2} * workers.threads() * together) {
    for (std::size_t c = 0; c < characters; ++c)
      skinOne(rowsOf(c), nonUniformScale, workers, out, c);
    return;
  }
  // A thread that comes late, in a later frame, finds its memory there.
  for (SkinTables& tables : tables_)
    if (tables.rigid.empty()) makeSkinTables(blocks_, rowsOf(0), nonUniformScale, tables);
  workers.forEach((characters + together - 1) / together, [&](std::size_t item,
                                                              std::size_t worker) {
    for (std::size_t c = item * together; c < std::min((item + 1) * together, characters); ++c) {
      makeSkinTables(blocks_, rowsOf(c), nonUniformScale, tables_[worker]);
      const SkinTarget target{floatsOf(out.positions, c * each), floatsOf(out.normals, c * each),
                              false, out.streaming};
      skinBlockRange(blocks_, tables_[worker], target, 0, blocks_.blocks.size());
    }
  });
}

void CpuSkin::skinInOrder(std::span<const vec4> rows, bool nonUniformScale, SkinTables& tables,
                          const SkinTarget& out) const {
  SkinTarget target = out;
  target.scatter = true;
  if (hasKernel() && !isModified()) {
    makeSkinTables(blocks_, rows, nonUniformScale, tables);
    skinBlockRange(blocks_, tables, target, 0, blocks_.blocks.size());
    return;
  }
  std::vector<vec3> positions(blocks_.source.size());
  std::vector<vec3> normals(blocks_.source.size());
  const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
  for (const ReferenceSlice& slice : slices_)
    skinByReference(slice, palette, {.positions = positions, .normals = normals, .tangents = {}},
                    0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    putAt(out.positions, out.positionStride, blocks_.source[i], positions[i]);
    if (out.normals != nullptr) putAt(out.normals, out.normalStride, blocks_.source[i], normals[i]);
  }
}

void CpuSkin::skin(const Palette& palette, Workers& workers, SkinnedMesh& out) {
  out.positions.resize(vertexCount_);
  out.normals.resize(vertexCount_);
  if (!hasKernel() || isModified()) {
    std::vector<vec3> positions(blocks_.source.size());
    std::vector<vec3> normals(blocks_.source.size());
    skin(palette.rows, 1, palette.nonUniformScale, workers,
         {.positions = positions, .normals = normals, .tangents = {}});
    for (std::size_t i = 0; i < positions.size(); ++i) {
      out.positions[blocks_.source[i]] = positions[i];
      out.normals[blocks_.source[i]] = normals[i];
    }
    return;
  }
  tables_.resize(workers.threads());
  skinKernel(palette.rows, palette.nonUniformScale, workers,
             {floatsOf(out.positions, 0), floatsOf(out.normals, 0), true, false});
}

} // namespace sinew
