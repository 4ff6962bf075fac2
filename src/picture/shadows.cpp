#include "picture/shadows.h"

#include "core/parallel.h"
#include "weights/visibility.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr std::size_t kSmallMesh = 4000; // vertices
constexpr float kCubes = 80.0f;          // cubes along the model's size

// Each vertex of the rig in the rest pose, in model space, as its heaviest joint moves it.
std::vector<vec3> roughRestPositions(const Workbench& workbench) {
  const Rig& rig = workbench.rig;
  std::vector<mat4> modelFromNode;
  modelFromNodes(workbench.model.hierarchy, restPose(workbench.model), modelFromNode);
  std::vector<mat4> modelFromBind;
  for (const RigJoint& joint : rig.joints)
    modelFromBind.push_back(modelFromNode[joint.node] * joint.jointFromBind);
  std::vector<vec3> out = rig.positions;
  for (std::size_t v = 0; v < out.size(); ++v)
    if (const auto influences = rig.influences.of(v); !influences.empty())
      out[v] = transformPoint(modelFromBind[influences.front().joint], out[v]);
  return out;
}

constexpr std::size_t kRays = 24; // per vertex: three packets of eight
constexpr float kReach = 0.125f;  // length of a ray, share of the model's size
constexpr float kLift = 0.002f;   // height of its start above the surface, share of that size

// Directions about +z, distributed by their cosine, as a surface receives light.
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

// Half the value of each vertex, half the mean of its neighbours: fewer rays are enough.
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

ThinnedSurface thinnedSurface(const Workbench& workbench) {
  const Rig& rig = workbench.rig;
  ThinnedSurface out;
  const std::vector<vec3> rest = roughRestPositions(workbench);
  out.size = computeBounds(rest).size();
  if (rig.positions.size() <= kSmallMesh || !(out.size > 0.0f)) {
    out.vertices.resize(rig.positions.size());
    std::iota(out.vertices.begin(), out.vertices.end(), 0u);
    out.triangles = rig.triangles;
    return out;
  }
  using Cube = std::array<int, 3>;
  std::vector<std::pair<Cube, std::uint32_t>> sorted;
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    const vec3 cube = glm::clamp(glm::floor(rest[v] * (kCubes / out.size)), -1e6f, 1e6f);
    sorted.push_back(
        {{static_cast<int>(cube.x), static_cast<int>(cube.y), static_cast<int>(cube.z)}, v});
  }
  std::ranges::sort(sorted);
  std::vector<std::uint32_t> first(rest.size()); // first vertex in the same cube
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool same = i > 0 && sorted[i].first == sorted[i - 1].first;
    first[sorted[i].second] = same ? first[sorted[i - 1].second] : sorted[i].second;
  }
  std::vector<std::uint32_t> index(rest.size(), 0);
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    if (first[v] != v) continue;
    index[v] = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(v);
  }
  for (const auto& [a, b, c] : rig.triangles) {
    const Triangle thinned{index[first[a]], index[first[b]], index[first[c]]};
    if (thinned[0] != thinned[1] && thinned[1] != thinned[2] && thinned[2] != thinned[0])
      out.triangles.push_back(thinned);
  }
  return out;
}

const Overlay& groundShadow(GroundShadow& shadow, const Workbench& workbench,
                            const BoundMethod& bound, float ground) {
  if (!shadow.laid) shadow.surface = thinnedSurface(workbench);
  // Morph targets move vertices, and what a binding holds of them.
  const bool morphs = !workbench.rig.morphs.empty() || bound.standIn;
  if (!shadow.laid || (shadow.stale && morphs))
    shadow.bound = gatherBind(BindVertices(workbench.rig, shownVertices(workbench, bound)),
                              shownBinding(bound), shadow.surface.vertices);
  if (!shadow.laid || shadow.stale)
    bound.method->skin(shadow.bound.vertices(), shadow.bound.binding, bound.palette, shadow.posed);
  if (!shadow.laid || shadow.stale || ground != shadow.ground) {
    castContactShadow(shadow.shadow, shadow.posed.positions, shadow.surface.triangles, ground,
                      shadow.surface.size);
    shadow.overlay.behind = true;
    shadow.overlay.triangles.clear();
    addContactShadow(shadow.overlay, shadow.shadow, ground);
  }
  shadow.laid = true;
  shadow.stale = false;
  shadow.ground = ground;
  return shadow.overlay;
}

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
