// Compares weights of damaged meshes by voxel proxies with the weights of the undamaged meshes.
#include "core/bounds.h"
#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "import/import_test_tools.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/quality.h"
#include "weights/skeleton.h"
#include "weights/weight_report.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <string>

using namespace sinew;

namespace {

constexpr std::uint32_t kAddedVertex = 0xFFFFFFFFu;

struct DamagedMesh {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> source; // per vertex that of the clean mesh, or kAddedVertex
};

struct Damage {
  const char* name;
  void (*apply)(DamagedMesh& mesh, Random& random);
};

float measureSize(const DamagedMesh& mesh) {
  return computeBounds(mesh.positions).size();
}

vec3 computeCentroid(const DamagedMesh& mesh, const Triangle& t) {
  return (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3.0f;
}

vec3 unitNormal(const DamagedMesh& mesh, const Triangle& t) {
  const vec3 normal = glm::cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                                 mesh.positions[t[2]] - mesh.positions[t[0]]);
  const float length = glm::length(normal);
  return length > 0.0f ? normal / length : vec3(0.0f);
}

std::uint32_t anyVertex(const DamagedMesh& mesh, Random& random) {
  return random.below(static_cast<std::uint32_t>(mesh.positions.size()));
}

std::uint32_t addVertex(DamagedMesh& mesh, const vec3& position, std::uint32_t source) {
  mesh.positions.push_back(position);
  mesh.source.push_back(source);
  return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

// Adds a copy of the mesh, its vertices moved along their normals by a fraction of the size.
void addOffsetCopy(DamagedMesh& mesh, float fraction, bool keepsSource) {
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const float distance = fraction * measureSize(mesh);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (std::uint32_t v = 0; v < first; ++v)
    addVertex(mesh, mesh.positions[v] + distance * surface.normals[surface.weldedOfVertex[v]],
              keepsSource ? mesh.source[v] : kAddedVertex);
  const std::vector<Triangle> triangles = mesh.triangles;
  for (const auto& [a, b, c] : triangles)
    mesh.triangles.push_back({first + a, first + b, first + c});
}

// Every triangle gets corners of its own, moved apart by a fraction of the size: nothing is
// connected any more.
void separateTriangles(DamagedMesh& mesh, Random& random, float fraction) {
  DamagedMesh out;
  const float distance = fraction * measureSize(mesh);
  for (Triangle t : mesh.triangles) {
    const vec3 shift =
        distance * vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    for (std::uint32_t& v : t)
      v = addVertex(out, mesh.positions[v] + shift, mesh.source[v]);
    out.triangles.push_back(t);
  }
  mesh = std::move(out);
}

void cutHoles(DamagedMesh& mesh, Random& random) {
  for (int hole = 0; hole < 8; ++hole) {
    const vec3 middle = mesh.positions[anyVertex(mesh, random)];
    const float radius = 0.015f * measureSize(mesh);
    std::erase_if(mesh.triangles, [&](const Triangle& t) {
      return glm::length(computeCentroid(mesh, t) - middle) < radius;
    });
  }
}

// Open at the top and at the bottom, as a model whose head and feet are other files.
void cutEnds(DamagedMesh& mesh, Random& /*random*/) {
  const Bounds bounds = computeBounds(mesh.positions);
  const vec3 extent = bounds.extent();
  const int axis = extent.x > extent.y ? 0 : 1;
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const float at = (computeCentroid(mesh, t)[axis] - bounds.min[axis]) / extent[axis];
    return at < 0.02f || at > 0.98f;
  });
}

void addInnerComponent(DamagedMesh& mesh, Random& /*random*/) {
  addOffsetCopy(mesh, -0.004f, false);
}

// Balls inside hide the bones from the skin around them.
void addOrgans(DamagedMesh& mesh, Random& random) {
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const std::size_t clean = mesh.positions.size();
  for (int ball = 0; ball < 40; ++ball) {
    const std::uint32_t v = random.below(static_cast<std::uint32_t>(clean));
    const float radius = 0.006f * measureSize(mesh);
    const vec3 middle =
        mesh.positions[v] - 1.6f * radius * surface.normals[surface.weldedOfVertex[v]];
    const std::array<vec3, 6> tips{vec3(1, 0, 0),  vec3(0, 1, 0),  vec3(0, 0, 1),
                                   vec3(-1, 0, 0), vec3(0, -1, 0), vec3(0, 0, -1)};
    std::array<std::uint32_t, 6> corner{};
    for (std::size_t i = 0; i < 6; ++i)
      corner[i] = addVertex(mesh, middle + radius * tips[i], kAddedVertex);
    for (const std::size_t x : {0u, 3u})
      for (const std::size_t y : {1u, 4u})
        for (const std::size_t z : {2u, 5u})
          mesh.triangles.push_back({corner[x], corner[y], corner[z]});
  }
}

void separateParts(DamagedMesh& mesh, Random& random) {
  // A triangle belongs to the nearest of a few centers; each part shrinks towards its own.
  std::vector<vec3> centers(12);
  for (vec3& center : centers)
    center = mesh.positions[anyVertex(mesh, random)];
  DamagedMesh out;
  std::vector<std::uint32_t> known(mesh.positions.size() * centers.size(), kAddedVertex);
  for (Triangle t : mesh.triangles) {
    const vec3 middle = computeCentroid(mesh, t);
    std::size_t part = 0;
    for (std::size_t i = 1; i < centers.size(); ++i)
      if (glm::length(centers[i] - middle) < glm::length(centers[part] - middle)) part = i;
    for (std::uint32_t& v : t) {
      std::uint32_t& copy = known[part * mesh.positions.size() + v];
      if (copy == kAddedVertex)
        copy = addVertex(out, centers[part] + 0.985f * (mesh.positions[v] - centers[part]),
                         mesh.source[v]);
      v = copy;
    }
    out.triangles.push_back(t);
  }
  mesh = std::move(out);
}

// Boxes pushed through the skin.
void intersect(DamagedMesh& mesh, Random& random) {
  const std::size_t clean = mesh.positions.size();
  for (int box = 0; box < 30; ++box) {
    const vec3 middle = mesh.positions[random.below(static_cast<std::uint32_t>(clean))];
    const float half = 0.006f * measureSize(mesh);
    std::array<std::uint32_t, 8> corner{};
    for (std::size_t i = 0; i < 8; ++i)
      corner[i] =
          addVertex(mesh,
                    middle + half * vec3(i % 2 == 0 ? -1.0f : 1.0f, i / 2 % 2 == 0 ? -1.0f : 1.0f,
                                         i < 4 ? -1.0f : 1.0f),
                    kAddedVertex);
    for (const auto& [a, b, c, d] :
         {std::array<std::size_t, 4>{0, 2, 3, 1}, std::array<std::size_t, 4>{4, 5, 7, 6},
          std::array<std::size_t, 4>{0, 1, 5, 4}, std::array<std::size_t, 4>{2, 6, 7, 3},
          std::array<std::size_t, 4>{0, 4, 6, 2}, std::array<std::size_t, 4>{1, 3, 7, 5}}) {
      mesh.triangles.push_back({corner[a], corner[b], corner[c]});
      mesh.triangles.push_back({corner[a], corner[c], corner[d]});
    }
  }
}

// Too far apart to be welded: the two halves flicker on screen.
void duplicateFaces(DamagedMesh& mesh, Random& /*random*/) {
  addOffsetCopy(mesh, 2e-5f, true);
}

// Flips triangles with edges of their own, so that no neighbour says which way is right.
void flipFaces(DamagedMesh& mesh, Random& random) {
  separateTriangles(mesh, random, 1e-5f);
  for (Triangle& t : mesh.triangles)
    if (random.below(2) == 0) std::swap(t[1], t[2]);
}

// Fins on a twentieth of the edges: each of three triangles.
void addFins(DamagedMesh& mesh, Random& random) {
  const float height = 0.003f * measureSize(mesh);
  const std::size_t count = mesh.triangles.size();
  for (std::size_t i = 0; i < count; i += 20) {
    const Triangle t = mesh.triangles[i];
    const vec3 tip =
        computeCentroid(mesh, t) + (random.below(2) == 0 ? height : -height) * unitNormal(mesh, t);
    mesh.triangles.push_back({t[0], t[1], addVertex(mesh, tip, kAddedVertex)});
  }
}

void everyDamage(DamagedMesh& mesh, Random& random) {
  cutHoles(mesh, random);
  addFins(mesh, random);
  addInnerComponent(mesh, random);
  flipFaces(mesh, random);
}

constexpr std::array kDamages = {
    Damage{"holes", cutHoles},
    Damage{"open ends", cutEnds},
    Damage{"an inner component", addInnerComponent},
    Damage{"balls inside", addOrgans},
    Damage{"separate parts", separateParts},
    Damage{"boxes through the skin", intersect},
    Damage{"two skins", duplicateFaces},
    Damage{"flipped loose triangles", flipFaces},
    Damage{"fins", addFins},
    Damage{"holes, fins, an inner component and loose triangles", everyDamage},
};

struct CleanMesh {
  JoinedMeshes mesh;
  Skeleton skeleton;
  std::vector<std::uint32_t> parents; // per joint
};

CleanMesh cleanMesh(const Model& model) {
  CleanMesh out{joinMeshes(meshesAlone(model)), extractSkeleton(model), {}};
  const auto parents = parentJoints(out.skeleton);
  for (std::uint32_t j = 0; j < parents.size(); ++j)
    out.parents.push_back(parents[j].value_or(j));
  return out;
}

DamagedMesh undamaged(const CleanMesh& clean) {
  DamagedMesh out{clean.mesh.positions, clean.mesh.triangles, {}};
  for (std::uint32_t v = 0; v < clean.mesh.positions.size(); ++v)
    out.source.push_back(v);
  return out;
}

AutomaticWeights computeWeights(const CleanMesh& clean, std::span<const vec3> positions,
                                std::span<const Triangle> triangles, WeightAlgorithm algorithm,
                                WeightProxy proxy) {
  return automaticWeights(positions, triangles, clean.skeleton.bones,
                          {.algorithm = algorithm, .proxy = proxy}, clean.skeleton.jointOfBone);
}

// Compares the vertices that the clean mesh has too.
WeightDistance distanceFrom(const CleanMesh& clean, const Influences& wanted,
                            const DamagedMesh& damaged, const Influences& weights) {
  Influences of, there;
  for (std::size_t v = 0; v < damaged.source.size(); ++v) {
    if (damaged.source[v] == kAddedVertex) continue;
    of.append(weights.of(v));
    there.append(wanted.of(damaged.source[v]));
  }
  return distanceBetween(of, there, clean.parents);
}

// What must hold of a damaged mesh, whose whole one has these weights.
void checkDamaged(const CleanMesh& clean, const Influences& wanted, const Damage& damage,
                  WeightAlgorithm algorithm, std::initializer_list<WeightProxy> proxies) {
  Random random(7);
  DamagedMesh damaged = undamaged(clean);
  damage.apply(damaged, random);
  for (const WeightProxy proxy : proxies) {
    const AutomaticWeights weights =
        computeWeights(clean, damaged.positions, damaged.triangles, algorithm, proxy);
    CHECK(countUnweighted(weights.influences) == 0);
    const WeightDistance distance = distanceFrom(clean, wanted, damaged, weights.influences);
    CHECK(distance.mean < 0.05);
    CHECK(distance.bleeding < 0.05);
    if (proxy == WeightProxy::voxel) CHECK(weights.report.proxyCell > 0.0f);
  }
}

void checkAllDamages(const CleanMesh& clean, WeightAlgorithm algorithm, std::size_t first,
                     std::size_t step,
                     std::initializer_list<WeightProxy> proxies = {WeightProxy::voxel}) {
  const AutomaticWeights wanted = computeWeights(clean, clean.mesh.positions, clean.mesh.triangles,
                                                 algorithm, WeightProxy::none);
  for (std::size_t i = first; i < kDamages.size(); i += step) {
    CAPTURE(std::string(kDamages[i].name));
    checkDamaged(clean, wanted.influences, kDamages[i], algorithm, proxies);
  }
}

} // namespace

TEST_CASE("voxel proxy: a damaged mesh gets the weights of the whole one" *
          doctest::skip(test::kSanitized)) {
  // Each damage to one of the models.
  std::size_t first = 0;
  for (const char* name : {"arm", "body-arm"}) {
    CAPTURE(std::string(name));
    const CleanMesh clean = cleanMesh(findDemo(name).make());
    if (test::kThorough)
      checkAllDamages(clean, WeightAlgorithm::boneHeat, first, 2,
                      {WeightProxy::voxel, WeightProxy::automatic});
    else
      checkAllDamages(clean, WeightAlgorithm::boneHeat, first, 6);
    ++first;
  }
  checkAllDamages(cleanMesh(findDemo("arm").make()), WeightAlgorithm::boneGlow,
                  test::kThorough ? 0 : 9, test::kThorough ? 4 : 10);
}

TEST_CASE("voxel proxy: a damaged character gets the weights of the whole one" *
          doctest::skip(!test::kThorough)) {
  const CleanMesh clean = cleanMesh(findDemo("humanoid").make());
  for (const std::size_t first : {0u, 7u, 9u})
    checkAllDamages(clean, WeightAlgorithm::boneHeat, first, 4);
}

TEST_CASE("voxel proxy: a damaged model of others gets the weights of the whole one") {
  const auto file = test::sharedModels() / "cesium_man" / "CesiumMan.glb";
  if (!std::filesystem::exists(file)) {
    MESSAGE("not there: ", file.string());
    return;
  }
  checkAllDamages(cleanMesh(importModel(file)), WeightAlgorithm::boneHeat, 0,
                  test::kThorough ? 4 : 10);
}

TEST_CASE("voxel proxy: a mesh with a triangle far off is refused, or solved as it is") {
  const CleanMesh clean = cleanMesh(findDemo("arm").make());
  DamagedMesh mesh = undamaged(clean);
  Random random(2);
  separateTriangles(mesh, random, 1e-4f); // in pieces, so that voxels would be chosen
  const vec3 far(1e6f);
  mesh.triangles.push_back({addVertex(mesh, far, kAddedVertex),
                            addVertex(mesh, far + vec3(1, 0, 0), kAddedVertex),
                            addVertex(mesh, far + vec3(0, 1, 0), kAddedVertex)});
  const auto bind = [&](WeightProxy proxy) {
    return computeWeights(clean, mesh.positions, mesh.triangles, WeightAlgorithm::boneHeat, proxy);
  };
  CHECK_THROWS_WITH_AS(bind(WeightProxy::voxel), doctest::Contains("too far"), Error);
  const AutomaticWeights weights = bind(WeightProxy::automatic);
  CHECK(weights.report.proxyCell == 0.0f);
  CHECK(countUnweighted(weights.influences) == 0);
}

TEST_CASE("voxel proxy: automatic leaves a whole mesh alone, and repairs what hides its inside") {
  const CleanMesh clean = cleanMesh(findDemo("body-arm").make());
  const auto measureCellSize = [&](const DamagedMesh& mesh) {
    return computeWeights(clean, mesh.positions, mesh.triangles, WeightAlgorithm::boneHeat,
                          WeightProxy::automatic)
        .report.proxyCell;
  };
  CHECK(measureCellSize(undamaged(clean)) == 0.0f);
  for (const std::size_t damage : {2u, 4u, 7u, 9u}) {
    if (!test::kThorough && damage % 2 == 1) continue;
    Random random(3);
    DamagedMesh damaged = undamaged(clean);
    kDamages[damage].apply(damaged, random);
    CAPTURE(std::string(kDamages[damage].name));
    CHECK(measureCellSize(damaged) > 0.0f);
  }
}
