#include "picture/surface_hiding.h"

#include "core/parallel.h"
#include "picture/ground_shadow.h"
#include "weights/visibility.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sinew {
namespace {

constexpr std::size_t kRays = 24; // of a vertex: three packets of eight
constexpr float kReach = 0.125f;  // share of the model's size
constexpr float kLift = 0.002f;   // of the points where rays begin, over the surface

// Directions about +z, as many as a surface receives light from: by their cosine.
std::array<vec3, kRays> cosineDirections() {
  std::array<vec3, kRays> out;
  for (std::size_t i = 0; i < kRays; ++i) {
    const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(kRays);
    const float angle = 2.0f * std::numbers::pi_v<float> * 0.618034f * static_cast<float>(i);
    const float radius = std::sqrt(share);
    out[i] = {radius * std::cos(angle), radius * std::sin(angle), std::sqrt(1.0f - share)};
  }
  return out;
}

float hiddenAt(const SurfaceRays& rays, const vec3& point, const vec3& normal, float size,
               float rotation) {
  static const std::array<vec3, kRays> directions = cosineDirections();
  const vec3 other = std::abs(normal.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0);
  const vec3 a = glm::normalize(glm::cross(normal, other));
  const vec3 b = glm::cross(normal, a);
  const vec3 u = std::cos(rotation) * a + std::sin(rotation) * b;
  const vec3 v = glm::cross(normal, u);
  const vec3 from = point + kLift * size * normal;
  int blocked = 0;
  for (std::size_t first = 0; first < kRays; first += 8) {
    std::array<vec3, 8> to;
    for (std::size_t i = 0; i < 8; ++i) {
      const vec3& d = directions[first + i];
      to[i] = from + kReach * size * (d.x * u + d.y * v + d.z * normal);
    }
    for (const bool hit : rays.blocked(from, to))
      blocked += hit ? 1 : 0;
  }
  return static_cast<float>(blocked) / static_cast<float>(kRays);
}

// The mean of each vertex and its neighbours, half each: fewer rays do.
void smooth(const WeightSurface& surface, std::vector<float>& values) {
  std::vector<float> sums(values.size(), 0.0f);
  std::vector<float> counts(values.size(), 0.0f);
  for (const Triangle& triangle : surface.triangles)
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (const std::size_t next : {1u, 2u}) {
        sums[triangle[corner]] += values[triangle[(corner + next) % 3]];
        counts[triangle[corner]] += 1.0f;
      }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i] > 0.0f) values[i] = 0.5f * (values[i] + sums[i] / counts[i]);
}

} // namespace

std::vector<float> hiddenShares(const Workbench& workbench) {
  const std::size_t vertices = workbench.rig.positions.size();
  if (workbench.rig.triangles.empty() || vertices > kMaxHiddenVertices) return {};
  const WeightSurface surface =
      makeWeightSurface(roughRestPositions(workbench), workbench.rig.triangles);
  if (surface.triangles.empty()) return {};
  const SurfaceRays rays(surface);
  std::vector<float> hidden(surface.positions.size(), 0.0f);
  constexpr std::size_t kBlock = 256;
  forEachInParallel((hidden.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t end = std::min(hidden.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i) {
      if (surface.normals[i] == vec3(0.0f)) continue;
      const auto rotation = static_cast<float>(i % 16) * 0.39f;
      hidden[i] = hiddenAt(rays, surface.positions[i], surface.normals[i], surface.size, rotation);
    }
  });
  smooth(surface, hidden);
  std::vector<float> out(vertices);
  for (std::size_t v = 0; v < vertices; ++v)
    out[v] = hidden[surface.weldedOfVertex[v]];
  return out;
}

} // namespace sinew
