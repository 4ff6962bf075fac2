#include "animation/random_model.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "model/shapes.h"
#include "rig/morph.h"
#include "rig/subdivide.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cstring>
#include <numeric>

using namespace sinew;

namespace {

bool sameBits(std::span<const vec3> a, std::span<const vec3> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// A model of one rigid mesh that nothing places.
Model makeModel(Mesh mesh) {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.meshes.push_back(std::move(mesh));
  return model;
}

void addTarget(Model& model, const std::vector<vec3>& moved, bool withNormals = false) {
  Mesh& mesh = model.meshes[0];
  MorphOffsets morph{static_cast<std::uint32_t>(model.morphTargets.size()), {}, {}, {}};
  for (std::uint32_t v = 0; v < moved.size(); ++v) {
    morph.vertices.push_back(v);
    morph.positions.push_back(moved[v] - mesh.positions[v]);
    if (withNormals) morph.normals.emplace_back(0.0f);
  }
  mesh.morphs.push_back(std::move(morph));
  model.morphTargets.push_back({"moved", 0.0f});
}

} // namespace

TEST_CASE("morph weights of 0 change no bit, whatever was shown before") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Model model = randomModel(seed);
    addRandomMorphs(model, 5, seed);
    const Rig rig = buildRig(model);
    MorphedVertices morphed;
    const MorphWeights none(5, 0.0f);
    CHECK(!applyMorphs(rig, none, morphed));
    CHECK(morphed.positions.empty()); // nothing is copied
    CHECK(applyMorphs(rig, randomWeights(model, seed), morphed));
    CHECK(morphed.moved());
    CHECK(applyMorphs(rig, none, morphed));
    CHECK(!morphed.moved());
    CHECK(sameBits(morphed.positions, rig.positions));
    CHECK(sameBits(morphed.normals, rig.normals));
  }
}

TEST_CASE("morphed vertices are v + sum w d by definition, and do not depend on what was before") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Model model = randomModel(seed);
    addRandomMorphs(model, 7, seed);
    const Rig rig = buildRig(model);
    MorphedVertices morphed;
    applyMorphs(rig, randomWeights(model, seed + 100), morphed);
    const MorphWeights weights = randomWeights(model, seed);
    applyMorphs(rig, weights, morphed);
    MorphedVertices fresh;
    applyMorphs(rig, weights, fresh);
    CHECK(sameBits(morphed.positions, fresh.positions));
    CHECK(sameBits(morphed.normals, fresh.normals));
    CHECK(morphed.vertices == fresh.vertices);

    std::vector<glm::dvec3> positions(rig.positions.begin(), rig.positions.end());
    std::vector<bool> moves(positions.size(), false);
    for (std::size_t m = 0; m < model.meshes.size(); ++m)
      for (const MorphOffsets& morph : model.meshes[m].morphs)
        for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
          const std::uint32_t v = rig.meshes[m].firstVertex + morph.vertices[i];
          positions[v] +=
              static_cast<double>(weights[morph.target]) * glm::dvec3(morph.positions[i]);
          moves[v] = moves[v] || weights[morph.target] != 0.0f;
        }
    for (std::size_t v = 0; v < positions.size(); ++v) {
      CHECK(glm::length(glm::dvec3(fresh.positions[v]) - positions[v]) < 1e-6);
      CHECK(glm::length(fresh.normals[v]) == doctest::Approx(1.0f).epsilon(1e-5));
      if (!moves[v]) CHECK(fresh.positions[v] == rig.positions[v]);
    }
  }
}

TEST_CASE("without normals of its own a target has those of the surface that it moves") {
  // A ball that a target makes an ellipsoid: its normals are known.
  const vec3 radii(1.0f, 2.0f, 0.7f);
  Model model = makeModel(toMesh(ellipsoid(vec3(0.0f), vec3(1.0f), 96, 64), "ball"));
  std::vector<vec3> moved;
  for (const vec3& p : model.meshes[0].positions)
    moved.push_back(radii * p);
  addTarget(model, moved);
  const Rig rig = buildRig(model);
  MorphedVertices morphed;
  applyMorphs(rig, std::array{1.0f}, morphed);
  const std::vector<vec3> ofMoved = computeNormals(moved, model.meshes[0].triangles);
  double mean = 0.0;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    CHECK(glm::length(morphed.normals[v] - ofMoved[v]) < 1e-4f);
    const vec3 exact = glm::normalize(rig.positions[v] / radii);
    mean += static_cast<double>(glm::length(morphed.normals[v] - exact));
  }
  CHECK(mean / static_cast<double>(rig.positions.size()) < 0.01);
}

TEST_CASE("a target that moves a mesh rigidly moves its normals so") {
  Random random(3);
  Model model = makeModel(toMesh(ellipsoid(vec3(0.0f), vec3(1.0f, 0.6f, 0.8f), 16, 12), "ball"));
  const quat rotation = randomRotation(random);
  std::vector<vec3> moved;
  for (const vec3& p : model.meshes[0].positions)
    moved.push_back(rotation * p + vec3(0.1f, 2.0f, -1.0f));
  addTarget(model, moved);
  const Rig rig = buildRig(model);
  MorphedVertices morphed;
  applyMorphs(rig, std::array{1.0f}, morphed);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    CHECK(glm::length(morphed.positions[v] - moved[v]) < 1e-5f);
    CHECK(glm::length(morphed.normals[v] - rotation * rig.normals[v]) < 1e-4f);
  }
}

TEST_CASE("no seam opens in the normals of vertices at one place") {
  // Two triangles that share an edge by vertices of their own, with one normal.
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.normals.assign(6, vec3(0, 0, 1));
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  Model model = makeModel(mesh);
  std::vector<vec3> moved = mesh.positions;
  moved[4].z = 0.5f; // one corner of one triangle
  addTarget(model, moved);
  const Rig rig = buildRig(model);
  MorphedVertices morphed;
  applyMorphs(rig, std::array{1.0f}, morphed);
  CHECK(glm::length(morphed.normals[1] - morphed.normals[3]) < 1e-6f);
  CHECK(glm::length(morphed.normals[2] - morphed.normals[5]) < 1e-6f);
  CHECK(morphed.normals[1] != vec3(0, 0, 1));
  CHECK(morphed.normals[0] == vec3(0, 0, 1)); // its triangle does not move
}

TEST_CASE("subdivision carries offsets: a new vertex moves with the triangle it lies on") {
  for (const Subdivision kind : {Subdivision::centroid, Subdivision::midpoints})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Model model = randomModel(seed, {.rigidMesh = false});
      addRandomMorphs(model, 4, seed);
      const Mesh& mesh = model.meshes[0];
      std::vector<std::uint32_t> all(mesh.triangles.size());
      std::iota(all.begin(), all.end(), 0u);
      Model fine = model;
      fine.meshes[0] = subdivide(mesh, all, kind);
      const MorphWeights weights = randomWeights(model, seed);
      MorphedVertices coarse;
      MorphedVertices subdivided;
      applyMorphs(buildRig(model), weights, coarse);
      applyMorphs(buildRig(fine), weights, subdivided);
      // The same mesh with the moved vertices, subdivided.
      Mesh moved = mesh;
      moved.positions = coarse.positions;
      const Mesh expected = subdivide(moved, all, kind);
      REQUIRE(expected.positions.size() == subdivided.positions.size());
      for (std::size_t v = 0; v < expected.positions.size(); ++v)
        CHECK(glm::length(expected.positions[v] - subdivided.positions[v]) < 1e-5f);
    }
}
