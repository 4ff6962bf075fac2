#include "weights/paint_surface.h"
#include "weights/paint_test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

PaintSurface makeTestSurface(const Mesh& mesh) {
  return makePaintSurface(mesh.positions, mesh.triangles,
                          std::vector<std::uint32_t>(mesh.positions.size(), 0));
}

// Two strips of a folded sheet, a gap of 0.1 apart, joined at x = 1: an arm beside a chest.
Mesh foldedSheet() {
  Mesh mesh;
  const auto row = [&](float x, float z) {
    for (int y = 0; y <= 20; ++y)
      mesh.positions.emplace_back(x, 0.05f * static_cast<float>(y), z);
  };
  for (int i = 0; i <= 20; ++i)
    row(0.05f * static_cast<float>(i), 0.0f);
  for (int i = 20; i >= 0; --i)
    row(0.05f * static_cast<float>(i), 0.1f);
  for (std::uint32_t r = 0; r < 41; ++r)
    for (std::uint32_t c = 0; c < 20; ++c) {
      const std::uint32_t a = r * 21 + c;
      mesh.triangles.push_back({a, a + 1, a + 21});
      mesh.triangles.push_back({a + 1, a + 22, a + 21});
    }
  return mesh;
}

} // namespace

TEST_CASE("paint surface: distances on a flat sheet are straight, whatever its triangles") {
  const PaintSheet sheet;
  const PaintSurface surface = makeTestSurface(sheet.model.meshes[0]);
  CHECK(surface.positions.size() == sheet.rig.positions.size() - 17);
  const SurfacePoint center = *nearestSurfacePoint(surface, {0.31f, 0.2f, 0.44f}, 1.0f);
  CHECK(glm::length(center.position - vec3(0.31f, 0, 0.44f)) < 1e-6f);
  const auto along = verticesWithin(surface, center, 0.6f, true);
  const auto straight = verticesWithin(surface, center, 0.6f, false);
  REQUIRE(along.size() == straight.size());
  for (std::size_t i = 0; i < along.size(); ++i) {
    CHECK(along[i].welded == straight[i].welded);
    CHECK(along[i].distance ==
          doctest::Approx(static_cast<double>(straight[i].distance)).epsilon(0.01));
  }
}

TEST_CASE("paint surface: a brush along the surface does not jump a gap") {
  const Mesh mesh = foldedSheet();
  const PaintSurface surface = makeTestSurface(mesh);
  const SurfacePoint center = *nearestSurfacePoint(surface, {0.5f, 0.5f, 0.0f}, 0.01f);
  const auto beyond = [&](bool along, float radius) {
    const auto reached = verticesWithin(surface, center, radius, along);
    return std::ranges::count_if(
        reached, [&](const Reached& r) { return surface.positions[r.welded].z > 0.05f; });
  };
  CHECK(beyond(false, 0.3f) > 20);
  CHECK(beyond(true, 0.3f) == 0);
  CHECK(beyond(true, 0.59f) == 0);
  CHECK(beyond(true, 0.72f) > 0); // round the fold: 0.5 + 0.1 + ...
}

TEST_CASE("paint surface: groups do not touch, and vertices of none are not there") {
  const PaintSheet sheet;
  const Mesh& mesh = sheet.model.meshes[0];
  std::vector<std::uint32_t> group(mesh.positions.size(), 0);
  for (std::size_t v = 0; v < group.size(); ++v) // the seam's second row begins another group
    if (v >= std::size_t{5} * 17) group[v] = 1;
  const PaintSurface apart = makePaintSurface(mesh.positions, mesh.triangles, group);
  CHECK(apart.positions.size() == mesh.positions.size());
  const auto reached =
      verticesWithin(apart, *nearestSurfacePoint(apart, {0, 0, 0.4f}, 1.0f), 0.5f, true);
  CHECK(std::ranges::all_of(reached,
                            [&](const Reached& r) { return apart.groupOfWelded[r.welded] == 0; }));
  for (std::uint32_t& g : group)
    if (g == 1) g = kNoEntry;
  const PaintSurface half = makePaintSurface(mesh.positions, mesh.triangles, group);
  CHECK(half.positions.size() == 5 * 17);
  CHECK(half.weldedOfVertex.back() == kNoEntry);
  CHECK(!surfacePoint(half, mesh.triangles.back(), vec3(1.0f / 3)));
  CHECK(surfacePoint(half, mesh.triangles.front(), vec3(1.0f / 3)));
}

TEST_CASE("paint surface: nothing is near an empty surface") {
  CHECK(!nearestSurfacePoint(makePaintSurface({}, {}, {}), vec3(0), 1.0f));
  const PaintSheet sheet;
  CHECK(!nearestSurfacePoint(makeTestSurface(sheet.model.meshes[0]), {0, 5, 0}, 1.0f));
}
