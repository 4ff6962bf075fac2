#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "model/shapes.h"
#include "weights/voxel_proxy.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace sinew;

namespace {

WeightSurface makeMeshSurface(const Mesh& mesh) {
  return makeWeightSurface(mesh.positions, mesh.triangles);
}

Mesh ball(const vec3& radii) {
  return toMesh(ellipsoid(vec3(0), radii, 48, 33), "ball");
}

// A few ellipsoids that may cross each other, with triangles missing and others flipped.
Mesh damagedBalls(Random& random) {
  Mesh mesh;
  for (std::uint32_t i = 1 + random.below(4); i > 0; --i) {
    const vec3 radii(random.uniform(0.3f, 1), random.uniform(0.3f, 1), random.uniform(0.3f, 1));
    const Mesh part = toMesh(ellipsoid(0.8f * random.uniform() * randomDirection(random), radii,
                                       8 + random.below(24), 6 + random.below(18)),
                             "");
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
    for (Triangle t : part.triangles) {
      if (random.below(20) == 0) continue;
      if (random.below(2) == 0) std::swap(t[1], t[2]);
      mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  return mesh;
}

std::size_t filled(const VoxelSolid& solid) {
  return static_cast<std::size_t>(std::count(solid.solid.begin(), solid.solid.end(), 1));
}

// Voxels of a kind that are connected to `start`, through faces.
std::size_t connected(const VoxelSolid& solid, std::size_t start) {
  const std::array<std::size_t, 3> step{1, solid.counts[0], solid.counts[0] * solid.counts[1]};
  std::vector<bool> seen(solid.solid.size(), false);
  std::vector<std::size_t> open{start};
  seen[start] = true;
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const std::size_t s : step)
      for (const bool forward : {true, false}) {
        if (forward ? open[i] + s >= solid.solid.size() : open[i] < s) continue;
        const std::size_t next = forward ? open[i] + s : open[i] - s;
        if (seen[next] || solid.solid[next] != solid.solid[start]) continue;
        seen[next] = true;
        open.push_back(next);
      }
  return open.size();
}

double solidVolume(const VoxelProxy& proxy) {
  double volume = 0.0;
  for (const auto& [a, b, c] : proxy.triangles)
    volume += glm::dot(glm::dvec3(proxy.positions[a]),
                       glm::cross(glm::dvec3(proxy.positions[b]), glm::dvec3(proxy.positions[c])));
  return volume / 6.0;
}

} // namespace

TEST_CASE(
    "voxel solid: the edge length gives about the number of faces, and never too many voxels") {
  const WeightSurface surface = makeMeshSurface(ball({1, 1, 1}));
  const float cell = voxelSize(surface, 10'000, 8'000'000);
  CHECK(12.566 / static_cast<double>(cell * cell) == doctest::Approx(10'000).epsilon(0.01));
  const VoxelSolid few = voxelSolid(surface, voxelSize(surface, 1'000'000, 20'000));
  CHECK(few.solid.size() <= 20'000);
}

TEST_CASE("voxel solid: whatever the mesh, what is outside is in one piece and nothing leaks") {
  for (int seed = 1; seed <= test::rounds(30, 6); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    Mesh mesh = damagedBalls(random);
    const WeightSurface surface = makeMeshSurface(mesh);
    const VoxelSolid solid = voxelSolid(surface, voxelSize(surface, 3000, 200'000));
    CHECK(solid.solid[0] == 0);
    CHECK(connected(solid, 0) + filled(solid) == solid.solid.size());
    // Every point of the surface is in or beside a solid voxel.
    for (int i = 0; i < 50; ++i) {
      const Triangle& t =
          surface.triangles[random.below(static_cast<std::uint32_t>(surface.triangles.size()))];
      const vec3 at =
          (surface.positions[t[0]] + surface.positions[t[1]] + surface.positions[t[2]]) / 3.0f;
      const vec3 local = (at - solid.origin) / solid.cell;
      bool near = false;
      for (int corner = 0; corner < 8; ++corner)
        near = near ||
               solid.solid[solid.index(
                   static_cast<std::size_t>(local.x) + static_cast<std::size_t>(corner % 2),
                   static_cast<std::size_t>(local.y) + static_cast<std::size_t>(corner / 2 % 2),
                   static_cast<std::size_t>(local.z) + static_cast<std::size_t>(corner / 4))] == 1;
      CHECK(near);
    }
    // Windings do not matter.
    for (Triangle& t : mesh.triangles)
      if (random.below(2) == 0) std::swap(t[1], t[2]);
    const WeightSurface flipped = makeMeshSurface(mesh);
    CHECK(voxelSolid(flipped, solid.cell).solid == solid.solid);
  }
}

TEST_CASE("voxel solid: an inner component is filled, and a hole is closed") {
  Mesh mesh = ball({1, 1, 1});
  const std::size_t whole = filled(voxelSolid(makeMeshSurface(mesh), 0.05f));
  CHECK(static_cast<double>(whole) * 0.05 * 0.05 * 0.05 ==
        doctest::Approx(4.18879 * 1.025 * 1.025 * 1.025).epsilon(0.01)); // half a voxel outside
  const Mesh inner = ball({0.6f, 0.6f, 0.6f});
  for (const auto& [a, b, c] : inner.triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
  mesh.positions.insert(mesh.positions.end(), inner.positions.begin(), inner.positions.end());
  CHECK(filled(voxelSolid(makeMeshSurface(mesh), 0.05f)) == whole);
  // A hole of half the radius, through both.
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const vec3& p = mesh.positions[t[0]];
    return p.z > 0.0f && glm::length(vec2(p)) < 0.5f * glm::length(p);
  });
  const double holed = static_cast<double>(filled(voxelSolid(makeMeshSurface(mesh), 0.05f)));
  CHECK(holed / static_cast<double>(whole) > 0.93);
  CHECK(holed / static_cast<double>(whole) <= 1.0);
}

TEST_CASE("voxel solid: a hole through a thin part is closed where a bone passes it") {
  Mesh mesh = ball({1.0f, 0.7f, 0.15f});
  const auto openAt = [](const VoxelSolid& solid) {
    const vec3 at = glm::round(-solid.origin / solid.cell);
    return solid.solid[solid.index(static_cast<std::size_t>(at.x), static_cast<std::size_t>(at.y),
                                   static_cast<std::size_t>(at.z))] == 0;
  };
  const std::size_t whole = filled(voxelSolid(makeMeshSurface(mesh), 0.03f));
  // Also through one side, so that lines along two axes leave it.
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const vec3& p = mesh.positions[t[0]];
    return glm::length(vec2(p)) < 0.35f || (p.y > 0.0f && std::abs(p.x) < 0.35f);
  });
  const WeightSurface surface = makeMeshSurface(mesh);
  const BoneSegment through{vec3(-0.8f, 0, 0), vec3(0.8f, 0, 0)};
  const BoneSegment intoIt{vec3(-0.8f, 0, 0), vec3(0)};
  const BoneSegment endless{vec3(-1e9f, 0, 0), vec3(1e9f, 0, 0)};
  const VoxelSolid holed = voxelSolid(surface, 0.03f);
  CHECK(openAt(holed));
  CHECK(voxelSolid(surface, 0.03f, {{intoIt}}).solid == holed.solid);
  const VoxelSolid closed = voxelSolid(surface, 0.03f, {{through}});
  CHECK(!openAt(closed));
  CHECK(connected(closed, 0) + filled(closed) == closed.solid.size());
  CHECK(filled(closed) < whole + whole / 10);
  CHECK(voxelSolid(surface, 0.03f, {{endless}}).solid[0] == 0);
}

TEST_CASE("voxel proxy: a closed surface at the mesh's own place") {
  for (const vec3& radii : {vec3(1), vec3(1.0f, 0.4f, 0.25f)}) {
    const Mesh mesh = ball(radii);
    const WeightSurface surface = makeMeshSurface(mesh);
    const SurfaceRays rays(surface);
    const VoxelProxy proxy = voxelProxy(voxelSolid(surface, 0.04f), rays);
    const WeightSurface closed = makeWeightSurface(proxy.positions, proxy.triangles);
    CHECK(closed.repairs.openEdges == 0);
    CHECK(closed.repairs.nonManifoldEdges == 0);
    CHECK(closed.repairs.components == 1);
    CHECK(solidVolume(proxy) ==
          doctest::Approx(4.18879 * double(radii.x * radii.y * radii.z)).epsilon(0.02));
    for (const vec3& p : proxy.positions)
      CHECK(glm::length(rays.nearest(p).position - p) < 1e-5f);
  }
}
