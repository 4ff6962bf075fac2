// What is called in every frame.
#include "c/handles.h"
#include "core/error.h"
#include "core/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

namespace sinew {
namespace {

static_assert(sizeof(mat4) == 16 * sizeof(float) && alignof(mat4) == alignof(float));
static_assert(sizeof(vec4) == 4 * sizeof(float) && alignof(vec4) == alignof(float));

constexpr std::size_t kBatchPiece = 8; // poses that a thread takes at a time

std::size_t rowCount(const sinew_binding& bound) {
  return std::size_t{bound.binding.entryCount} * bound.binding.rowsPerEntry;
}

bool packInto(const sinew_binding& bound, const float* matrices, std::span<const float> twists,
              std::span<vec4> rows) {
  const std::span<const mat4> modelFromJoint{reinterpret_cast<const mat4*>(matrices),
                                             bound.packed.joints.size()};
  const bool stretches = bound.method->pack(bound.packed, bound.binding, modelFromJoint, rows);
  if (bound.method->addRotations != nullptr && !twists.empty())
    bound.method->addRotations(bound.packed, bound.binding, twists, rows);
  return stretches;
}

std::span<const vec4> rowsAt(const sinew_binding& bound, const float* rows) {
  return {reinterpret_cast<const vec4*>(rows), rowCount(bound)};
}

std::size_t strideOf(const sinew_stream& stream, const char* name) {
  const std::size_t stride = stream.stride == 0 ? 3 * sizeof(float) : stream.stride;
  if (stride < 3 * sizeof(float))
    throw usageError(fmt::format("{}.stride: {} bytes are less than 12", name, stride));
  return stride;
}

SkinTarget targetOf(const sinew_stream& positions, const sinew_stream& normals) {
  requirePointer(positions.data, "positions.data");
  SkinTarget target{positions.data, normals.data, true};
  target.positionStride = strideOf(positions, "positions");
  target.normalStride = strideOf(normals, "normals");
  return target;
}

void requireSkin(const sinew_binding* binding) {
  requirePointer(binding, "binding");
  if (!binding->skin) throw usageError("binding: it has no vertices", "bind the method to a model");
}

void scatterVectors(std::span<const vec3> values, float* to, std::size_t stride) {
  auto* bytes = reinterpret_cast<std::byte*>(to);
  for (const vec3& value : values) {
    std::memcpy(bytes, &value, sizeof(value));
    bytes += stride;
  }
}

struct BatchRoom {
  SkinTables tables;
  std::vector<vec4> rows;
};

void skinBatch(const sinew_binding& bound, const float* matrices, std::size_t poses,
               float* positions, float* normals, std::uint32_t threads, const Progress& progress) {
  const std::size_t vertices = bound.binding.vertexCount;
  const std::size_t joints = bound.packed.joints.size();
  const std::size_t pieces = (poses + kBatchPiece - 1) / kBatchPiece;
  Workers workers(threads);
  std::vector<BatchRoom> rooms(workers.threads());
  ProgressMeter meter(progress);
  meter.startStage("skinning", 1.0f, pieces);
  std::atomic<bool> stopped = false; // by the progress function: what is left is not done
  workers.forEach(pieces, [&](std::size_t piece, std::size_t thread) {
    if (stopped) return;
    BatchRoom& room = rooms[thread];
    room.rows.resize(rowCount(bound));
    for (std::size_t p = piece * kBatchPiece; p < std::min((piece + 1) * kBatchPiece, poses); ++p) {
      const bool stretches = packInto(bound, matrices + 16 * joints * p, {}, room.rows);
      const SkinTarget target{positions + 3 * vertices * p,
                              normals != nullptr ? normals + 3 * vertices * p : nullptr, true};
      bound.skin->skinInOrder(room.rows, stretches, room.tables, target);
    }
    try {
      meter.piece();
    } catch (...) {
      stopped = true;
      throw;
    }
  });
}

void morphTo(sinew_binding& bound, std::span<const float> weights) {
  if (weights.size() != bound.rig->morphs.size())
    throw usageError(fmt::format("count: {} weights for {} morph targets", weights.size(),
                                 bound.rig->morphs.size()));
  if (!applyMorphs(*bound.rig, weights, bound.morphed)) return;
  morphBinding(*bound.method, *bound.rig, bound.binding, bound.morphed, bound.morphedBinding);
  bound.skin->setBind(bound.vertices(), bound.shown());
}

} // namespace
} // namespace sinew

extern "C" {

sinew_code sinew_pack(const sinew_binding* binding, const float* matrices, const float* twists,
                      float* rows, int32_t* stretches) {
  return sinew::guarded([&] {
    sinew::requirePointer(binding, "binding");
    sinew::requirePointer(matrices, "matrices");
    const std::size_t count = sinew::rowCount(*binding);
    if (count > 0) sinew::requirePointer(rows, "rows");
    const std::span<const float> rotations{twists,
                                           twists != nullptr ? binding->packed.joints.size() : 0};
    const bool result = sinew::packInto(*binding, matrices, rotations,
                                        {reinterpret_cast<sinew::vec4*>(rows), count});
    if (stretches != nullptr) *stretches = result ? 1 : 0;
  });
}

sinew_code sinew_skin(sinew_binding* binding, const float* rows, int32_t stretches,
                      sinew_stream positions, sinew_stream normals) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    sinew::requirePointer(rows, "rows");
    binding->skin->skinInOrder(sinew::rowsAt(*binding, rows), stretches != 0, binding->tables,
                               sinew::targetOf(positions, normals));
  });
}

sinew_code sinew_skin_reference(const sinew_binding* binding, const float* rows, int32_t stretches,
                                sinew_stream positions, sinew_stream normals) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    sinew::requirePointer(rows, "rows");
    const sinew::SkinTarget target = sinew::targetOf(positions, normals);
    const auto all = sinew::rowsAt(*binding, rows);
    sinew::SkinnedMesh posed;
    binding->method->skin(binding->vertices(), binding->shown(),
                          {{all.begin(), all.end()}, stretches != 0}, posed);
    sinew::scatterVectors(posed.positions, target.positions, target.positionStride);
    if (target.normals != nullptr)
      sinew::scatterVectors(posed.normals, target.normals, target.normalStride);
  });
}

sinew_code sinew_skin_batch(const sinew_binding* binding, const float* matrices, size_t poses,
                            float* positions, float* normals, uint32_t threads,
                            sinew_progress progress, void* user) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    if (poses == 0) return;
    sinew::requirePointer(matrices, "matrices");
    sinew::requirePointer(positions, "positions");
    sinew::skinBatch(*binding, matrices, poses, positions, normals, threads,
                     sinew::progressOf(progress, user));
  });
}

sinew_code sinew_morph(sinew_binding* binding, const float* weights, uint32_t count) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    if (count > 0) sinew::requirePointer(weights, "weights");
    sinew::morphTo(*binding, {weights, count});
  });
}

} // extern "C"
