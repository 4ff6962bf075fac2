#include "animation/random_model.h"
#include "core/random.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "model/shapes.h"
#include "model/test_support.h"
#include "rig/subdivide.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace sinew;

namespace {

std::vector<std::uint32_t> listTriangles(const Mesh& mesh) {
  std::vector<std::uint32_t> all(mesh.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::vector<std::uint32_t> pickSome(const Mesh& mesh, Random& random) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i)
    if (random.below(4) == 0) some.push_back(i);
  return some;
}

// Counts on the welded surface.
int eulerCharacteristic(const Mesh& mesh) {
  std::set<std::uint32_t> vertices;
  std::set<WeldedEdge> edges;
  for (const Triangle& t : weld(mesh.positions, mesh.triangles))
    for (std::size_t i = 0; i < 3; ++i) {
      vertices.insert(t[i]);
      edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
    }
  return static_cast<int>(vertices.size() + mesh.triangles.size()) - static_cast<int>(edges.size());
}

double computeArea(const Mesh& mesh) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const glm::dvec3 p(mesh.positions[a]), q(mesh.positions[b]), r(mesh.positions[c]);
    area += 0.5 * glm::length(glm::cross(q - p, r - p));
  }
  return area;
}

// A flat grid of 8 x 8 cells of size 1: positions that floats hold exactly, also when halved.
Mesh grid() {
  Mesh mesh;
  constexpr std::uint32_t kCells = 8;
  for (std::uint32_t y = 0; y <= kCells; ++y)
    for (std::uint32_t x = 0; x <= kCells; ++x) {
      mesh.positions.emplace_back(x, y, 0);
      mesh.normals.emplace_back(0, 0, 1);
      mesh.texcoords.emplace_back(static_cast<float>(x) / kCells, static_cast<float>(y) / kCells);
    }
  for (std::uint32_t y = 0; y < kCells; ++y)
    for (std::uint32_t x = 0; x < kCells; ++x) {
      const std::uint32_t a = y * (kCells + 1) + x, b = a + 1, c = b + kCells + 1, d = c - 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

// A closed cylinder along X of radius and length 1, whose vertices are doubled along a seam, the
// two sides skinned to two joints.
Mesh seamedCylinder() {
  constexpr std::uint32_t kSegments = 12, kRings = 6;
  Mesh mesh;
  const auto add = [&](const vec3& p, const vec2& texcoord, float along) {
    mesh.positions.push_back(p);
    mesh.texcoords.push_back(texcoord);
    std::vector<Influence> influences;
    if (along < 1.0f) influences.push_back({0, 1.0f - along});
    if (along > 0.0f) influences.push_back({1, along});
    if (along > 0.5f) std::ranges::reverse(influences);
    mesh.influences.append(influences);
  };
  for (std::uint32_t r = 0; r <= kRings; ++r)
    for (std::uint32_t k = 0; k <= kSegments; ++k) {
      const float along = static_cast<float>(r) / kRings;
      const float angle = glm::two_pi<float>() * static_cast<float>(k % kSegments) / kSegments;
      add({along, std::cos(angle), std::sin(angle)}, {static_cast<float>(k) / kSegments, along},
          along);
    }
  for (std::uint32_t r = 0; r < kRings; ++r)
    for (std::uint32_t k = 0; k < kSegments; ++k) {
      const std::uint32_t a = r * (kSegments + 1) + k, b = a + 1, d = a + kSegments + 1;
      mesh.triangles.push_back({a, b, d + 1});
      mesh.triangles.push_back({a, d + 1, d});
    }
  const auto start = static_cast<std::uint32_t>(mesh.positions.size());
  add({0, 0, 0}, {0.5f, 0}, 0.0f);
  add({1, 0, 0}, {0.5f, 1}, 1.0f);
  for (std::uint32_t k = 0; k < kSegments; ++k) {
    const std::uint32_t last = kRings * (kSegments + 1) + k;
    mesh.triangles.push_back({start, k + 1, k});
    mesh.triangles.push_back({start + 1, last, last + 1});
  }
  mesh.normals = computeNormals(mesh.positions, mesh.triangles);
  mesh.skin = 0;
  return mesh;
}

void checkInfluences(const Mesh& mesh) {
  REQUIRE(mesh.influences.vertexCount() == mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    float sum = 0.0f, last = 1.0f;
    for (const Influence& influence : mesh.influences.of(v)) {
      CHECK(influence.weight > 0.0f);
      CHECK(influence.weight <= last + 1e-6f);
      last = influence.weight;
      sum += influence.weight;
    }
    CHECK(std::abs(sum - 1.0f) < 1e-5f);
  }
}

// The distance of p from a triangle's plane where the foot is inside, else infinite.
float planeDistance(const vec3& p, const vec3& a, const vec3& b, const vec3& c) {
  const vec3 normal = glm::cross(b - a, c - a);
  const float area2 = glm::dot(normal, normal);
  if (area2 <= 0.0f) return INFINITY;
  const float u = glm::dot(glm::cross(c - b, p - b), normal) / area2;
  const float v = glm::dot(glm::cross(a - c, p - c), normal) / area2;
  if (u < -1e-3f || v < -1e-3f || u + v > 1.0f + 1e-3f) return INFINITY;
  return std::abs(glm::dot(p - a, normal)) / std::sqrt(area2);
}

void checkOnOldSurface(const Mesh& fine, const Mesh& old) {
  const float size = computeBounds(old.positions).size();
  for (std::size_t v = old.positions.size(); v < fine.positions.size(); ++v) {
    float nearest = INFINITY;
    for (const auto& [a, b, c] : old.triangles)
      nearest = std::min(nearest, planeDistance(fine.positions[v], old.positions[a],
                                                old.positions[b], old.positions[c]));
    CHECK(nearest < 1e-6f * size);
  }
}

void checkClosed(const Mesh& fine, const Mesh& old) {
  CHECK(isClosedManifold(weld(fine.positions, fine.triangles)));
  CHECK(eulerCharacteristic(fine) == eulerCharacteristic(old));
  CHECK(countTVertices(fine.positions, fine.triangles) == 0);
  CHECK(computeArea(fine) == doctest::Approx(computeArea(old)).epsilon(1e-6));
  CHECK(computeVolume(fine.positions, fine.triangles) ==
        doctest::Approx(computeVolume(old.positions, old.triangles)).epsilon(1e-5));
  CHECK(fine.normals.size() == fine.positions.size());
  CHECK(fine.texcoords.size() == (old.texcoords.empty() ? 0 : fine.positions.size()));
}

} // namespace

TEST_CASE("subdivision of one triangle: 1:3 and 1:4") {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  mesh.normals.assign(3, vec3(0, 0, 1));
  mesh.colors = {vec4(1, 0, 0, 1), vec4(0, 1, 0, 1), vec4(0, 0, 1, 1)};
  mesh.triangles = {{0, 1, 2}};

  const Mesh three = subdivide(mesh, listTriangles(mesh), Subdivision::centroid);
  CHECK(three.triangles.size() == 3);
  CHECK(three.positions.size() == 4);
  CHECK(glm::length(three.positions[3] - vec3(4.0f / 3.0f, 4.0f / 3.0f, 0)) < 1e-6f);
  CHECK(glm::length(three.colors[3] - vec4(1 / 3.0f, 1 / 3.0f, 1 / 3.0f, 1)) < 1e-6f);
  for (const auto& [a, b, c] : three.triangles) // the winding is kept, the area shared out evenly
    CHECK(
        glm::cross(three.positions[b] - three.positions[a], three.positions[c] - three.positions[a])
            .z == doctest::Approx(16.0f / 3.0f));

  const Mesh four = subdivide(mesh, listTriangles(mesh), Subdivision::midpoints);
  CHECK(four.triangles.size() == 4);
  CHECK(four.positions ==
        std::vector<vec3>{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}});
  for (const auto& [a, b, c] : four.triangles)
    CHECK(glm::cross(four.positions[b] - four.positions[a], four.positions[c] - four.positions[a])
              .z == 4.0f);
  // Listing it twice splits it once.
  CHECK(subdivide(mesh, std::vector{0u, 0u}, Subdivision::centroid).triangles.size() == 3);
}

TEST_CASE("whole closed meshes: face and vertex counts, closedness and volume") {
  const Mesh ball = toMesh(ellipsoid(vec3(0), vec3(1, 0.7f, 0.5f), 16, 10), "ball");
  const std::size_t faces = ball.triangles.size();
  const Mesh three = subdivide(ball, listTriangles(ball), Subdivision::centroid);
  CHECK(three.triangles.size() == 3 * faces);
  CHECK(three.positions.size() == ball.positions.size() + faces);
  checkClosed(three, ball);
  const Mesh four = subdivide(ball, listTriangles(ball), Subdivision::midpoints);
  CHECK(four.triangles.size() == 4 * faces);
  CHECK(four.positions.size() == ball.positions.size() + faces * 3 / 2); // one to an edge
  checkClosed(four, ball);
  checkOnOldSurface(four, ball);
}

TEST_CASE("a flat mesh keeps its area exactly") {
  const Mesh flat = grid();
  Random random(11);
  for (int i = 0; i < 10; ++i) {
    const Mesh fine = subdivide(flat, pickSome(flat, random), Subdivision::midpoints);
    CHECK(computeArea(fine) == 64.0); // to the bit: every coordinate is a half
    CHECK(eulerCharacteristic(fine) == 1);
    CHECK(countTVertices(fine.positions, fine.triangles) == 0);
  }
}

TEST_CASE("T-vertices are found") {
  Mesh mesh = grid(); // then one triangle split without regard to its neighbours
  Mesh one = mesh;
  one.triangles = {mesh.triangles[40]};
  const Mesh split = subdivide(one, std::vector{0u}, Subdivision::midpoints);
  mesh.positions = split.positions;
  mesh.triangles.erase(mesh.triangles.begin() + 40);
  mesh.triangles.insert(mesh.triangles.end(), split.triangles.begin(), split.triangles.end());
  CHECK(countTVertices(mesh.positions, mesh.triangles) == 3);
}

TEST_CASE("any triangles of a cylinder with a seam: no crack, no T-vertex") {
  const Mesh cylinder = seamedCylinder();
  REQUIRE(isClosedManifold(weld(cylinder.positions, cylinder.triangles)));
  REQUIRE(computeVolume(cylinder.positions, cylinder.triangles) > 2.9);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    for (const Subdivision kind : {Subdivision::centroid, Subdivision::midpoints}) {
      const Mesh fine = subdivide(cylinder, pickSome(cylinder, random), kind);
      checkClosed(fine, cylinder);
      checkInfluences(fine);
      checkOnOldSurface(fine, cylinder);
      // Doubled vertices have the same weights to the bit, or they would part when posed.
      const std::vector<std::uint32_t> welded = weldVertices(fine.positions);
      for (std::uint32_t v = 0; v < welded.size(); ++v) {
        const auto mine = fine.influences.of(v), first = fine.influences.of(welded[v]);
        CHECK(std::ranges::equal(mine, first, [](const Influence& a, const Influence& b) {
          return a.joint == b.joint && a.weight == b.weight;
        }));
      }
    }
  }
}

TEST_CASE("the elbow of the demo arm: its triangles and no others") {
  const Model arm = findDemo("arm").make();
  const Rig rig = buildRig(arm);
  const std::uint32_t elbow = jointNamed(arm, "LowerArm");
  const std::vector<std::uint32_t> chosen = trianglesOfJoint(rig, elbow);
  REQUIRE(!chosen.empty());
  CHECK(chosen.size() < rig.triangles.size() / 2);
  for (const std::uint32_t triangle : chosen)
    for (const std::uint32_t v : rig.triangles[triangle]) {
      CHECK(rig.positions[v].x > 0.2f); // elbow at 0.30, wrist at 0.56
      CHECK(rig.positions[v].x < 0.56f);
    }
  const Mesh& old = arm.meshes[0];
  for (const Subdivision kind : {Subdivision::centroid, Subdivision::midpoints}) {
    const Mesh fine = subdivideJoints(arm, std::vector{elbow}, kind).meshes[0];
    if (kind == Subdivision::centroid)
      CHECK(fine.triangles.size() == old.triangles.size() + 2 * chosen.size());
    else // and the neighbours
      CHECK(fine.triangles.size() > old.triangles.size() + 3 * chosen.size());
    checkClosed(fine, old);
    checkInfluences(fine);
    checkOnOldSurface(fine, old);
  }
}

TEST_CASE("meshes that meet are split on both sides") {
  Model model = findDemo("arm").make();
  Mesh& first = model.meshes[0];
  Mesh second = first; // takes what is in front of the elbow's middle
  const auto inFront = [&](const Triangle& t) { return second.positions[t[0]].x > 0.31f; };
  std::erase_if(first.triangles, inFront);
  std::erase_if(second.triangles, [&](const Triangle& t) { return !inFront(t); });
  model.meshes.push_back(second);
  const std::uint32_t elbow = jointNamed(model, "LowerArm");
  const Rig fine = buildRig(subdivideJoints(model, std::vector{elbow}, Subdivision::midpoints));
  CHECK(fine.triangles.size() > model.meshes[0].triangles.size() + second.triangles.size());
  CHECK(isClosedManifold(weld(fine.positions, fine.triangles)));
  CHECK(countTVertices(fine.positions, fine.triangles) == 0);
}

TEST_CASE("subdivision of random models keeps them well formed") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    const Rig rig = buildRig(model);
    std::vector<std::uint32_t> joints(rig.joints.size());
    std::iota(joints.begin(), joints.end(), 0u);
    for (const Subdivision kind : {Subdivision::centroid, Subdivision::midpoints}) {
      const Model fine = subdivideJoints(model, joints, kind);
      CHECK(triangleCount(fine) >= triangleCount(model));
      for (const Mesh& mesh : fine.meshes) {
        if (mesh.skin) checkInfluences(mesh);
        for (const vec3& normal : mesh.normals)
          CHECK(std::abs(glm::length(normal) - 1.0f) < 1e-5f);
      }
    }
  }
}
