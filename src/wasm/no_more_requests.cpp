// The smaller module, view.wasm: it shows models, and leaves files, bakes, weights and meshes that
// Draco compressed to sinew.wasm.
#include "import/gltf/draco_mesh.h"
#include "wasm/whole_module.h"
#include "web/web_call.h"

namespace sinew {

std::span<const WebEntry> moreRequests() {
  return {};
}

struct DracoMesh::Decoded {};
DracoMesh::DracoMesh(GltfDocument& /*document*/, const GltfJson& /*extension*/) {
  throw WholeModuleNeeded{"view.wasm does not read meshes that Draco compressed: sinew.wasm does"};
}
DracoMesh::~DracoMesh() = default;
std::size_t DracoMesh::vertexCount() const {
  return 0;
}
std::vector<Triangle> DracoMesh::triangles() const {
  return {};
}
bool DracoMesh::has(const std::string& /*attribute*/) const {
  return false;
}
std::vector<float> DracoMesh::floats(const std::string& /*attribute*/, std::size_t /*components*/,
                                     bool /*normalized*/) const {
  return {};
}
std::vector<std::uint32_t> DracoMesh::integers(const std::string& /*attribute*/,
                                               std::size_t /*components*/) const {
  return {};
}

} // namespace sinew
