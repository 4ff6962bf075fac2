#include "render/draw_batch.h"

#include <fmt/format.h>

namespace sinew {
namespace {

void drawInstances(const GpuMesh& mesh, std::size_t batch, const Program& program, GLuint location,
                   const std::function<void(std::size_t, int)>& draw) {
  glBindVertexArray(mesh.crowd()[0].vertices.name());
  const auto blockBytes = static_cast<GLsizeiptr>(mesh.paletteCapacity() * sizeof(vec4));
  for (std::size_t i = 0; i < mesh.instanceCount(); ++i) {
    if (mesh.storage() == PaletteStorage::block)
      glBindBufferRange(GL_UNIFORM_BUFFER, kPaletteBlock, mesh.blockBuffer().name(),
                        static_cast<GLintptr>(mesh.blockOffset(batch, i)), blockBytes);
    else
      program.set("palette", mesh.paletteRows(batch, i));
    const vec3& offset = mesh.offsets()[i];
    glVertexAttrib3f(location, offset.x, offset.y, offset.z);
    draw(i, 1);
  }
}

} // namespace

std::vector<std::string> meshDefines(const GpuMesh& mesh) {
  std::vector<std::string> defines = mesh.bindingDefines();
  defines.push_back(fmt::format("NON_UNIFORM_SCALE {}", mesh.nonUniformScale()));
  if (!mesh.hasPalette()) return defines;
  defines.push_back(fmt::format("PALETTE_ROWS {}", mesh.rowsPerItem()));
  if (mesh.storage() == PaletteStorage::texture) {
    defines.emplace_back("PALETTE_TEXTURE");
    return defines;
  }
  defines.emplace_back(mesh.storage() == PaletteStorage::block ? "PALETTE_BLOCK"
                                                               : "PALETTE_UNIFORM_ARRAY");
  defines.push_back(fmt::format("PALETTE_CAPACITY {}", mesh.paletteCapacity()));
  return defines;
}

void forEachDraw(const GpuMesh& mesh, std::size_t batch, const Program& program,
                 const std::function<void(std::size_t, int)>& draw) {
  static const GLuint kOffset = attributeLocation("instanceOffset");
  program.use();
  if (mesh.drawsByInstance()) {
    if (mesh.instanceCount() > 0) drawInstances(mesh, batch, program, kOffset, draw);
    return;
  }
  if (mesh.hasPalette()) {
    program.set("palette", static_cast<int>(kPaletteUnit));
    program.set("paletteInstanceRows", static_cast<int>(mesh.instanceRows()));
  }
  for (const GpuMesh::CrowdPart& part : mesh.crowd()) {
    glBindVertexArray(part.vertices.name());
    if (mesh.instanceCount() == 1) { // the offset is no array then
      const vec3& offset = mesh.offsets()[0];
      glVertexAttrib3f(kOffset, offset.x, offset.y, offset.z);
    }
    glActiveTexture(GL_TEXTURE0 + kPaletteUnit);
    glBindTexture(GL_TEXTURE_BUFFER, part.texture.name());
    draw(part.firstInstance, static_cast<int>(part.instances));
  }
}

} // namespace sinew
