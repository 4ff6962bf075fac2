#include "animation/random_model.h"
#include "core/random.h"
#include "demo/demo.h"
#include "model/mesh.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>
#include <glm/matrix.hpp>

#include <cmath>

using namespace sinew;

namespace {

// Across the normal and unit, with a side.
void checkFrames(const Mesh& mesh, const std::vector<vec4>& tangents) {
  REQUIRE(tangents.size() == mesh.positions.size());
  for (std::size_t v = 0; v < tangents.size(); ++v) {
    CHECK(std::abs(glm::length(vec3(tangents[v])) - 1.0f) < 1e-5f);
    CHECK(std::abs(glm::dot(vec3(tangents[v]), mesh.normals[v])) < 1e-5f);
    CHECK(std::abs(tangents[v].w) == 1.0f);
  }
}

} // namespace

TEST_CASE("tangents: on a plane they run along u, and the bitangent up in the image") {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    const quat rotation = randomRotation(random);
    const glm::mat2 image(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                          random.uniform(-1, 1));
    if (std::abs(glm::determinant(image)) < 0.1f) continue;
    Mesh mesh;
    for (int i = 0; i < 9; ++i) {
      const vec2 place(random.uniform(-1, 1), random.uniform(-1, 1));
      mesh.positions.push_back(rotation * vec3(place, 0.0f));
      mesh.normals.push_back(rotation * vec3(0, 0, 1));
      mesh.texcoords.push_back(image * place);
    }
    mesh.triangles = {{0, 1, 2}, {2, 1, 3}, {4, 5, 6}, {6, 7, 8}};
    const std::vector<vec4> tangents = computeTangents(mesh);
    checkFrames(mesh, tangents);
    const glm::mat2 back = glm::inverse(image);
    const vec3 alongU = glm::normalize(rotation * vec3(back[0], 0.0f));
    const vec3 alongV = rotation * vec3(back[1], 0.0f);
    for (std::size_t v = 0; v < tangents.size(); ++v) {
      CHECK(glm::length(vec3(tangents[v]) - alongU) < 1e-4f);
      const vec3 bitangent = tangents[v].w * glm::cross(mesh.normals[v], vec3(tangents[v]));
      CHECK(glm::dot(bitangent, alongV) < 0.0f); // v grows downwards
    }
  }
}

TEST_CASE("tangents: of any mesh, with degenerate triangles and without texture coordinates") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Mesh mesh = randomModel(seed).meshes[0];
    mesh.texcoords[mesh.triangles[0][0]] = mesh.texcoords[mesh.triangles[0][1]];
    mesh.positions[mesh.triangles[1][0]] = mesh.positions[mesh.triangles[1][1]];
    checkFrames(mesh, computeTangents(mesh));
    mesh.texcoords.clear();
    checkFrames(mesh, computeTangents(mesh));
  }
}

TEST_CASE("tangents: a mirrored mesh has mirrored ones, and unusable ones become zero") {
  Mesh mesh;
  mesh.tangents = {vec4(2, 0, 0, 1), vec4(0, 3, 0, -1), vec4(0, 0, 0, 1), vec4(NAN, 0, 0, 1)};
  transformTangents(mat3(-1, 0, 0, 0, 1, 0, 0, 0, 1), mesh);
  normalizeTangents(mesh);
  CHECK(mesh.tangents[0] == vec4(-1, 0, 0, -1));
  CHECK(mesh.tangents[1] == vec4(0, 1, 0, 1));
  CHECK(vec3(mesh.tangents[2]) == vec3(0.0f));
  CHECK(mesh.tangents[3] == vec4(0, 0, 0, 1));
}
