// Meshes on the GPU: vertices updated in place, and regions of a uniform block.
#include "animation/pose.h"
#include "core/random.h"
#include "demo/demo.h"
#include "gl/context.h"
#include "render/capture_skinned.h"
#include "render/draw_batch.h"
#include "render/parity_test.h"
#include "render/test_models.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

// Swaps the first two joints of some vertices: no batch needs a joint it does not have.
std::vector<std::uint32_t> swapSome(Rig& rig, Random& random) {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
    if (rig.influences.of(v).size() < 2 || random.below(5) != 0) continue;
    Influence* first = &rig.influences.values[rig.influences.offsets[v]];
    std::swap(first[0].joint, first[1].joint);
    changed.push_back(v);
  }
  return changed;
}

} // namespace

TEST_CASE("gpu mesh: updated vertices are skinned as in a new mesh") {
  const HeadlessContext context;
  Programs programs;
  const Model model = findDemo("humanoid").make();
  const auto materials = uploadMaterials(model);
  const Method& method = findMethod("lbs");
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode)
    t.rotation = glm::angleAxis(0.3f, vec3(0, 0, 1)) * t.rotation;
  const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
  for (const std::uint32_t rows : {0u, 36u}) {
    CAPTURE(rows);
    Rig rig = buildRig(model);
    Binding binding = method.bind(rig, {});
    GpuMeshOptions options;
    options.storage = rows == 0 ? PaletteStorage::texture : PaletteStorage::uniformArray;
    options.capacityRows = rows;
    GpuMesh mesh(materials, rig, method, binding, options);
    Palette palette;
    packPalette(method, rig, binding, modelFromNode, palette);
    Random random(2);
    for (int round = 0; round < 2; ++round) {
      const auto changed = swapSome(rig, random);
      REQUIRE(changed.size() > 20);
      REQUIRE(rebindVertices(method, rig, {}, changed, binding));
      REQUIRE(mesh.updateVertices(binding, changed));
      mesh.setPalette(palette);
      GpuMesh fresh(materials, rig, method, binding, options);
      fresh.setPalette(palette);
      CHECK(captureSkinned(programs, mesh).positions == captureSkinned(programs, fresh).positions);
    }
  }
}

TEST_CASE("gpu mesh: a vertex that its batch has no joint for is not updated") {
  const HeadlessContext context;
  const Model model = findDemo("humanoid").make();
  const Method& method = findMethod("lbs");
  Rig rig = buildRig(model);
  Binding binding = method.bind(rig, {});
  GpuMeshOptions options;
  options.storage = PaletteStorage::uniformArray;
  options.capacityRows = 36;
  GpuMesh mesh(uploadMaterials(model), rig, method, binding, options);
  REQUIRE(mesh.layout().batches.size() > 1);
  const std::uint32_t vertex = mesh.layout().sourceVertex.front();
  const std::vector<std::uint32_t>& has = mesh.layout().batches.front().entries;
  std::uint32_t lacks = 0;
  while (std::binary_search(has.begin(), has.end(), lacks))
    ++lacks;
  REQUIRE(lacks < rig.joints.size());
  rig.influences.values[rig.influences.offsets[vertex]].joint = lacks;
  const std::vector<std::uint32_t> changed{vertex};
  REQUIRE(rebindVertices(method, rig, {}, changed, binding));
  CHECK(!mesh.updateVertices(binding, changed));
}

TEST_CASE("gpu mesh: a vertex on the seam of two forms is in the same place by both") {
  const HeadlessContext context;
  Programs programs;
  const test::RandomRigOptions options{.seed = 3, .joints = 30, .influences = 12};
  const Model model = test::randomModel(options);
  const Rig rig = buildRig(model);
  const auto modelFromNode = modelFromNodes(model.hierarchy, test::randomPose(model, options, 4));
  for (const char* name : {"lbs", "dqs"}) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    const Binding binding = method.bind(rig, {.influences = 12});
    Palette palette;
    packPalette(method, rig, binding, modelFromNode, palette);
    GpuMesh mesh(uploadMaterials(model), rig, method, binding);
    mesh.setPalette(palette);
    std::vector<std::vector<vec3>> places(rig.positions.size());
    for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b) {
      const MeshBatch& batch = mesh.layout().batches[b];
      const SkinnedProgram& program =
          programs.skinned({Pass::capture, mesh.skinShader(batch), mesh.nonUniformScale()});
      forEachDraw(mesh, b, program, [&](const DrawCall&) {
        const auto captured = capturePoints(static_cast<int>(mesh.firstDrawn(batch)),
                                            static_cast<int>(batch.vertexCount), 1, 2);
        std::vector<vec3> positions(batch.vertexCount);
        readBuffer(captured[0], std::as_writable_bytes(std::span(positions)));
        for (std::uint32_t i = 0; i < batch.vertexCount; ++i)
          places[mesh.layout().sourceVertex[batch.firstVertex + i]].push_back(positions[i]);
      });
    }
    std::size_t shared = 0;
    for (const std::vector<vec3>& copies : places) {
      shared += copies.size() > 1 ? 1 : 0;
      for (const vec3& copy : copies)
        CHECK(copy == copies[0]);
    }
    CHECK(shared > 100);
  }
}

TEST_CASE("gpu mesh: a vertex that gets more influences than its form takes is not updated") {
  const HeadlessContext context;
  Programs programs;
  const test::RandomRigOptions options{.seed = 6, .joints = 30, .influences = 8};
  const Model model = test::randomModel(options);
  const Method& method = findMethod("lbs");
  Rig rig = buildRig(model);
  Binding binding = method.bind(rig, {});
  GpuMesh mesh(uploadMaterials(model), rig, method, binding);
  REQUIRE(mesh.layout().batches.front().form == 0);
  const std::uint32_t few = mesh.layout().sourceVertex.front();
  const std::uint32_t many = mesh.layout().sourceVertex.back();
  const auto give = [&](std::uint32_t vertex, std::size_t count) {
    Influences changed;
    const std::vector<Influence> same(count, {1, 1.0f / static_cast<float>(count)});
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      changed.append(v == vertex ? std::span<const Influence>(same) : rig.influences.of(v));
    rig.influences = changed;
    const std::vector<std::uint32_t> vertices{vertex};
    REQUIRE(rebindVertices(method, rig, {}, vertices, binding));
    return mesh.updateVertices(binding, vertices);
  };
  CHECK(give(many, 3));
  CHECK(give(few, 2));
  Palette palette;
  packPalette(method, rig, binding,
              modelFromNodes(model.hierarchy, test::randomPose(model, options, 1)), palette);
  mesh.setPalette(palette);
  SkinnedMesh cpu;
  method.skin(rig, binding, palette, cpu);
  CHECK(test::parityError(rig, cpu, captureSkinned(programs, mesh)).position <= 1e-5f);
  CHECK(!give(few, 6));
}

TEST_CASE("gpu mesh: blocks begin at any alignment that a driver asks for, also below a row") {
  const HeadlessContext context;
  Programs programs;
  const Model model = findDemo("humanoid").make();
  const auto materials = uploadMaterials(model);
  const Rig rig = buildRig(model);
  const Method& method = findMethod("lbs");
  const Binding binding = method.bind(rig, {});
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[1].rotation = glm::angleAxis(0.4f, vec3(0, 0, 1));
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  GpuMesh whole(materials, rig, method, binding);
  whole.setPalette(palette);
  const SkinnedMesh expected = captureSkinned(programs, whole);
  GLint own = 0;
  glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &own);
  for (const std::uint32_t alignment : {1u, 4u, 16u, 24u, 256u, 768u}) {
    CAPTURE(alignment);
    GpuMesh mesh(
        materials, rig, method, binding,
        {.storage = PaletteStorage::block, .capacityRows = 36, .blockAlignment = alignment});
    REQUIRE(mesh.layout().batches.size() > 1);
    mesh.setPalette(palette);
    for (std::size_t b = 0; b < mesh.layout().batches.size(); ++b)
      CHECK(mesh.blockOffset(b, 0) % alignment == 0);
    if (alignment % static_cast<std::uint32_t>(std::max(own, 1)) != 0) continue;
    CHECK(captureSkinned(programs, mesh).positions == expected.positions);
  }
  checkGlErrors("block alignment");
}
