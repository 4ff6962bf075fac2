// The smaller module, view.wasm: it shows models, and leaves to sinew.wasm what few files and no
// first picture need.
#include "animation/layers/expression.h"
#include "demo/demo.h"
#include "import/gltf/draco_mesh.h"
#include "import/readers.h"
#include "page/page_files.h"
#include "page/page_textures.h"
#include "wasm/whole_module.h"
#include "web/web_call.h"

namespace sinew {

std::span<const WebEntry> moreRequests() {
  return {};
}

namespace {

[[noreturn]] void leave(const char* reason) {
  throw WholeModuleNeeded{reason};
}

} // namespace

// The files that a page is written of, and the program that it poses with.
std::string_view pageFile(std::string_view /*path*/) {
  leave("view.wasm has no files of pages: sinew.wasm has");
}

EncodedTexture encodeTexture(const Texture& /*texture*/, std::uint32_t /*largest*/,
                             bool /*exact*/) {
  leave("view.wasm does not write pictures: sinew.wasm does");
}

const Demo& findDemo(std::string_view /*name*/) {
  leave("view.wasm has no demos: sinew.wasm has");
}

Model readCollada(const SourceFile& /*file*/, const ImportOptions& /*options*/) {
  leave("view.wasm does not read Collada: sinew.wasm does");
}

std::string assimpFormat(std::string_view /*extension*/) {
  leave("view.wasm does not know Assimp's formats: sinew.wasm does");
}

Model readByAssimp(const SourceFile& /*file*/, const ImportOptions& /*options*/) {
  leave("view.wasm does not read by Assimp: sinew.wasm does");
}

Model readRawMesh(const SourceFile& file, const ImportOptions& options) {
  return readByAssimp(file, options);
}

struct Expression::Parsed {};
Expression::Expression(std::string /*text*/) {
  leave("view.wasm does not read formulas: sinew.wasm does");
}
Expression::Expression(const Expression& other) : Expression(other.text_) {}
Expression& Expression::operator=(const Expression& /*other*/) {
  return *this;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;
double Expression::at(double /*t*/) const {
  return 0.0;
}

struct DracoMesh::Decoded {};
DracoMesh::DracoMesh(GltfDocument& /*document*/, const GltfJson& /*extension*/) {
  leave("view.wasm does not read meshes that Draco compressed: sinew.wasm does");
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
