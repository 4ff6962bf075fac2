// How far the GPU's skin() is from the CPU reference, for the parity tests.
#pragma once

#include "render/capture_skinned.h"
#include "render/compute_skin.h"
#include "skinning/method.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace sinew::test {

struct ParityError {
  float position = 0.0f; // largest, as a fraction of the model's size
  float rounding = 0.0f; // what a change in the palette's last digit makes of `position`, if asked
  float normal = 0.0f;   // largest length of the difference of two normals
  std::size_t vertices = 0;
  std::size_t normalsBeyond = 0; // that differ by more than 1e-5
  std::size_t folded = 0;        // vertices whose normals are mostly rounding, not in `normal`
  std::size_t ambiguous = 0;     // vertices whose positions are, not in `position`
};

// Where a method's normals and positions are mostly rounding; empty: nowhere.
struct UnstableVertices {
  std::vector<bool> normals;
  std::vector<bool> positions;
};

inline UnstableVertices unstableVertices(const Method& method, const BindVertices& vertices,
                                         const Binding& binding, const Palette& palette) {
  UnstableVertices out;
  if (method.unstableNormals != nullptr)
    out.normals = method.unstableNormals(vertices, binding, palette);
  if (method.unstablePositions != nullptr)
    out.positions = method.unstablePositions(vertices, binding, palette);
  return out;
}

// The model's size is that of the drawn mesh or of the bind pose, whichever is larger: a pose with
// zero scale has no size.
inline ParityError parityError(const Rig& rig, const SkinnedMesh& cpu, const SkinnedMesh& gpu,
                               const UnstableVertices& unstable = {}) {
  const float size =
      std::max(computeBounds(cpu.positions).size(), computeBounds(rig.positions).size());
  ParityError error;
  error.vertices = cpu.positions.size();
  const auto in = [](const std::vector<bool>& those, std::size_t v) {
    return !those.empty() && those[v];
  };
  for (std::size_t v = 0; v < cpu.positions.size(); ++v) {
    const float position = glm::length(cpu.positions[v] - gpu.positions[v]) / size;
    const float normal = glm::length(cpu.normals[v] - gpu.normals[v]);
    // std::max would drop what is not a number.
    const bool placed = !in(unstable.positions, v) || !std::isfinite(position);
    error.ambiguous += placed ? 0 : 1;
    error.position = position <= error.position || !placed ? error.position : position;
    const bool counted = in(unstable.normals, v) && std::isfinite(normal);
    error.folded += counted ? 1 : 0;
    error.normal = normal <= error.normal || counted ? error.normal : normal;
    if (!std::isfinite(position) || !std::isfinite(normal)) return error;
    if (normal > 1e-5f) ++error.normalsBeyond;
  }
  return error;
}

// The mesh by a compute shader, which it is made for.
inline SkinnedMesh captureComputed(Programs& programs, const Rig& rig, const GpuMesh& source) {
  GpuMesh drawn = makeDrawnMesh(source, rig);
  skinByCompute(programs, source, drawn);
  return captureSkinned(programs, drawn);
}

// A rig posed by a method, on both.
inline ParityError parity(Programs& programs, const Rig& rig, const Method& method,
                          const BindOptions& options, const std::vector<mat4>& modelFromNode,
                          PaletteStorage storage = PaletteStorage::texture, bool compute = false) {
  const Binding binding = method.bind(rig, options);
  Palette palette;
  packPalette(method, rig, binding, modelFromNode, palette);
  SkinnedMesh cpu;
  method.skin(rig, binding, palette, cpu);
  const auto materials =
      std::make_shared<const GpuMaterials>(GpuMaterials{std::vector<Material>(1), {}});
  GpuMesh mesh(materials, rig, method, binding, {.storage = storage, .compute = compute});
  mesh.setPalette(palette);
  return parityError(
      rig, cpu, compute ? captureComputed(programs, rig, mesh) : captureSkinned(programs, mesh),
      unstableVertices(method, rig, binding, palette));
}

} // namespace sinew::test
