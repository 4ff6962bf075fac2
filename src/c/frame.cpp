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
  if (bound.method->usesFreeSplines && !twists.empty())
    bound.method->addRotations(bound.packed, bound.binding, twists, rows);
  return stretches;
}

std::span<const vec4> rowsAt(const sinew_binding& bound, const float* rows) {
  return {reinterpret_cast<const vec4*>(rows), rowCount(bound)};
}

std::size_t checkStride(const sinew_stream& stream, std::size_t item, const char* name) {
  const std::size_t stride = stream.stride == 0 ? item : stream.stride;
  if (stride < item)
    throw usageError(fmt::format("{}.stride: {} bytes are less than {}", name, stride, item));
  return stride;
}

void requireTangents(const sinew_binding& binding, const float* tangents, const char* name) {
  if (tangents != nullptr && !binding.hasTangents())
    throw usageError(fmt::format("{}: this binding has none", name), "pass NULL");
}

SkinTarget makeTarget(const sinew_binding& binding, const sinew_stream& positions,
                      const sinew_stream& normals, const sinew_stream& tangents) {
  requirePointer(positions.data, "positions.data");
  requireTangents(binding, tangents.data, "tangents.data");
  SkinTarget target{positions.data, normals.data, true};
  target.tangents = tangents.data;
  target.positionStride = checkStride(positions, sizeof(vec3), "positions");
  target.normalStride = checkStride(normals, sizeof(vec3), "normals");
  target.tangentStride = checkStride(tangents, sizeof(vec4), "tangents");
  return target;
}

void requireSkin(const sinew_binding* binding) {
  requirePointer(binding, "binding");
  if (!binding->skin) throw usageError("binding: it has no vertices", "bind the method to a model");
}

// The reference reads the method's whole binding.
void requireModel(const sinew_binding* binding) {
  requireSkin(binding);
  if (binding->rig == nullptr)
    throw usageError("binding: it was read from bytes", "bind the method to a model");
}

template <class Vectors>
void scatterVectors(const Vectors& values, float* to, std::size_t stride) {
  auto* bytes = reinterpret_cast<std::byte*>(to);
  for (const auto& value : values) {
    std::memcpy(bytes, &value, sizeof(value));
    bytes += stride;
  }
}

struct BatchRoom {
  SkinRoom skin;
  std::vector<vec4> rows;
};

// The output for many poses, one behind another; normals and tangents may be null.
struct BatchTarget {
  float* positions;
  float* normals;
  float* tangents;

  SkinTarget of(std::size_t pose, std::size_t vertices) const {
    const auto at = [&](float* all, std::size_t numbers) {
      return all != nullptr ? all + numbers * vertices * pose : nullptr;
    };
    SkinTarget out{at(positions, 3), at(normals, 3), true};
    out.tangents = at(tangents, 4);
    return out;
  }
};

void skinBatch(const sinew_binding& bound, const float* matrices, std::size_t poses,
               const BatchTarget& target, std::uint32_t threads, const Progress& progress) {
  const std::size_t vertices = bound.vertexCount();
  const std::size_t joints = bound.packed.joints.size();
  const std::size_t pieces = (poses + kBatchPiece - 1) / kBatchPiece;
  Workers workers(std::min<std::size_t>(threads, std::max<std::size_t>(pieces, 1)));
  std::vector<BatchRoom> rooms(workers.threads());
  ProgressMeter meter(progress);
  meter.startStage("skinning", 1.0f, pieces);
  std::atomic<bool> stopped = false; // set by the progress function: the rest is not done
  workers.forEach(pieces, [&](std::size_t piece, std::size_t thread) {
    if (stopped) return;
    BatchRoom& room = rooms[thread];
    room.rows.resize(rowCount(bound));
    for (std::size_t p = piece * kBatchPiece; p < std::min((piece + 1) * kBatchPiece, poses); ++p) {
      const bool stretches = packInto(bound, matrices + 16 * joints * p, {}, room.rows);
      bound.skin->skinInOrder(room.rows, stretches, room.skin, target.of(p, vertices));
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
                      sinew_stream positions, sinew_stream normals, sinew_stream tangents) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    sinew::requirePointer(rows, "rows");
    binding->skin->skinInOrder(sinew::rowsAt(*binding, rows), stretches != 0, binding->room,
                               sinew::makeTarget(*binding, positions, normals, tangents));
  });
}

sinew_code sinew_skin_reference(const sinew_binding* binding, const float* rows, int32_t stretches,
                                sinew_stream positions, sinew_stream normals,
                                sinew_stream tangents) {
  return sinew::guarded([&] {
    sinew::requireModel(binding);
    sinew::requirePointer(rows, "rows");
    const sinew::SkinTarget target = sinew::makeTarget(*binding, positions, normals, tangents);
    const auto all = sinew::rowsAt(*binding, rows);
    const sinew::Palette palette{{all.begin(), all.end()}, stretches != 0};
    sinew::SkinnedMesh posed;
    binding->method->skin(binding->vertices(), binding->shown(), palette, posed);
    sinew::scatterVectors(posed.positions, target.positions, target.positionStride);
    if (target.normals != nullptr)
      sinew::scatterVectors(posed.normals, target.normals, target.normalStride);
    if (target.tangents != nullptr)
      sinew::scatterVectors(
          binding->method->skinTangents(binding->vertices(), binding->shown(), palette),
          target.tangents, target.tangentStride);
  });
}

sinew_code sinew_skin_batch(const sinew_binding* binding, const float* matrices, size_t poses,
                            float* positions, float* normals, float* tangents, uint32_t threads,
                            sinew_progress progress, void* user) {
  return sinew::guarded([&] {
    sinew::requireSkin(binding);
    if (poses == 0) return;
    sinew::requirePointer(matrices, "matrices");
    sinew::requirePointer(positions, "positions");
    sinew::requireTangents(*binding, tangents, "tangents");
    sinew::skinBatch(*binding, matrices, poses, {positions, normals, tangents}, threads,
                     sinew::toProgress(progress, user));
  });
}

sinew_code sinew_morph(sinew_binding* binding, const float* weights, uint32_t count) {
  return sinew::guarded([&] {
    sinew::requireModel(binding);
    if (count > 0) sinew::requirePointer(weights, "weights");
    sinew::morphTo(*binding, {weights, count});
  });
}

} // extern "C"
