// Skinning on the CPU for use: vector instructions over blocks of vertices that share joints, on
// all cores. All methods have kernels but per-joint; that, and parameters named at chooseKernel(),
// run their reference by threads. A modifier (skinning/modified.h) runs its own after the kernel of
// its base; where it moves nothing, the base's result is written bit by bit. The result is that of
// Method::skin within rounding: 1e-5 of the model's size.
#pragma once

#include "core/workers.h"
#include "skinning/method.h"
#include "skinning/posed_arrays.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

struct CpuSkinData; // what it has prepared: skin_blocks.h
struct SkinTables;

// What skinInOrder() works in: kept by the caller, so that no frame allocates.
class SkinRoom {
 public:
  SkinRoom();
  SkinRoom(SkinRoom&&) noexcept;
  SkinRoom& operator=(SkinRoom&&) noexcept;
  ~SkinRoom();
  SkinTables& tables() const { return *tables_; }

 private:
  std::unique_ptr<SkinTables> tables_;
};

class CpuSkin {
 public:
  // parts: vertices of the rig that are drawn together; their blocks follow one another. Empty: all
  // in one part. tangents: skin() may be asked for them.
  CpuSkin(const Method& method, const BindVertices& vertices, const Binding& binding,
          std::span<const std::span<const std::uint32_t>> parts = {}, bool tangents = false);

  // data: as data() returned it.
  CpuSkin(const Method& method, CpuSkinData data);
  CpuSkin(CpuSkin&&) noexcept;
  CpuSkin& operator=(CpuSkin&&) noexcept;
  ~CpuSkin();

  // Afterwards skinInOrder() gets tangents by the kernel in poses that stretch nothing, and then
  // allocates nothing. The CpuSkin is made with tangents; the rig and the binding have them.
  void addTangentBlocks(const BindVertices& vertices, const Binding& binding);

  const CpuSkinData& data() const { return *data_; }
  std::uint32_t vertexCount() const; // vertices of the rig
  bool hasKernel() const;
  bool hasTangents() const; // it was made with them, and the rig and the binding have them
  // The vertex of the rig at each place. Every part is filled up to a multiple of 16: a vertex may
  // stand at several places.
  std::span<const std::uint32_t> source() const;
  // Where each part ends in source().
  std::span<const std::size_t> partEnds() const;

  // After morph targets have moved vertices: Method::morph's binding.
  void setBind(const BindVertices& vertices, const Binding& binding);

  // Characters whose palettes stand one behind another in `rows`, each with source().size()
  // vertices. Not from several threads at a time.
  void skin(std::span<const vec4> rows, std::size_t characters, bool nonUniformScale,
            Workers& workers, const PosedArrays& out);
  // In the rig's order, by the calling thread: several may skin poses of their own at a time.
  // Without a kernel it allocates, and for tangents where something stretches, which are the
  // reference's.
  void skinInOrder(std::span<const vec4> rows, bool nonUniformScale, SkinRoom& room,
                   const SkinTarget& out) const;
  // In the rig's order.
  void skin(const Palette& palette, Workers& workers, SkinnedMesh& out);

 private:
  // Whether the method has a modifier; its base has a kernel.
  bool isModified() const { return !whole_.parts.empty(); }
  void skinModified(std::span<const vec4> rows, bool nonUniformScale, Workers& workers,
                    const PosedArrays& out, std::size_t character);

  const Method* method_;
  std::unique_ptr<CpuSkinData> data_;
  Binding whole_;               // with a modifier: its parts, without vertices
  SkinnedMesh posed_;           // by the base, in the order of source()
  std::vector<SkinRoom> rooms_; // one per worker, kept so that no frame allocates
};

} // namespace sinew
