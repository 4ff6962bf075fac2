// A bound rig on the GPU: one interleaved vertex buffer, one index buffer, its batches, and the
// palette of one character or of a crowd. Knows no skinning method, only Binding and Palette.
#pragma once

#include "gl/buffer.h"
#include "gl/texture.h"
#include "gl/vertex_array.h"
#include "model/model.h"
#include "render/mesh_split.h"
#include "render/palette_storage.h"
#include "skinning/method.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// A model's materials and textures. Made once a model, shared by the meshes of every method.
struct GpuMaterials {
  std::vector<Material> materials; // at least one
  std::vector<Texture2D> textures; // one per texture of the model, sRGB with mipmaps
};
std::shared_ptr<const GpuMaterials> uploadMaterials(const Model& model);

struct GpuMeshOptions {
  PaletteStorage storage = PaletteStorage::automatic;
  // Rows a palette may have, for tests of splitting; 0: what the storage allows.
  std::uint32_t capacityRows = 0;
  // Texels a buffer texture may have, for tests of large crowds; 0: what the driver allows.
  std::uint32_t textureTexels = 0;
};

class GpuMesh {
 public:
  // method only names the GLSL file. Throws graphicsError where one triangle needs more palette
  // items than the storage holds.
  GpuMesh(std::shared_ptr<const GpuMaterials> materials, const Rig& rig, const Method& method,
          const Binding& binding, const GpuMeshOptions& options = {});

  // One character at the origin.
  void setPalette(const Palette& palette);

  // A crowd: rows holds one packed palette after another, offsets where each character stands.
  void setCrowd(std::span<const vec4> rows, std::span<const vec3> offsets, bool nonUniformScale);

  // A scalar per vertex of the rig, for View::Show::field.
  void setField(std::span<const float> values);

  PaletteStorage storage() const { return storage_; }
  std::size_t instanceCount() const { return offsets_.size(); }
  std::size_t rigVertexCount() const { return rigVertexCount_; }
  std::size_t vertexCount() const {
    return layout_.sourceVertex.size();
  } // split ones counted twice
  std::size_t triangleCount() const { return layout_.indices.size() / 3; }
  const MeshSplit& layout() const { return layout_; }

  // What the renderer reads; see renderer.cpp and capture_skinned.cpp.
  struct CrowdPart { // characters whose palettes share one buffer texture
    std::size_t firstInstance = 0;
    std::size_t instances = 0;
    Buffer rows;
    BufferTexture texture;
  };
  const GpuMaterials& materials() const { return *materials_; }
  const VertexArray& vertices() const { return vertices_; }
  const Buffer& instanceOffsets() const { return instanceOffsets_; }
  const std::vector<CrowdPart>& crowd() const { return crowd_; }
  std::span<const vec3> offsets() const { return offsets_; }
  // The rows of a batch of one character, for the storages that hold one character at a time.
  void gatherRows(const MeshBatch& batch, std::size_t instance, std::vector<vec4>& out) const;
  const Buffer& block() const { return block_; }
  const std::string& skinFile() const { return skinFile_; }
  const std::vector<std::string>& defines() const { return defines_; } // of the vertex shader
  bool nonUniformScale() const { return nonUniformScale_; }
  bool hasColors() const { return hasColors_; }
  bool shortIndices() const { return shortIndices_; }
  std::uint32_t instanceRows() const { return itemCount_ * rowsPerItem_; }

 private:
  void uploadVertices(const Rig& rig, const Binding& binding);
  void uploadIndices();
  void uploadCrowd(std::span<const vec4> rows);

  std::shared_ptr<const GpuMaterials> materials_;
  PaletteStorage storage_;
  std::uint32_t textureTexels_ = 0;
  std::string skinFile_;
  std::vector<std::string> defines_;
  std::uint32_t itemCount_ = 0;
  std::uint32_t rowsPerItem_ = 0;
  std::size_t rigVertexCount_ = 0;
  MeshSplit layout_;
  bool hasColors_ = false;
  bool shortIndices_ = false;
  bool nonUniformScale_ = false;

  VertexArray vertices_;
  Buffer vertexBuffer_, indexBuffer_, fieldBuffer_, instanceOffsets_, block_;
  std::vector<CrowdPart> crowd_;
  std::vector<vec3> offsets_{vec3(0.0f)};
  std::vector<vec4> rows_; // kept on the CPU by uniformArray and block alone
};

} // namespace sinew
