#include "render/compute_skin.h"

#include "core/error.h"
#include "render/draw_batch.h"
#include "render/vertex_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr GLuint kPosedStorage = 1; // as in skin.comp, like the next one
constexpr int kGroupVertices = 64;
constexpr int kMaxGroups = 65535; // every driver takes so many in each direction

void checkStorage(const Buffer& buffer, GLint limit) {
  if (buffer.size() > static_cast<std::size_t>(std::max(limit, 0)))
    throw graphicsError(fmt::format("vertices of {} bytes are more than a shader storage buffer "
                                    "holds, {} bytes",
                                    buffer.size(), limit),
                        "use --skin-on vertex-shader or cpu");
}

int words(std::size_t bytes) {
  return static_cast<int>(bytes / sizeof(float));
}

// The work for one draw call of a batch: its vertices, for some characters.
struct Dispatch {
  glm::ivec4 batch, posed; // as in skin.comp
  int characters;
};

void dispatch(const SkinnedProgram& program, Dispatch all) {
  constexpr int kMaxVertices = kGroupVertices * kMaxGroups;
  for (; all.batch.w > 0; all.batch.w -= kMaxVertices) {
    Program::set(program.batch, all.batch);
    Program::set(program.posed, all.posed);
    const int vertices = std::min(all.batch.w, kMaxVertices);
    const int groups = (vertices + kGroupVertices - 1) / kGroupVertices;
    for (int first = 0; first < all.characters; first += kMaxGroups) {
      Program::set(program.firstCharacter, first);
      glDispatchCompute(static_cast<GLuint>(groups),
                        static_cast<GLuint>(std::min(all.characters - first, kMaxGroups)), 1);
    }
    all.batch.x += vertices * all.batch.y;
    all.batch.z += vertices;
    all.posed.x += vertices;
  }
}

} // namespace

GpuMesh makeDrawnMesh(const GpuMesh& source, const Rig& rig) {
  MeshSplit layout = source.layout();
  for (MeshBatch& batch : layout.batches) {
    batch.form = 0;
    batch.entries.clear();
  }
  return {source.sharedMaterials(), rig, std::move(layout), source.hasTangents()};
}

void skinByCompute(Programs& programs, const GpuMesh& source, GpuMesh& drawn) {
  const PosedBuffers& posed = drawn.reservePosed(source.offsets());
  GLint limit = 0;
  glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
  checkStorage(posed.buffer(), limit);
  // Not before the draws of the frame before have read it.
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kPosedStorage, posed.buffer().name());
  const MeshSplit& layout = source.layout();
  const int perCharacter = static_cast<int>(layout.sourceVertex.size());
  for (std::size_t b = 0; b < layout.batches.size(); ++b) {
    const MeshBatch& batch = layout.batches[b];
    const VertexRegion& region = source.region(batch);
    const int first = static_cast<int>(source.firstDrawn(batch));
    const int stride = words(region.stride);
    const SkinnedProgram& program =
        programs.skinned({Pass::compute, source.skinShader(batch), source.nonUniformScale()});
    forEachDraw(source, b, program, [&](const DrawCall& call) {
      const Buffer& vertices = source.vertexBuffer(call.firstInstance);
      checkStorage(vertices, limit);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kVertexStorage, vertices.name());
      const int to = static_cast<int>(call.firstInstance) * perCharacter;
      dispatch(program, {{words(region.firstByte) + first * stride, stride, first,
                          static_cast<int>(batch.vertexCount)},
                         {to + static_cast<int>(batch.firstVertex), perCharacter,
                          words(posed.normalsAt()), words(posed.tangentsAt())},
                         call.instances});
    });
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

} // namespace sinew
