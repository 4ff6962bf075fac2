// SurfaceRays without Embree.
#include "weights/triangle_tree.h"
#include "weights/visibility.h"

#include <glm/geometric.hpp>

#include <numeric>
#include <vector>

namespace sinew {
namespace {

constexpr float kSkin = 1e-5f; // share of the surface's size, as in weights/visibility.cpp

std::vector<Triangle> chosen(const WeightSurface& surface,
                             std::span<const std::uint32_t> triangles) {
  std::vector<Triangle> out;
  for (const std::uint32_t t : triangles)
    out.push_back(surface.triangles[t]);
  return out;
}

} // namespace

struct SurfaceRays::Scene {
  TriangleTree tree;
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> surfaceTriangle; // index in the surface, per triangle
  float skin = 0.0f;
};

SurfaceRays::SurfaceRays(const WeightSurface& surface)
    : SurfaceRays(surface, [&] {
        std::vector<std::uint32_t> all(surface.triangles.size());
        std::iota(all.begin(), all.end(), 0u);
        return all;
      }()) {}

SurfaceRays::SurfaceRays(const WeightSurface& surface, std::span<const std::uint32_t> triangles)
    : scene_(new Scene{TriangleTree(surface.positions, chosen(surface, triangles)),
                       surface.positions,
                       chosen(surface, triangles),
                       {triangles.begin(), triangles.end()},
                       kSkin * surface.size}) {}

SurfaceRays::~SurfaceRays() = default;
SurfaceRays::SurfaceRays(SurfaceRays&&) noexcept = default;
SurfaceRays& SurfaceRays::operator=(SurfaceRays&&) noexcept = default;

bool SurfaceRays::blocked(const vec3& from, const vec3& to) const {
  const vec3 offset = to - from;
  const float length = glm::length(offset);
  if (!(length > 2.0f * scene_->skin)) return false;
  const float share = scene_->skin / length;
  return scene_->tree.meets(from, offset, share, 1.0f - share);
}

std::array<bool, 8> SurfaceRays::blocked(const vec3& from, const std::array<vec3, 8>& to) const {
  std::array<bool, 8> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = blocked(from, to[i]);
  return out;
}

ClosestPoint SurfaceRays::nearest(const vec3& point) const {
  const TreePoint found = scene_->tree.nearest(point);
  const Triangle& t = scene_->triangles[found.triangle];
  return {scene_->surfaceTriangle[found.triangle], found.corners,
          found.corners.x * scene_->positions[t[0]] + found.corners.y * scene_->positions[t[1]] +
              found.corners.z * scene_->positions[t[2]]};
}

} // namespace sinew
