#include "core/random.h"
#include "import/mesh_finish.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

using namespace sinew;

namespace {

// Two triangles of a square, corners not shared; the last vertex is used by none.
Mesh square() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {9, 9, 9}};
  mesh.normals.assign(7, vec3(0, 0, 1));
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  return mesh;
}

// Few values for each attribute, so that most vertices have duplicates; the numbers include -0 and
// one that is none.
Mesh randomMesh(std::uint64_t seed, std::uint32_t vertices) {
  Random random(seed);
  const auto pickOne = [&](std::initializer_list<float> values) {
    return values.begin()[random.below(static_cast<std::uint32_t>(values.size()))];
  };
  const float none = std::numeric_limits<float>::quiet_NaN();
  Mesh mesh;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    mesh.positions.emplace_back(pickOne({0.0f, -0.0f, 1.0f}), pickOne({0.0f, -0.0f, 2.0f}),
                                pickOne({0.0f, 1.0f, 2.0f, 3.0f, none}));
    mesh.normals.emplace_back(0.0f, pickOne({0.0f, 8e-6f, 1.6e-5f}),
                              1.0f); // near is not transitive
    mesh.texcoords.emplace_back(pickOne({0.0f, 0.5f}), 0.0f);
    mesh.influences.append({{{random.below(2), 1.0f}}});
  }
  for (std::uint32_t t = 0; t < vertices; ++t)
    mesh.triangles.push_back(
        {random.below(vertices), random.below(vertices), random.below(vertices)});
  return mesh;
}

// The new index of every vertex: it is compared with all before it that are left.
std::vector<std::uint32_t> weldedSimply(const Mesh& mesh) {
  std::vector<char> used(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle)
      used[v] = 1;
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return mesh.positions[a] == mesh.positions[b] &&
           glm::length(mesh.normals[a] - mesh.normals[b]) <= 1e-5f &&
           glm::length(mesh.texcoords[a] - mesh.texcoords[b]) <= 1e-5f &&
           mesh.influences.of(a)[0].joint == mesh.influences.of(b)[0].joint;
  };
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), kDroppedVertex);
  std::vector<std::uint32_t> left;
  for (std::uint32_t v = 0; v < newIndex.size(); ++v) {
    if (!used[v]) continue;
    const auto found = std::ranges::find_if(left, [&](std::uint32_t u) { return same(u, v); });
    newIndex[v] = static_cast<std::uint32_t>(found - left.begin());
    if (found == left.end()) left.push_back(v);
  }
  return newIndex;
}

} // namespace

TEST_CASE("welding is that of comparing every vertex with every other") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Mesh mesh = randomMesh(seed, 400);
    const Mesh before = mesh;
    const std::vector<std::uint32_t> expected = weldedSimply(before);
    CHECK(weldVertices(mesh) == expected);
    CHECK(mesh.positions.size() < before.positions.size());
    for (std::size_t v = 0; v < expected.size(); ++v) {
      if (expected[v] == kDroppedVertex || std::isnan(before.positions[v].z)) continue;
      CHECK(mesh.positions.at(expected[v]) == before.positions[v]);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(mesh.triangles[t][k] == expected[before.triangles[t][k]]);
  }
}

TEST_CASE("equal vertices become one, unused ones go") {
  Mesh mesh = square();
  weldVertices(mesh);
  CHECK(mesh.positions.size() == 4);
  CHECK(mesh.triangles[1] == Triangle{1, 3, 2});
}

TEST_CASE("vertices that follow other joints stay apart") {
  Mesh mesh = square();
  for (std::uint32_t v = 0; v < 7; ++v)
    mesh.influences.append({{{v == 3 ? 1u : 0u, 1.0f}}});
  weldVertices(mesh);
  CHECK(mesh.positions.size() == 5);
  REQUIRE(mesh.influences.vertexCount() == 5);
  CHECK(mesh.influences.of(3)[0].joint == 1);
}

TEST_CASE("welding keeps vertices apart that a morph target moves apart, and carries offsets") {
  Mesh mesh = square();
  const std::size_t before = [&] {
    Mesh copy = mesh;
    weldVertices(copy);
    return copy.positions.size();
  }();
  MorphOffsets morph{0, {}, {}, {}};
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    morph.vertices.push_back(v);
    morph.positions.push_back(0.5f * mesh.positions[v] + vec3(0, 0, 1));
  }
  mesh.morphs.push_back(morph);
  const Mesh original = mesh;
  weldVertices(mesh);
  CHECK(mesh.positions.size() == before); // same offsets: joined as without
  for (std::size_t i = 0; i < mesh.morphs[0].vertices.size(); ++i)
    CHECK(mesh.morphs[0].positions[i] ==
          0.5f * mesh.positions[mesh.morphs[0].vertices[i]] + vec3(0, 0, 1));
  CHECK(std::is_sorted(mesh.morphs[0].vertices.begin(), mesh.morphs[0].vertices.end()));
  mesh = original;
  mesh.morphs[0].positions[3] += vec3(0.1f, 0, 0); // at the place of vertex 1
  weldVertices(mesh);
  CHECK(mesh.positions.size() == before + 1);
  makeNormals(mesh, 0.17f);
  CHECK(mesh.morphs[0].vertices.size() == mesh.positions.size());
  CHECK(mesh.morphs[0].normals.empty());
}

TEST_CASE("made normals are smooth on a gentle fold and sharp on a right angle") {
  for (const float height : {0.2f, 1.0f}) {
    Mesh mesh;
    mesh.positions = {{-1, height, 0}, {0, 0, 0}, {0, 0, 1}, {1, height, 0}};
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}};
    makeNormals(mesh, 0.17f);
    weldVertices(mesh);
    CHECK(mesh.positions.size() == (height < 0.5f ? 4 : 6));
    for (const vec3& n : mesh.normals)
      CHECK(glm::length(n) == doctest::Approx(1.0f));
  }
}

TEST_CASE(
    "corners behind their triangle are counted, and bad normals are taken from the triangles") {
  Mesh mesh = square();
  CHECK(fractionBehind(mesh) == 0.0);
  mesh.normals.assign(7, vec3(0, 0, -1));
  CHECK(fractionBehind(mesh) == 1.0);
  mesh.normals[0] = vec3(0.0f);
  CHECK(repairNormals(mesh) == 1);
  CHECK(mesh.normals[0] == vec3(0, 0, 1));
}

TEST_CASE("finished meshes have no vertex of dropped triangles alone") {
  Mesh mesh = square();
  mesh.triangles.push_back({6, 6, 0}); // the last vertex is of this one alone
  RepairLog repairs;
  const std::vector<std::uint32_t> newIndex = finishMesh(mesh, repairs);
  CHECK(mesh.triangles.size() == 2);
  CHECK(mesh.positions.size() == 4);
  CHECK(newIndex[6] == kDroppedVertex);
  for (std::size_t v = 0; v < 6; ++v) {
    REQUIRE(newIndex[v] < mesh.positions.size());
    CHECK(mesh.positions[newIndex[v]] == square().positions[v]);
  }
}
