// The vertices of a bound mesh as they are drawn: one interleaved buffer, ordered by forms of the
// binding and batches of the palette; and functions that change some of them. Knows no palette.
#pragma once

#include "gl/buffer.h"
#include "gl/vertex_array.h"
#include "render/further_attributes.h"
#include "render/mesh_split.h"
#include "rig/morph.h"

#include <span>
#include <vector>

namespace sinew {

struct DrawnVertexOptions {
  bool bindPose = true; // positions, normals and tangents; false: the mesh is posed elsewhere
  bool texcoords = false;
  bool tangents = false;    // the method poses the rig's tangents
  bool morphsBound = false; // morph targets change the binding too (Method::morph)
};

// The vertices of one form of the binding, with the attributes that it reads.
struct VertexRegion {
  std::uint32_t firstVertex = 0; // first one in draw order
  std::uint32_t vertexCount = 0;
  std::size_t firstByte = 0;
  std::size_t stride = 0;
  std::vector<VertexAttribute> attributes;
};

// The morph targets that a bind pose shows.
struct ShownMorphs {
  std::vector<float> weights;          // none: all are 0
  std::vector<std::uint32_t> vertices; // the vertices that they move
};

// Vertices that one character of a crowd has for itself, with its own morph targets.
struct OwnVertices {
  ShownMorphs morphs;
  Buffer buffer; // none while all weights have been 0: the crowd's vertices are drawn
  FurtherAttributes further;
};

class DrawnVertices {
 public:
  DrawnVertices() = default;
  DrawnVertices(const Rig& rig, MeshSplit layout, const Binding& binding,
                const DrawnVertexOptions& options);

  std::size_t rigVertexCount() const { return rigVertexCount_; }
  const MeshSplit& layout() const { return layout_; }
  std::span<const VertexRegion> regions() const { return regions_; } // indexed by form
  const Buffer& buffer() const { return buffer_; }
  const FurtherAttributes& further() const { return further_; } // empty if there are several forms
  bool hasColors() const { return hasColors_; }
  bool hasTangents() const { return options_.tangents; }

  // Uploads the range from the first to the last of these vertices of the rig, whose binding has
  // changed. Returns false without a change if they need palette entries that their batch lacks.
  // The binding must have the layout (sameLayout) of the one given to the constructor.
  bool update(const Binding& binding, std::span<const std::uint32_t> vertices);

  // Shows the bind pose with morph targets applied, in place of the one that is shown: uploads the
  // range from the first to the last vertex that either of them moves, and nothing for the weights
  // that are shown.
  void setMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding);
  // The same for a character's own vertices. Makes them when they first differ, and returns true.
  bool setMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding,
                 OwnVertices& own);

 private:
  struct ByteRange {
    std::size_t first = 0, last = 0; // last: behind the last byte
  };

  const VertexRegion& findRegion(std::uint32_t drawn) const;
  std::size_t findFirstByte(std::uint32_t drawn) const;
  ByteRange drawnRange(std::span<const std::uint32_t> vertices) const;
  void read();
  void writeValues(std::span<const std::byte> values, std::size_t size, GLuint location,
                   std::span<const std::uint32_t> vertices, std::size_t firstByte,
                   std::span<std::byte> out) const;
  void writeMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding,
                   std::span<const std::uint32_t> vertices, std::size_t firstByte,
                   std::span<std::byte> out) const;
  void writeFurther(const Binding& binding, std::span<const std::uint32_t> vertices,
                    FurtherAttributes& further) const;

  DrawnVertexOptions options_;
  MeshSplit layout_;
  std::size_t rigVertexCount_ = 0;
  bool hasColors_ = false;
  Buffer buffer_;
  std::vector<VertexRegion> regions_; // regions of buffer_, by form
  FurtherAttributes further_;
  ShownMorphs morphs_;
  // Held from the first change on: the buffer's bytes, and in draw order where each vertex of the
  // rig is (it may be in several batches).
  std::vector<std::byte> bytes_;
  std::vector<std::uint32_t> drawnOffsets_, drawn_;
};

} // namespace sinew
