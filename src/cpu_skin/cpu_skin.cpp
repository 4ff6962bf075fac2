#include "cpu_skin/cpu_skin.h"

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
  const SkinKernel kernel = kernelOf(method, binding);
  if (kernel == SkinKernel::reference)
    placeInOrder(parts, blocks_);
  else
    blocks_ = makeSkinBlocks(kernel, vertices, binding, parts);
  if (!hasKernel() || (tangents && method.skinTangents != nullptr))
    slices_ = sliceBinding(vertices, binding, blocks_.source);
}

void CpuSkin::setBind(const BindVertices& vertices, const Binding& binding) {
  if (hasKernel()) fillSkinBlocks(vertices, binding, blocks_);
  if (!slices_.empty()) slices_ = sliceBinding(vertices, binding, blocks_.source);
}

void CpuSkin::skinSlice(const ReferenceSlice& slice, const Palette& palette, const PosedArrays& out,
                        std::size_t firstVertex) const {
  const BindVertices vertices = slice.bind.vertices();
  if (!hasKernel()) {
    SkinnedMesh skinned;
    method_->skin(vertices, slice.bind.binding, palette, skinned);
    const auto to = static_cast<std::ptrdiff_t>(firstVertex + slice.first);
    std::ranges::copy(skinned.positions, out.positions.begin() + to);
    std::ranges::copy(skinned.normals, out.normals.begin() + to);
  }
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
  makeSkinTables(blocks_, rows, nonUniformScale, tables_[0]);
  const SkinTarget target{floatsOf(out.positions, first), floatsOf(out.normals, first), false,
                          out.streaming};
  const std::size_t blocks = blocks_.blocks.size();
  workers.forEach((blocks + kPieceBlocks - 1) / kPieceBlocks, [&](std::size_t piece, std::size_t) {
    skinBlockRange(blocks_, tables_[0], target, piece * kPieceBlocks,
                   std::min((piece + 1) * kPieceBlocks, blocks));
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
  if (hasKernel()) {
    makeSkinTables(blocks_, rows, nonUniformScale, tables);
    skinBlockRange(blocks_, tables, target, 0, blocks_.blocks.size());
    return;
  }
  std::vector<vec3> positions(blocks_.source.size());
  std::vector<vec3> normals(blocks_.source.size());
  const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
  for (const ReferenceSlice& slice : slices_)
    skinSlice(slice, palette, {.positions = positions, .normals = normals, .tangents = {}}, 0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    putAt(out.positions, out.positionStride, blocks_.source[i], positions[i]);
    if (out.normals != nullptr) putAt(out.normals, out.normalStride, blocks_.source[i], normals[i]);
  }
}

void CpuSkin::skin(const Palette& palette, Workers& workers, SkinnedMesh& out) {
  out.positions.resize(vertexCount_);
  out.normals.resize(vertexCount_);
  if (!hasKernel()) {
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
  makeSkinTables(blocks_, palette.rows, palette.nonUniformScale, tables_[0]);
  const SkinTarget target{floatsOf(out.positions, 0), floatsOf(out.normals, 0), true, false};
  const std::size_t blocks = blocks_.blocks.size();
  workers.forEach((blocks + kPieceBlocks - 1) / kPieceBlocks, [&](std::size_t piece, std::size_t) {
    skinBlockRange(blocks_, tables_[0], target, piece * kPieceBlocks,
                   std::min((piece + 1) * kPieceBlocks, blocks));
  });
}

} // namespace sinew
