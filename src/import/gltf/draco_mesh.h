// Geometry that Draco compressed (KHR_draco_mesh_compression).
#pragma once

#include "import/gltf/document.h"
#include "model/mesh.h"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

// One primitive's compressed geometry: its triangles, and attributes by the primitive's names.
class DracoMesh {
 public:
  // Throws GltfError where the bytes are damaged.
  DracoMesh(GltfDocument& document, const GltfJson& extension);
  ~DracoMesh();
  DracoMesh(const DracoMesh&) = delete;
  DracoMesh& operator=(const DracoMesh&) = delete;

  std::size_t vertexCount() const;
  std::vector<Triangle> triangles() const;

  bool has(const std::string& attribute) const;
  // As readFloats() and readIntegers(); normalized: as the attribute's accessor says.
  std::vector<float> floats(const std::string& attribute, std::size_t components,
                            bool normalized) const;
  std::vector<std::uint32_t> integers(const std::string& attribute, std::size_t components) const;

 private:
  struct Decoded;
  std::unique_ptr<Decoded> decoded_;
};

} // namespace sinew
