#include "render/capture_skinned.h"

#include "gl/framebuffer.h"
#include "render/draw_batch.h"

#include <algorithm>

namespace sinew {
namespace {

std::vector<SkinnedMesh> capturePass(Programs& programs, const GpuMesh& mesh, Pass pass) {
  std::vector<SkinnedMesh> out(mesh.instanceCount());
  for (SkinnedMesh& character : out) {
    character.positions.resize(mesh.rigVertexCount());
    character.normals.resize(mesh.rigVertexCount());
  }
  const MeshSplit& layout = mesh.layout();
  std::vector<vec3> values;
  for (std::size_t b = 0; b < layout.batches.size(); ++b) {
    const MeshBatch& batch = layout.batches[b];
    const SkinnedProgram& program =
        programs.skinned({pass, mesh.skinShader(batch), mesh.nonUniformScale()});
    const auto scatter = [&](const Buffer& buffer, std::size_t first, int instances,
                             std::vector<vec3> SkinnedMesh::*list) {
      values.resize(static_cast<std::size_t>(instances) * batch.vertexCount);
      readBuffer(buffer, std::as_writable_bytes(std::span(values)));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t source = layout.sourceVertex[batch.firstVertex + i % batch.vertexCount];
        (out[first + i / batch.vertexCount].*list)[source] = values[i];
      }
    };
    forEachDraw(mesh, b, program, [&](const DrawCall& call) {
      const std::vector<Buffer> captured =
          capturePoints(static_cast<int>(mesh.firstDrawn(batch)),
                        static_cast<int>(batch.vertexCount), call.instances, 2);
      scatter(captured[0], call.firstInstance, call.instances, &SkinnedMesh::positions);
      scatter(captured[1], call.firstInstance, call.instances, &SkinnedMesh::normals);
    });
  }
  return out;
}

} // namespace

std::vector<SkinnedMesh> captureCrowd(Programs& programs, const GpuMesh& mesh) {
  return capturePass(programs, mesh, Pass::capture);
}

std::vector<vec4> captureTangents(Programs& programs, const GpuMesh& mesh) {
  const SkinnedMesh captured = capturePass(programs, mesh, Pass::captureTangents).front();
  std::vector<vec4> out;
  out.reserve(captured.positions.size());
  for (std::size_t v = 0; v < captured.positions.size(); ++v)
    out.emplace_back(captured.positions[v], captured.normals[v].x);
  return out;
}

SkinnedMesh captureSkinned(Programs& programs, const GpuMesh& mesh) {
  return std::move(captureCrowd(programs, mesh).front());
}

std::vector<Buffer> capturePoints(int first, int count, int instances, std::size_t outputs) {
  std::vector<Buffer> buffers;
  const std::size_t bytes =
      sizeof(float) * 3 * static_cast<std::size_t>(count) * static_cast<std::size_t>(instances);
  for (std::size_t i = 0; i < outputs; ++i) {
    buffers.emplace_back(bytes, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), buffers.back().name());
  }
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  const Framebuffer something(1, 1);
  something.bind();
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArraysInstanced(GL_POINTS, first, count, instances);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  for (std::size_t i = 0; i < outputs; ++i)
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), 0);
  return buffers;
}

} // namespace sinew
