// Coloured lines and triangles in world space, made on the CPU each frame: skeleton, grid, axes.
#pragma once

#include "core/bounds.h"
#include "model/model.h"

#include <glm/gtc/type_precision.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

struct OverlayVertex {
  vec3 position{0.0f};
  glm::u8vec4 color{255}; // sRGB, straight alpha
};

struct Overlay {
  std::vector<OverlayVertex> lines;     // two to a line
  std::vector<OverlayVertex> triangles; // three to a triangle
  bool onTop = false;                   // over everything drawn before
  bool behind = false;                  // under all drawn later, over all drawn before; no depth
};

void addLine(Overlay& overlay, const vec3& a, const vec3& b, const glm::u8vec4& color);
void addTriangle(Overlay& overlay, const vec3& a, const vec3& b, const vec3& c,
                 const glm::u8vec4& color);

// Lines on the plane y = height around the scene, spaced by a round number (1, 2 or 5 times a power
// of ten) of its units.
void addGrid(Overlay& overlay, const Bounds& scene, float height);
Bounds gridBounds(const Bounds& scene, float height);

// Red, green and blue lines along the axes of a space.
void addAxes(Overlay& overlay, const mat4& worldFromLocal, float length);

struct SkeletonStyle {
  std::optional<std::uint32_t> selectedNode; // highlighted
  float size = 1.0f;                         // the model's (Bounds::size()); bones are sized by it
  bool axes = false;                         // axes of every joint
  std::span<const std::uint8_t> hidden = {}; // by node, 1: left out; empty: none is
};

// An octahedron from each joint node (jointNodes) to those that follow it, and a small one at each
// joint that has none. Sets nothing else: choose onTop to see it through the mesh.
void addSkeleton(Overlay& overlay, const Model& model, std::span<const mat4> modelFromNode,
                 const SkeletonStyle& style);

} // namespace sinew
