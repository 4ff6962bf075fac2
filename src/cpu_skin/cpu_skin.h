// Skinning on the CPU for use: vector instructions over blocks of vertices that share joints, on
// all cores. All methods have kernels but per-joint; that, and parameters named at kernelOf(), run
// their reference by threads. A modifier (skinning/modified.h) runs its own after the kernel of its
// base; where it moves nothing, the base's result is written bit by bit. The result is that of
// Method::skin within rounding: 1e-5 of the model's size.
#pragma once

#include "core/workers.h"
#include "cpu_skin/reference_slices.h"
#include "cpu_skin/skin_blocks.h"
#include "cpu_skin/skin_kernels.h"
#include "cpu_skin/skin_tables.h"
#include "skinning/method.h"
#include "skinning/posed_arrays.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class CpuSkin {
 public:
  // parts: vertices of the rig that are drawn together; their blocks follow one another. Empty: all
  // in one part. tangents: skin() may be asked for them.
  CpuSkin(const Method& method, const BindVertices& vertices, const Binding& binding,
          std::span<const std::span<const std::uint32_t>> parts = {}, bool tangents = false);

  bool hasKernel() const { return blocks_.kernel != SkinKernel::reference; }
  // The vertex of the rig at each place. Every part is filled up to a multiple of kBlockLanes: a
  // vertex may stand at several places.
  std::span<const std::uint32_t> source() const { return blocks_.source; }
  // Where each part ends in it.
  std::span<const std::size_t> partEnds() const { return blocks_.partEnds; }

  // After morph targets have moved vertices: Method::morph's binding.
  void setBind(const BindVertices& vertices, const Binding& binding);

  // Characters whose palettes stand one behind another in `rows`, each with source().size()
  // vertices. Not from several threads at a time.
  void skin(std::span<const vec4> rows, std::size_t characters, bool nonUniformScale,
            Workers& workers, const PosedArrays& out);
  // In the rig's order, by the calling thread: several may skin poses of their own at a time.
  // tables: kept by the caller, so that no frame allocates (but for a method without a kernel).
  void skinInOrder(std::span<const vec4> rows, bool nonUniformScale, SkinTables& tables,
                   const SkinTarget& out) const;
  // In the rig's order.
  void skin(const Palette& palette, Workers& workers, SkinnedMesh& out);

 private:
  // Of a method with a modifier, `rows` being those of the whole.
  struct Parts {
    Palette base, modifier;
    bool moves = false;
  };
  Parts partsOf(std::span<const vec4> rows, bool nonUniformScale) const;
  void modify(const Parts& palettes, Workers& workers, const PosedArrays& out, std::size_t first);
  void skinKernel(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
                  const SkinTarget& target);
  bool isModified() const { return hasKernel() && !whole_.parts.empty(); }

  void skinOne(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
               const PosedArrays& out, std::size_t character);
  void skinByReference(const ReferenceSlice& slice, const Palette& palette, const PosedArrays& out,
                       std::size_t firstVertex) const;
  void skinSlice(const ReferenceSlice& slice, const Palette& palette, const PosedArrays& out,
                 std::size_t firstVertex) const;

  const Method* method_;
  std::uint32_t vertexCount_ = 0;
  std::size_t paletteRows_ = 0;
  SkinBlocks blocks_;
  std::vector<ReferenceSlice> slices_; // without a kernel, for tangents, or for a modifier
  Binding whole_;                      // with a modifier: its parts, without vertices
  SkinnedMesh posed_;                  // by the base, in the order of source()
  std::vector<SkinTables> tables_;     // one per worker, kept so that no frame allocates
};

} // namespace sinew
