#include "cpu_skin/skin_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

// The kernels are compiled once for each kind of vector instructions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu_skin/skin_kernels.cpp"
// Each kind of instructions includes this file again, in this order.
// clang-format off
#include "core/vector_targets.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>
#include "cpu_skin/kernel_math-inl.h"
#include "cpu_skin/kernel_bones-inl.h"
#include "cpu_skin/kernel_fractions-inl.h"
#include "cpu_skin/kernel_smoothed-inl.h"
#include "cpu_skin/kernel_splines-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {
namespace {

constexpr std::size_t kBlockFloats = 3 * kBlockLanes;
constexpr std::size_t kBlocksAhead = 4;

// Asks for a block before it is needed, for meshes that come from memory.
void fetchAhead(const SkinBlocks& blocks, std::size_t block) {
  const std::size_t end =
      block + 1 < blocks.blocks.size() ? blocks.blocks[block + 1].firstValue : blocks.values.size();
  for (std::size_t i = blocks.blocks[block].firstValue; i < end; ++i)
    hwy::Prefetch(blocks.values.data() + i);
}

bool onCacheLine(const float* p) {
  return reinterpret_cast<std::uintptr_t>(p) % 64 == 0;
}

void stream(const float* from, float* to) {
  const Tag d;
  for (std::size_t i = 0; i < kBlockFloats; i += hn::Lanes(d))
    hn::Stream(hn::Load(d, from + i), d, to + i);
}

void scatterOne(const SkinBlocks& blocks, std::size_t block, const float* from, float* to,
                std::size_t stride) {
  auto* bytes = reinterpret_cast<std::byte*>(to);
  for (std::size_t lane = 0; lane < kBlockLanes; ++lane)
    std::memcpy(bytes + stride * blocks.source[kBlockLanes * block + lane], from + 3 * lane,
                3 * sizeof(float));
}

void scatter(const SkinBlocks& blocks, const SkinTarget& target, std::size_t block,
             const float* positions, const float* normals) {
  if (target.positions != nullptr)
    scatterOne(blocks, block, positions, target.positions, target.positionStride);
  if (target.normals != nullptr)
    scatterOne(blocks, block, normals, target.normals, target.normalStride);
}

// Kernel::skin(view, lane, out): the vertices of a block from this lane on.
template <class Kernel, class View>
HWY_INLINE void skinBlock(const View& view, float* positions, float* normals) {
  const Tag d;
  for (std::size_t lane = 0; lane < kBlockLanes; lane += hn::Lanes(d)) {
    Posed out;
    Kernel::skin(view, lane, out);
    if (!view.blocks.normals) out.normal = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    hn::StoreInterleaved3(out.position.x, out.position.y, out.position.z, d, positions + 3 * lane);
    hn::StoreInterleaved3(out.normal.x, out.normal.y, out.normal.z, d, normals + 3 * lane);
  }
}

// Rigid: for blocks of which no entry stretches; behind them, the kernels of blocks with slots.
template <class Rigid, class Stretched, class LaneRigid = Rigid, class LaneStretched = Stretched>
void skinAll(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
             std::size_t firstBlock, std::size_t lastBlock) {
  alignas(64) float ownPositions[kBlockFloats]; // one block's results, to be copied elsewhere
  alignas(64) float ownNormals[kBlockFloats];
  const bool streaming = target.streaming && !target.scatter && onCacheLine(target.positions) &&
                         onCacheLine(target.normals);
  for (std::size_t b = firstBlock; b < lastBlock; ++b) {
    fetchAhead(blocks, std::min(b + kBlocksAhead, lastBlock - 1));
    const bool direct = !streaming && !target.scatter;
    float* positions = direct ? target.positions + kBlockFloats * b : ownPositions;
    float* normals = direct ? target.normals + kBlockFloats * b : ownNormals;
    if (blocks.blocks[b].slots > 0) {
      const LaneView view(blocks, tables, b);
      view.isRigid() ? skinBlock<LaneRigid>(view, positions, normals)
                     : skinBlock<LaneStretched>(view, positions, normals);
    } else {
      const SharedView view(blocks, tables, b);
      tables.rigid[view.block.list] != 0 ? skinBlock<Rigid>(view, positions, normals)
                                         : skinBlock<Stretched>(view, positions, normals);
    }
    if (target.scatter) scatter(blocks, target, b, positions, normals);
    if (streaming) {
      stream(positions, target.positions + kBlockFloats * b);
      stream(normals, target.normals + kBlockFloats * b);
    }
  }
  if (streaming) hwy::FlushStream();
}

void skinRange(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
               std::size_t first, std::size_t last) {
  switch (blocks.kernel) {
  case SkinKernel::reference:
    return;
  case SkinKernel::matrices:
    return skinAll<Matrices<false>, Matrices<true>>(blocks, tables, target, first, last);
  case SkinKernel::dualQuaternions:
    return skinAll<DualQuaternions<false>, DualQuaternions<true>>(blocks, tables, target, first,
                                                                  last);
  case SkinKernel::fractions:
    return tables.stretched
               ? skinAll<FusedFractions, Fractions<true>, Fractions<false>, Fractions<true>>(
                     blocks, tables, target, first, last)
               : skinAll<FusedFractions, Fractions<false>, Fractions<false>, Fractions<false>>(
                     blocks, tables, target, first, last);
  case SkinKernel::centers:
    return skinAll<Centers<false>, Centers<true>>(blocks, tables, target, first, last);
  case SkinKernel::smoothed:
    return skinAll<Smoothed<false>, Smoothed<true>>(blocks, tables, target, first, last);
  case SkinKernel::bones:
    return skinAll<FusedFractions, StretchedBones, StretchedBones, StretchedBones>(
        blocks, tables, target, first, last);
  case SkinKernel::arcs:
    return skinAll<Splines<Arc, false>, Splines<Arc, true>>(blocks, tables, target, first, last);
  case SkinKernel::beziers:
    return skinAll<Splines<Bezier, false>, Splines<Bezier, true>>(blocks, tables, target, first,
                                                                  last);
  }
}

std::string instructions() {
  return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {
HWY_EXPORT(skinRange);
HWY_EXPORT(instructions);
} // namespace

void skinBlockRange(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
                    std::size_t first, std::size_t last) {
  HWY_DYNAMIC_DISPATCH(skinRange)(blocks, tables, target, first, last);
}

std::string vectorInstructions() {
  return HWY_DYNAMIC_DISPATCH(instructions)();
}

} // namespace sinew
#endif
