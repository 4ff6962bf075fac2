// A bound rig on the GPU: one interleaved vertex buffer, one index buffer, its batches, and the
// palette of one character or of a crowd. Knows no skinning method, only Binding and Palette.
#pragma once

#include "gl/buffer.h"
#include "gl/texture.h"
#include "gl/vertex_array.h"
#include "model/model.h"
#include "render/drawn_vertices.h"
#include "render/posed_buffers.h"
#include "render/programs.h"
#include "skinning/method.h"
#include "view/draw_choices.h"

#include <memory>
#include <span>
#include <vector>

namespace sinew {

// A model's materials and textures. Made once per model, shared by the meshes of every method.
struct GpuMaterials {
  std::vector<Material> materials; // at least one
  // One per texture of the model, with mipmaps; none for those that no material shows so.
  std::vector<Texture2D> textures;            // colours, sRGB
  std::vector<Texture2D> numberTextures = {}; // normal maps and other numbers
};
std::shared_ptr<const GpuMaterials> uploadMaterials(const Model& model);

struct GpuMeshOptions {
  PaletteStorage storage = PaletteStorage::automatic;
  PaletteReading reading = {}; // for palettes in a texture; others are f32 and not baked
  // The mesh is for a compute shader that skins its vertices (render/compute_skin); not drawable.
  bool compute = false;
  // Rows a palette in a uniform array or block may have, for tests of splitting; 0: the storage's
  // limit.
  std::uint32_t capacityRows = 0;
  // Rows a buffer texture or storage buffer may have, for tests of large crowds; 0: the driver's
  // limit.
  std::uint32_t crowdRows = 0;
  // GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT in bytes, for tests of drivers; 0: this driver's.
  std::uint32_t blockAlignment = 0;
};

class GpuMesh {
 public:
  // Uses only the shaders of `method`. Throws graphicsError if one triangle needs more palette
  // entries than the storage holds. Draws nothing before the first setPalette or setCrowd.
  GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig, const Method& method,
          const Binding& binding, const GpuMeshOptions& options = {});

  // A mesh whose vertices are posed elsewhere, on the CPU or by a compute shader: mapPosed() or
  // reservePosed() before it is drawn; setPalette, setCrowd and morph targets do nothing to it.
  // layout: that of an unskinned binding, with one form and no entries. A vertex may be in it
  // several times. tangents: the rig has them, for normal maps.
  GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig, MeshSplit layout,
          bool tangents);

  // One character at each of these positions: room for their vertices in the order of
  // layout().sourceVertex, one character after another. The CPU writes them until unmapPosed().
  PosedArrays mapPosed(std::span<const vec3> offsets);
  void unmapPosed() { posed_->unmap(); }
  // The same for vertices that the GPU writes before they are drawn.
  const PosedBuffers& reservePosed(std::span<const vec3> offsets);
  bool isPosed() const { return posed_ != nullptr; }

  // One character at the origin.
  void setPalette(const Palette& palette);

  // A crowd: rows holds one packed palette after another, offsets the positions of the characters.
  void setCrowd(std::span<const vec4> rows, std::span<const vec3> offsets, bool nonUniformScale);

  // For a mesh made with PaletteReading::baked, in place of setPalette and setCrowd. setBaked()
  // takes the palettes of all frames, once, one after another; setPlays() the characters when they
  // change: first frame, number of frames, frame at 0 seconds (rounded down and repeated), frames a
  // second. Throws graphicsError where a buffer texture is too small for the frames.
  void setBaked(std::span<const vec4> rows, bool nonUniformScale);
  void setPlays(std::span<const vec4> plays, std::span<const vec3> offsets);
  void setSeconds(float seconds) { bakedSeconds_ = seconds; }

  // Call it before setCrowd. Shows one character's bind pose with morph targets, as setMorphs does;
  // the weights of setMorphs have to be 0. A character whose weights have always been 0 shares the
  // crowd's vertices. Any other gets a vertex buffer and a draw of its own; only the range between
  // vertices that change is uploaded.
  void setMemberMorphs(std::size_t member, const Rig& rig, const MorphedVertices& morphed,
                       const Binding& binding);

  // Call it after some vertices of the binding have changed. Uploads the range from the first to
  // the last. Returns false without a change if they need palette entries that their batch lacks.
  // The binding must have the layout (sameLayout) of the one given to the constructor.
  bool updateVertices(const Binding& binding, std::span<const std::uint32_t> vertices);

  // Shows the bind pose with morph targets applied, in place of the shown one (at first the rig's
  // own). Uploads the range from the first to the last vertex that either of the two moves, and
  // nothing if the weights do not change. binding: morphBinding() of the one given to the
  // constructor. The characters of a crowd that have no vertices of their own share it.
  void setMorphs(const Rig& rig, const MorphedVertices& morphed, const Binding& binding);

  // Where the batches of blended materials are in a pose, for drawing them from back to front: the
  // middle of each, as its most common joint moves it. The rig is the constructor's.
  void placeBlended(const Rig& rig, std::span<const mat4> modelFromNode);
  vec3 getPosition(std::size_t batch) const {
    return batch < places_.size() ? places_[batch] : vec3();
  }

  // A scalar per vertex of the rig, or a colour (sRGB), for View::Show::field.
  void setField(std::span<const float> values);
  void setField(std::span<const vec3> colors);
  bool fieldIsColor() const { return fieldComponents_ == 3; }

  PaletteStorage storage() const { return storage_; }
  std::size_t instanceCount() const { return offsets_.size(); }
  std::size_t rigVertexCount() const { return vertices_.rigVertexCount(); }
  // Counts split vertices twice.
  std::size_t vertexCount() const { return layout().sourceVertex.size(); }
  std::size_t triangleCount() const { return layout().indices.size() / 3; }
  const MeshSplit& layout() const { return vertices_.layout(); }

  // The rest is for the renderer and the capture.

  // Characters drawn by one call: all of them, unless a buffer texture or storage buffer is too
  // small for the crowd, or some have vertices of their own. With the other storages a part is
  // drawn instance by instance.
  struct CrowdPart {
    std::size_t firstInstance = 0;
    std::size_t instances = 0;
    // Indexed by form; instanceOffset is attached where the part has several instances.
    std::vector<VertexArray> vertices;
    Buffer rows;           // for texture and storage buffer; a baked mesh: the plays
    BufferTexture texture; // reads `rows`
  };
  std::span<const CrowdPart> crowd() const { return crowd_; }
  std::span<const vec3> offsets() const { return offsets_; }
  bool drawsByInstance() const { return !holdsCrowd(storage_); }
  bool hasPalette() const { return rowsPerEntry_ > 0; }

  // uniformArray: the rows of a batch (index into layout().batches) of one character.
  std::span<const vec4> paletteRows(std::size_t batch, std::size_t instance) const;
  // block: where the same rows are in blockBuffer(), for glBindBufferRange.
  std::size_t blockOffset(std::size_t batch, std::size_t instance) const;
  const Buffer& blockBuffer() const { return blockBuffer_; }
  std::uint32_t paletteCapacity() const { return paletteCapacity_; } // rows of the GLSL array

  // The attributes of a character: its own if it has its own vertices, else the shared ones.
  const FurtherAttributes& further(std::size_t instance) const;

  const GpuMaterials& materials() const { return *materials_; }
  const std::shared_ptr<const GpuMaterials>& sharedMaterials() const { return materials_; }
  const std::shared_ptr<const SkinShader>& skinShader(const MeshBatch& batch) const {
    return skinShaders_[batch.form];
  }
  // Index of the batch's first vertex in the vertex array of its form.
  std::uint32_t firstDrawn(const MeshBatch& batch) const {
    return batch.firstVertex - vertices_.regions()[batch.form].firstVertex;
  }
  // Where the vertices of the batch's form are in the vertex buffer, the character's own or shared.
  const VertexRegion& region(const MeshBatch& batch) const {
    return vertices_.regions()[batch.form];
  }
  const Buffer& vertexBuffer(std::size_t instance) const;
  // The vertex array of a batch for one character of a part.
  GLuint vertexArray(const MeshBatch& batch, const CrowdPart& part, std::size_t instance) const;
  bool nonUniformScale() const { return nonUniformScale_; }
  bool hasColors() const { return vertices_.hasColors(); }
  bool hasTangents() const { return vertices_.hasTangents(); }
  bool shortIndices() const { return shortIndices_; }
  std::uint32_t rowsPerEntry() const { return rowsPerEntry_; }
  std::uint32_t instanceRows() const { return entryCount_ * rowsPerEntry_; }
  std::uint32_t storedInstanceRows() const {
    return entryCount_ * storedRows(reading_.format, rowsPerEntry_);
  }
  bool holdsScale() const { return storedInstanceRows() == instanceRows(); }
  bool isBaked() const { return reading_.baked; }
  const BufferTexture& bakedTexture() const { return bakedTexture_; }
  float bakedSeconds() const { return bakedSeconds_; }
  float paletteScale() const { return stored_.scale; }

 private:
  // A character of a crowd with vertices of its own.
  struct Member {
    OwnVertices own;
    std::vector<VertexArray> arrays;
  };

  void prepare(const Method& method, const Binding& binding, const GpuMeshOptions& options);
  void placePosed(std::span<const vec3> offsets);
  void attachPosed(CrowdPart& part) const;
  void uploadIndices();
  void planRegions(std::uint32_t alignmentRows);
  void uploadRows(std::span<const vec4> rows);
  void gatherRegions(std::span<const vec4> rows);
  void resizeParts(std::size_t parts);
  void divideCrowd(std::size_t capacity);
  std::vector<VertexArray> makeVertexArrays(const Buffer& vertices) const;
  bool hasOwnVertices(std::size_t member) const;
  void attachOffsets();
  void attachField(std::span<VertexArray> arrays) const;
  template <class T>
  void uploadField(std::span<const T> values);

  std::shared_ptr<const GpuMaterials> materials_;
  PaletteStorage storage_;
  PaletteReading reading_;
  StoredPalette stored_; // scratch, but for its scale
  Buffer bakedRows_;
  BufferTexture bakedTexture_;
  float bakedSeconds_ = 0.0f;
  std::uint32_t crowdRows_ = 0;                                // most stored rows of one part
  std::vector<std::shared_ptr<const SkinShader>> skinShaders_; // indexed by form
  std::uint32_t entryCount_ = 0;
  std::uint32_t rowsPerEntry_ = 0;
  std::uint32_t paletteCapacity_ = 0;
  DrawnVertices vertices_;
  bool shortIndices_ = false;
  int fieldComponents_ = 1;
  bool nonUniformScale_ = false;

  Buffer indexBuffer_, fieldBuffer_, offsetBuffer_, blockBuffer_;
  std::vector<vec3> places_;    // per batch, once placed
  std::vector<Member> members_; // members of a crowd, filled by setMemberMorphs()
  std::vector<CrowdPart> crowd_;
  std::vector<vec3> offsets_;
  // uniformArray and block: per instance one region of rows for every batch with entries of its
  // own, or one for all.
  std::vector<std::size_t> rowsOfBatch_; // first row within an instance's rows
  std::size_t instanceRegionRows_ = 0;   // rows of one instance
  std::vector<vec4> regionRows_;
  std::unique_ptr<PosedBuffers> posed_; // only for a mesh that is posed elsewhere
};

} // namespace sinew
