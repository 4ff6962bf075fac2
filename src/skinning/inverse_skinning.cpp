#include "skinning/inverse_skinning.h"

#include "core/bounds.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

constexpr int kRounds = 8;
constexpr float kStep = 0.01f;    // difference that finds the function, as a fraction of the size
constexpr float kDamping = 1e-3f; // fraction of the mean square of the function's stretches
constexpr float kReached = 1e-4f; // fraction of the size: farther vertices are missed

// The vertices moved by morph targets at weights, all listed as moved.
MorphedVertices movedVertices(const Rig& rig, std::span<const float> weights) {
  MorphedVertices moved;
  if (!weights.empty()) applyMorphs(rig, weights, moved);
  if (moved.positions.empty()) {
    moved.positions = rig.positions;
    moved.normals = rig.normals;
  }
  moved.vertices.resize(rig.positions.size());
  std::iota(moved.vertices.begin(), moved.vertices.end(), 0u);
  return moved;
}

struct Skinner {
  const Method& method;
  const Rig& rig;
  const Binding& binding;
  const Palette& palette;

  std::vector<vec3> places(const MorphedVertices& vertices) const {
    SkinnedMesh out;
    if (method.morph == nullptr) {
      method.skin(BindVertices(rig, vertices), binding, palette, out);
    } else {
      Binding moved = binding;
      method.morph(rig, binding, vertices, moved);
      method.skin(BindVertices(rig, vertices), moved, palette, out);
    }
    return out.positions;
  }
};

} // namespace

InverseSkinning invertSkinning(const Method& method, const Rig& rig, const Binding& binding,
                               const Palette& palette, std::span<const float> weights,
                               std::span<const vec3> places) {
  const std::size_t count = rig.positions.size();
  const float size = std::max(computeBounds(places).size(), 1e-20f);
  const Skinner skinner{method, rig, binding, palette};
  const MorphedVertices base = movedVertices(rig, weights);
  const std::vector<vec3> start = skinner.places(base);

  std::vector<mat3> linear(count);
  for (int axis = 0; axis < 3; ++axis) {
    MorphedVertices moved = base;
    for (vec3& position : moved.positions)
      position[axis] += kStep * size;
    const std::vector<vec3> after = skinner.places(moved);
    for (std::size_t v = 0; v < count; ++v)
      linear[v][axis] = (after[v] - start[v]) / (kStep * size);
  }

  InverseSkinning out;
  out.offsets.assign(count, vec3(0.0f));
  MorphedVertices moved = base;
  std::vector<vec3> now = start;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t v = 0; v < count; ++v) {
      const mat3 transposed = glm::transpose(linear[v]);
      mat3 squares = transposed * linear[v];
      const float damping =
          kDamping * (squares[0][0] + squares[1][1] + squares[2][2]) / 3.0f + 1e-20f;
      for (int axis = 0; axis < 3; ++axis)
        squares[axis][axis] += damping;
      const vec3 step = glm::inverse(squares) * (transposed * (places[v] - now[v]));
      if (!isFinite(step)) continue;
      out.offsets[v] += step;
      moved.positions[v] = base.positions[v] + out.offsets[v];
    }
    now = skinner.places(moved);
  }
  for (std::uint32_t v = 0; v < count; ++v) {
    const float error = glm::distance(places[v], now[v]);
    if (error > kReached * size) ++out.missed;
    if (error <= out.largestError) continue;
    out.largestError = error;
    out.worst = v;
  }
  return out;
}

} // namespace sinew
