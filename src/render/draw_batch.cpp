#include "render/draw_batch.h"

#include "render/vertex_layout.h"

namespace sinew {
namespace {

void setOffset(const vec3& offset) {
  glVertexAttrib3f(kOffsetLocation, offset.x, offset.y, offset.z);
}

void bindFurther(const GpuMesh& mesh, std::size_t instance) {
  const auto textures = mesh.further(instance).textures();
  for (unsigned i = 0; i < textures.size(); ++i) {
    if (textures[i] == 0) continue;
    glActiveTexture(GL_TEXTURE0 + kFurtherUnit + i);
    glBindTexture(GL_TEXTURE_BUFFER, textures[i]);
  }
}

DrawCall bindInstance(const GpuMesh& mesh, std::size_t batch, const SkinnedProgram& program,
                      std::size_t instance) {
  bindFurther(mesh, instance);
  glBindVertexArray(mesh.vertexArray(mesh.layout().batches[batch], mesh.crowd()[0], instance));
  const auto blockBytes = static_cast<GLsizeiptr>(mesh.paletteCapacity() * sizeof(vec4));
  if (mesh.storage() == PaletteStorage::block)
    glBindBufferRange(GL_UNIFORM_BUFFER, kPaletteBlock, mesh.blockBuffer().name(),
                      static_cast<GLintptr>(mesh.blockOffset(batch, instance)), blockBytes);
  else
    Program::set(program.palette, mesh.paletteRows(batch, instance));
  setOffset(mesh.offsets()[instance]);
  return {instance, 1};
}

} // namespace

std::size_t drawCallCount(const GpuMesh& mesh) {
  return mesh.drawsByInstance() ? mesh.instanceCount() : mesh.crowd().size();
}

DrawCall bindDrawCall(const GpuMesh& mesh, std::size_t batch, const SkinnedProgram& program,
                      std::size_t index) {
  if (mesh.drawsByInstance()) return bindInstance(mesh, batch, program, index);
  const GpuMesh::CrowdPart& part = mesh.crowd()[index];
  if (mesh.hasPalette()) {
    if (mesh.storage() == PaletteStorage::texture)
      Program::set(program.palette, static_cast<int>(kPaletteUnit));
    Program::set(program.paletteInstanceRows, static_cast<int>(mesh.storedInstanceRows()));
    Program::set(program.paletteScale, mesh.paletteScale());
  }
  bindFurther(mesh, part.firstInstance);
  glBindVertexArray(mesh.vertexArray(mesh.layout().batches[batch], part, part.firstInstance));
  if (part.instances == 1) setOffset(mesh.offsets()[part.firstInstance]); // no array is attached
  const DrawCall call{part.firstInstance, static_cast<int>(part.instances)};
  if (mesh.storage() == PaletteStorage::storageBuffer) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kPaletteStorage, part.rows.name());
    return call;
  }
  if (mesh.isBaked()) {
    Program::set(program.bakedSeconds, mesh.bakedSeconds());
    glActiveTexture(GL_TEXTURE0 + kPlaysUnit);
    glBindTexture(GL_TEXTURE_BUFFER, part.texture.name());
  }
  glActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  glBindTexture(GL_TEXTURE_BUFFER,
                mesh.isBaked() ? mesh.bakedTexture().name() : part.texture.name());
  return call;
}

} // namespace sinew
