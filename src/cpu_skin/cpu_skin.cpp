#include "cpu_skin/cpu_skin.h"

#include "cpu_skin/skin_blocks.h"
#include "cpu_skin/skin_tables.h"
#include "skinning/binding_parts.h"
#include "skinning/bone_palette.h"
#include "skinning/method_entries.h"
#include "skinning/modified.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <utility>

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

float* getFloats(std::span<vec3> values, std::size_t first) {
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

template <class Vector>
void putAt(float* to, std::size_t stride, std::size_t vertex, const Vector& value) {
  std::memcpy(reinterpret_cast<std::byte*>(to) + stride * vertex, &value, sizeof(value));
}

// Whether no blend of these matrices mirrors: the first does not, and each of the others is less
// than a right angle from it. Then x M(0)^T M(i) x > 0 for every x, and so it is of their mean.
bool keepSides(const SkinBlocks& blocks, const EntryList& list, std::span<const vec4> rows) {
  const auto matrix = [&](std::size_t i) {
    return &rows[blocks.rowsPerEntry * blocks.entries[list.first + i]];
  };
  const vec4* a = matrix(0);
  if (mirrors({a[0], a[1], a[2]})) return false;
  for (std::size_t i = 1; i < list.count; ++i) {
    const vec4* b = matrix(i);
    const float trace = glm::dot(vec3(a[0]), vec3(b[0])) + glm::dot(vec3(a[1]), vec3(b[1])) +
                        glm::dot(vec3(a[2]), vec3(b[2]));
    // (1 + 2 cos) times both scales
    if (!(trace > 1.001f * glm::length(vec3(a[0])) * glm::length(vec3(b[0])))) return false;
  }
  return true;
}

// Blended matrices may turn the skin of joints that are far apart inside out, although none of them
// mirrors: then the last number of a tangent changes its sign.
void mirrorSides(const SkinBlocks& blocks, std::span<const vec4> rows, float* tangents,
                 std::size_t stride) {
  constexpr float kWhole = 65535.0f;
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
    const SkinBlock& block = blocks.blocks[b];
    if (block.slots == 0 && keepSides(blocks, blocks.lists[block.list], rows)) continue;
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      MatrixRows blended{vec4(0.0f), vec4(0.0f), vec4(0.0f)};
      for (std::size_t i = 0; i < blocks.countEntries(block); ++i) {
        const float weight =
            static_cast<float>(blocks.weights[block.firstWeight + i].at[lane]) / kWhole;
        const vec4* from = &rows[blocks.rowsPerEntry * blocks.entryAt(block, i, lane)];
        blended.x += weight * from[0];
        blended.y += weight * from[1];
        blended.z += weight * from[2];
      }
      const std::size_t v = blocks.source[kBlockLanes * b + lane];
      // A place that is left over repeats the first vertex of its block.
      if (!mirrors(blended) || (lane > 0 && v == blocks.source[kBlockLanes * b])) continue;
      auto* side = reinterpret_cast<std::byte*>(tangents) + stride * v + sizeof(vec3);
      float value = 0.0f;
      std::memcpy(&value, side, sizeof value);
      value = -value;
      std::memcpy(side, &value, sizeof value);
    }
  }
}

bool usesKernel(const CpuSkinData& data) {
  return data.blocks.kernel != SkinKernel::reference;
}

// positions: whether these and normals are the reference's too.
void skinSlice(const Method& method, const ReferenceSlice& slice, const Palette& palette,
               bool positions, const PosedArrays& out, std::size_t firstVertex) {
  const BindVertices vertices = slice.bind.vertices();
  if (positions) {
    SkinnedMesh skinned;
    method.skin(vertices, slice.bind.binding, palette, skinned);
    const auto to = static_cast<std::ptrdiff_t>(firstVertex + slice.first);
    std::ranges::copy(skinned.positions, out.positions.begin() + to);
    std::ranges::copy(skinned.normals, out.normals.begin() + to);
  }
  if (out.tangents.empty()) return;
  assert(method.skinTangents != nullptr);
  std::ranges::copy(method.skinTangents(vertices, slice.bind.binding, palette),
                    out.tangents.begin() + static_cast<std::ptrdiff_t>(firstVertex + slice.first));
}

// All workers on one character, in the order of source().
void skinByKernel(const CpuSkinData& data, SkinTables& tables, std::span<const vec4> rows,
                  bool nonUniformScale, Workers& workers, const SkinTarget& target) {
  makeSkinTables(data.blocks, rows, nonUniformScale, tables);
  const std::size_t blocks = data.blocks.blocks.size();
  workers.forEach((blocks + kPieceBlocks - 1) / kPieceBlocks, [&](std::size_t piece, std::size_t) {
    skinBlockRange(data.blocks, tables, target, piece * kPieceBlocks,
                   std::min((piece + 1) * kPieceBlocks, blocks));
  });
}

// The same with tangents, or without a kernel.
void skinOne(const Method& method, const CpuSkinData& data, SkinTables& tables,
             std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
             const PosedArrays& out, std::size_t character) {
  const std::size_t first = character * data.blocks.source.size();
  if (!data.slices.empty()) {
    const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
    workers.forEach(data.slices.size(), [&](std::size_t slice, std::size_t) {
      skinSlice(method, data.slices[slice], palette, !usesKernel(data), out, first);
    });
  }
  if (!usesKernel(data)) return;
  skinByKernel(
      data, tables, rows, nonUniformScale, workers,
      {getFloats(out.positions, first), getFloats(out.normals, first), false, out.streaming});
}

// Whether tangentBlocks serve this pose: nothing stretches, and of bones blending no parent
// mirrors.
bool movesTangentsAsNormals(const CpuSkinData& data, const SkinTables& tables,
                            std::span<const vec4> rows) {
  if (!data.tangentBlocks || tables.stretched ||
      std::ranges::find(tables.rigid, 0) != tables.rigid.end() ||
      (!data.blocks.laneEntries.empty() && !tables.allRigid))
    return false;
  const SkinBlocks& blocks = data.blocks;
  return blocks.kernel != SkinKernel::fractions ||
         std::ranges::none_of(blocks.used, [&](std::uint32_t entry) {
           return mirrors(parentMatrix(&rows[blocks.rowsPerEntry * entry]));
         });
}

// Where nothing stretches the kernel moves tangents as it moves normals; their sides stay, but for
// blended matrices.
void skinTangents(const CpuSkinData& data, const SkinTables& tables, std::span<const vec4> rows,
                  const SkinTarget& out) {
  SkinTarget target;
  target.scatter = true;
  target.normals = out.tangents;
  target.normalStride = out.tangentStride;
  skinBlockRange(*data.tangentBlocks, tables, target, 0, data.blocks.blocks.size());
  auto* bytes = reinterpret_cast<std::byte*>(out.tangents);
  for (std::size_t v = 0; v < data.vertexCount; ++v)
    std::memcpy(bytes + out.tangentStride * v + sizeof(vec3), &data.tangentSides[v], sizeof(float));
  if (data.blocks.kernel == SkinKernel::matrices)
    mirrorSides(data.blocks, rows, out.tangents, out.tangentStride);
}

void skinBySlices(const Method& method, const CpuSkinData& data, std::span<const vec4> rows,
                  bool nonUniformScale, const SkinTarget& out) {
  const auto& source = data.blocks.source;
  std::vector<vec3> positions(out.positions != nullptr ? source.size() : 0);
  std::vector<vec3> normals(positions.size());
  std::vector<vec4> tangents(out.tangents != nullptr ? source.size() : 0);
  const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
  for (const ReferenceSlice& slice : data.slices)
    skinSlice(method, slice, palette, out.positions != nullptr,
              {.positions = positions, .normals = normals, .tangents = tangents}, 0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (out.positions != nullptr) putAt(out.positions, out.positionStride, source[i], positions[i]);
    if (out.normals != nullptr) putAt(out.normals, out.normalStride, source[i], normals[i]);
    if (out.tangents != nullptr) putAt(out.tangents, out.tangentStride, source[i], tangents[i]);
  }
}

} // namespace

SkinRoom::SkinRoom() : tables_(std::make_unique<SkinTables>()) {}
SkinRoom::SkinRoom(SkinRoom&&) noexcept = default;
SkinRoom& SkinRoom::operator=(SkinRoom&&) noexcept = default;
SkinRoom::~SkinRoom() = default;

CpuSkin::CpuSkin(const Method& method, const BindVertices& vertices, const Binding& binding,
                 std::span<const std::span<const std::uint32_t>> parts, bool tangents)
    : method_(&method), data_(std::make_unique<CpuSkinData>()) {
  data_->vertexCount = binding.vertexCount;
  data_->paletteRows = std::size_t{binding.entryCount} * binding.rowsPerEntry;
  std::vector<std::uint32_t> everyVertex(parts.empty() ? binding.vertexCount : 0);
  std::iota(everyVertex.begin(), everyVertex.end(), 0u);
  const std::span<const std::uint32_t> whole(everyVertex);
  if (parts.empty()) parts = std::span(&whole, 1);
  const bool both = sinew::isModified(binding, velocityModifier());
  const Method& first = both ? *binding.parts[0].method : method;
  const Binding& own = both ? binding.parts[0].binding : binding;
  const SkinKernel kernel = chooseKernel(first, own);
  if (kernel == SkinKernel::reference)
    placeInOrder(parts, data_->blocks);
  else
    data_->blocks = makeSkinBlocks(kernel, vertices, own, parts);
  if (both && hasKernel()) whole_ = withoutVertices(binding);
  if (!hasKernel() || isModified() || (tangents && method.skinTangents != nullptr))
    data_->slices = sliceBinding(vertices, binding, data_->blocks.source);
}

CpuSkin::CpuSkin(const Method& method, CpuSkinData data)
    : method_(&method), data_(std::make_unique<CpuSkinData>(std::move(data))) {}

CpuSkin::CpuSkin(CpuSkin&&) noexcept = default;
CpuSkin& CpuSkin::operator=(CpuSkin&&) noexcept = default;
CpuSkin::~CpuSkin() = default;

std::uint32_t CpuSkin::vertexCount() const {
  return data_->vertexCount;
}

bool CpuSkin::hasKernel() const {
  return usesKernel(*data_);
}

bool CpuSkin::hasTangents() const {
  if (data_->slices.empty()) return false;
  const BindSource& bind = data_->slices.front().bind;
  return !bind.tangents.empty() && bind.binding.tangents && bind.binding.variant.hasNormals() &&
         method_->skinTangents != nullptr;
}

std::span<const std::uint32_t> CpuSkin::source() const {
  return data_->blocks.source;
}

std::span<const std::size_t> CpuSkin::partEnds() const {
  return data_->blocks.partEnds;
}

void CpuSkin::addTangentBlocks(const BindVertices& vertices, const Binding& binding) {
  assert(vertices.tangents.size() == data_->vertexCount && !data_->slices.empty());
  if (!hasKernel()) return;
  data_->tangentBlocks = tangentSkinBlocks(vertices, binding, data_->blocks);
  data_->tangentSides.clear();
  for (const vec4& tangent : vertices.tangents)
    data_->tangentSides.push_back(tangent.w);
}

void CpuSkin::setBind(const BindVertices& vertices, const Binding& binding) {
  if (hasKernel())
    fillSkinBlocks(vertices, isModified() ? binding.parts[0].binding : binding, data_->blocks);
  if (data_->tangentBlocks)
    data_->tangentBlocks = tangentSkinBlocks(vertices, binding, data_->blocks);
  if (!data_->slices.empty()) data_->slices = sliceBinding(vertices, binding, data_->blocks.source);
}

// What the base poses stays in the caches, for memory of `out` may be slow to read.
void CpuSkin::skinModified(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
                           const PosedArrays& out, std::size_t character) {
  const std::size_t count = data_->blocks.source.size(), first = character * count;
  const auto forEachSlice = [&](const auto& run) {
    workers.forEach(data_->slices.size(),
                    [&](std::size_t slice, std::size_t) { run(data_->slices[slice]); });
  };
  if (!out.tangents.empty()) {
    const Palette palette{{rows.begin(), rows.end()}, nonUniformScale};
    forEachSlice([&](const ReferenceSlice& slice) {
      skinSlice(*method_, slice, palette, false, out, first);
    });
  }
  const std::vector<vec4> base = rowsOfPart(whole_, whole_.parts[0], rows);
  const Palette modifier{rowsOfPart(whole_, whole_.parts[1], rows), nonUniformScale};
  SkinTables& tables = rooms_[0].tables();
  if (std::ranges::all_of(modifier.rows, [](const vec4& row) { return row == vec4(0.0f); }))
    return skinByKernel(
        *data_, tables, base, nonUniformScale, workers,
        {getFloats(out.positions, first), getFloats(out.normals, first), false, out.streaming});
  posed_.positions.resize(count);
  posed_.normals.resize(count);
  skinByKernel(*data_, tables, base, nonUniformScale, workers,
               {getFloats(posed_.positions, 0), getFloats(posed_.normals, 0), false, false});
  forEachSlice([&](const ReferenceSlice& slice) {
    BindVertices vertices = slice.bind.vertices();
    const std::size_t some = vertices.positions.size();
    vertices.positions = std::span(posed_.positions).subspan(slice.first, some);
    vertices.normals = std::span(posed_.normals).subspan(slice.first, some);
    SkinnedMesh moved;
    whole_.parts[1].method->skin(vertices, slice.bind.binding.parts[1].binding, modifier, moved);
    const auto to = static_cast<std::ptrdiff_t>(first + slice.first);
    std::ranges::copy(moved.positions, out.positions.begin() + to);
    std::ranges::copy(moved.normals, out.normals.begin() + to);
  });
}

void CpuSkin::skin(std::span<const vec4> rows, std::size_t characters, bool nonUniformScale,
                   Workers& workers, const PosedArrays& out) {
  const std::size_t each = data_->blocks.source.size();
  const std::size_t rowCount = data_->paletteRows;
  assert(rows.size() == characters * rowCount && out.positions.size() == characters * each);
  rooms_.resize(workers.threads());
  const auto getRows = [&](std::size_t c) { return rows.subspan(c * rowCount, rowCount); };
  const std::size_t together =
      std::max<std::size_t>(kPieceVertices / std::max<std::size_t>(each, 1), 1);
  if (!data_->slices.empty() || characters < std::size_t{2} * workers.threads() * together) {
    for (std::size_t c = 0; c < characters; ++c)
      if (isModified())
        skinModified(getRows(c), nonUniformScale, workers, out, c);
      else
        skinOne(*method_, *data_, rooms_[0].tables(), getRows(c), nonUniformScale, workers, out, c);
    return;
  }
  // A thread that comes late, in a later frame, finds its memory there.
  for (const SkinRoom& room : rooms_)
    if (room.tables().rows == nullptr)
      makeSkinTables(data_->blocks, getRows(0), nonUniformScale, room.tables());
  workers.forEach((characters + together - 1) / together, [&](std::size_t item,
                                                              std::size_t worker) {
    for (std::size_t c = item * together; c < std::min((item + 1) * together, characters); ++c) {
      makeSkinTables(data_->blocks, getRows(c), nonUniformScale, rooms_[worker].tables());
      const SkinTarget target{getFloats(out.positions, c * each), getFloats(out.normals, c * each),
                              false, out.streaming};
      skinBlockRange(data_->blocks, rooms_[worker].tables(), target, 0,
                     data_->blocks.blocks.size());
    }
  });
}

void CpuSkin::skinInOrder(std::span<const vec4> rows, bool nonUniformScale, SkinRoom& room,
                          const SkinTarget& out) const {
  SkinTables& tables = room.tables();
  SkinTarget target = out;
  target.scatter = true;
  if (!hasKernel() || isModified())
    return skinBySlices(*method_, *data_, rows, nonUniformScale, target);
  makeSkinTables(data_->blocks, rows, nonUniformScale, tables);
  skinBlockRange(data_->blocks, tables, target, 0, data_->blocks.blocks.size());
  if (out.tangents == nullptr) return;
  if (movesTangentsAsNormals(*data_, tables, rows))
    return skinTangents(*data_, tables, rows, target);
  target.positions = target.normals = nullptr;
  skinBySlices(*method_, *data_, rows, nonUniformScale, target);
}

void CpuSkin::skin(const Palette& palette, Workers& workers, SkinnedMesh& out) {
  out.positions.resize(data_->vertexCount);
  out.normals.resize(data_->vertexCount);
  if (!hasKernel() || isModified()) {
    std::vector<vec3> positions(data_->blocks.source.size());
    std::vector<vec3> normals(data_->blocks.source.size());
    skin(palette.rows, 1, palette.nonUniformScale, workers,
         {.positions = positions, .normals = normals, .tangents = {}});
    for (std::size_t i = 0; i < positions.size(); ++i) {
      out.positions[data_->blocks.source[i]] = positions[i];
      out.normals[data_->blocks.source[i]] = normals[i];
    }
    return;
  }
  rooms_.resize(workers.threads());
  skinByKernel(*data_, rooms_[0].tables(), palette.rows, palette.nonUniformScale, workers,
               {getFloats(out.positions, 0), getFloats(out.normals, 0), true, false});
}

} // namespace sinew
