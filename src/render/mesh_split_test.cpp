#include "core/error.h"
#include "core/stopwatch.h"
#include "render/mesh_split.h"
#include "render/test_models.h"
#include "render/vertex_layout.h"
#include "skinning/methods.h"
#include "view/draw_choices.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

using namespace sinew;

namespace {

// A triangle by its rig vertices, rotated so that the smallest is first: the winding is kept.
Triangle smallestFirst(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

struct Case {
  Model model;
  Rig rig;
  Binding binding;
};

Case makeCase(std::uint32_t joints, std::uint32_t influences) {
  Case out{test::randomModel({.seed = 9, .joints = joints, .influences = influences}), {}, {}};
  out.rig = buildRig(out.model);
  out.binding = findMethod("lbs").bind(out.rig, {});
  return out;
}

void checkSplit(const Case& c, const MeshSplit& split, std::uint32_t capacity) {
  const Attribute& joints = findAttribute(c.binding, "joints0");
  const Attribute local = inDrawOrder(joints, split, split.batches);
  std::map<Triangle, int> drawn;
  std::set<std::uint32_t> vertices;
  for (const MeshBatch& batch : split.batches) {
    CHECK(batch.entries.size() <= capacity);
    CHECK(std::is_sorted(batch.entries.begin(), batch.entries.end()));
    for (std::uint32_t i = 0; i < batch.vertexCount; ++i) {
      const std::uint32_t v = batch.firstVertex + i;
      vertices.insert(split.sourceVertex[v]);
      const glm::uvec4 entries = readUint(local, v);
      const glm::uvec4 expected = readUint(joints, split.sourceVertex[v]);
      for (int k = 0; k < 4; ++k)
        CHECK((batch.entries.empty() ? entries[k] : batch.entries.at(entries[k])) == expected[k]);
    }
    for (std::uint32_t i = 0; i < batch.indexCount; i += 3) {
      Triangle t{};
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t index = split.indices[batch.firstIndex + i + k];
        REQUIRE(index < batch.vertexCount);
        t[k] = split.sourceVertex[batch.firstVertex + index];
      }
      ++drawn[smallestFirst(t)];
    }
  }
  std::map<Triangle, int> expected;
  for (const Triangle& t : c.rig.triangles)
    ++expected[smallestFirst(t)];
  CHECK(drawn == expected);
  CHECK(vertices.size() == c.rig.positions.size());
}

} // namespace

TEST_CASE("unsplit: a batch per material, every vertex once, every triangle once") {
  const Case c = makeCase(60, 4);
  const MeshSplit split = splitMesh(c.rig, c.binding, kNoSplit);
  CHECK(split.batches.size() == 2);
  CHECK(split.sourceVertex.size() == c.rig.positions.size());
  checkSplit(c, split, 0);
}

TEST_CASE("a triangle is drawn by the cheapest form that serves its vertices") {
  Case c = makeCase(60, 12);
  for (const std::uint32_t limit : {4u, 6u, 8u, 12u}) {
    CAPTURE(limit);
    c.binding = findMethod("dqs").bind(c.rig, {.influences = limit});
    const std::vector<BindingForm> forms = listForms(c.binding);
    REQUIRE(forms.size() == (limit + 3) / 4);
    for (std::uint32_t f = 0; f < forms.size(); ++f) {
      CHECK(forms[f].attributes == 2 * (f + 1));
      CHECK(forms[f].influences == std::min(4 * (f + 1), limit));
    }
    const auto countInfluences = [&](std::size_t v) {
      return std::min<std::size_t>(c.rig.influences.of(v).size(), limit);
    };
    for (const std::uint32_t capacity : {kNoSplit, 40u}) {
      const MeshSplit split = splitMesh(c.rig, c.binding, capacity);
      checkSplit(c, split, capacity);
      std::set<std::uint32_t> drawn;
      for (const MeshBatch& batch : split.batches) {
        drawn.insert(batch.form);
        for (std::uint32_t i = 0; i < batch.indexCount; i += 3) {
          std::size_t largest = 0;
          for (std::uint32_t k = 0; k < 3; ++k)
            largest = std::max(
                largest,
                countInfluences(split.sourceVertex[batch.firstVertex +
                                                   split.indices[batch.firstIndex + i + k]]));
          CHECK((largest - 1) / 4 == batch.form);
        }
      }
      CHECK(drawn.size() == forms.size());
      CHECK(std::ranges::is_sorted(split.batches, {}, &MeshBatch::form));
    }
  }
}

TEST_CASE("split: no batch has too many entries, nothing is lost, nothing is drawn twice") {
  for (const std::uint32_t capacity : {12u, 13u, 30u, 59u}) {
    CAPTURE(capacity);
    const Case c = makeCase(60, 4);
    const MeshSplit split = splitMesh(c.rig, c.binding, capacity);
    CHECK(split.batches.size() > 2);
    checkSplit(c, split, capacity);
  }
}

TEST_CASE("a mesh that fits is not split") {
  const Case c = makeCase(60, 4);
  CHECK(splitMesh(c.rig, c.binding, 60).batches.size() == 2);
}

TEST_CASE("a triangle that no batch can hold is an error that says what to do") {
  const Case c = makeCase(60, 4);
  CHECK_THROWS_WITH_AS(splitMesh(c.rig, c.binding, 5), doctest::Contains("palette into a texture"),
                       Error);
}

TEST_CASE("meshes without triangles or without anything make batches without indices") {
  Case c = makeCase(8, 2);
  c.rig.triangles.clear();
  for (RigMesh& mesh : c.rig.meshes)
    mesh.triangleCount = 0;
  const MeshSplit split = splitMesh(c.rig, c.binding, kNoSplit);
  CHECK(split.indices.empty());
  checkSplit(c, split, 0);
  CHECK(splitMesh(Rig{}, Binding{}, kNoSplit).batches.empty());
}

TEST_CASE("neighbouring triangles share their vertices in the cache's order") {
  Model model = test::tube({});
  const Rig rig = buildRig(model);
  const Binding binding = findMethod("lbs").bind(rig, {});
  const MeshSplit split = splitMesh(rig, binding, kNoSplit);
  // First uses ascend: a vertex is fetched where the one before was.
  std::uint32_t next = 0;
  for (const std::uint32_t index : split.indices) {
    CHECK(index <= next);
    if (index == next) ++next;
  }
  CHECK(next == split.sourceVertex.size());
}

TEST_CASE("a fan of many triangles around one vertex is ordered in linear time") {
  constexpr std::uint32_t kTriangles = 200'000;
  Model model = test::randomModel({.seed = 9});
  Mesh& mesh = model.meshes.at(0);
  model.meshes.resize(1);
  mesh = {};
  mesh.name = "fan";
  for (std::uint32_t v = 0; v < kTriangles + 2; ++v) {
    const float angle = 3e-5f * static_cast<float>(v);
    mesh.positions.emplace_back(v == 0 ? 0.0f : std::cos(angle), v == 0 ? 0.0f : std::sin(angle),
                                0.0f);
    mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
  }
  for (std::uint32_t t = 0; t < kTriangles; ++t)
    mesh.triangles.push_back({0, t + 1, t + 2});
  const Rig rig = buildRig(model);
  const Clock::time_point start = Clock::now();
  const MeshSplit split = splitMesh(rig, findMethod("lbs").bind(rig, {}), 1000);
  CHECK(split.indices.size() == std::size_t{3} * kTriangles);
  CHECK(secondsSince(start) < 20.0); // by the usual order some minutes
}

TEST_CASE("a binding's attributes are declared in order behind the fixed inputs") {
  Binding binding;
  binding.attributes = {{"joints0", AttributeFormat::uint8x4, true, {}},
                        {"weights0", AttributeFormat::unorm16x4, false, {}},
                        {"blendFactor", AttributeFormat::float1, false, {}}};
  const std::string text = inputDeclarations(binding, binding.attributes.size());
  CHECK(text.find("layout(location = 0) in vec3 bindPosition;\n") == 0);
  CHECK(text.find("layout(location = 4) in uvec4 joints0;\n"
                  "layout(location = 5) in vec4 weights0;\n"
                  "layout(location = 6) in float blendFactor;\n") != std::string::npos);
  CHECK(fixedLocation("instanceOffset") == kOffsetLocation);
  CHECK_THROWS_WITH_AS(fixedLocation("nonsense"), doctest::Contains("nonsense"), Error);
  CHECK_THROWS_WITH_AS(bindingLocation(kMaxBindingAttributes), doctest::Contains("10"), Error);
}

TEST_CASE("attributes are interleaved without gaps and come out as they went in") {
  Attribute a{"bindPosition", AttributeFormat::float3, false, {}};
  Attribute b{"joints0", AttributeFormat::uint8x4, true, {}};
  for (int v = 0; v < 3; ++v) {
    append(a, vec4(static_cast<float>(v), 1.5f, -2.0f, 0.0f));
    append(b, glm::uvec4(1, 2, 3, static_cast<unsigned>(v)));
  }
  const InterleavedVertices vertices = interleave({&a, 1}, {&b, 1}, 3);
  CHECK(vertices.bytes.size() == 3 * 16);
  REQUIRE(vertices.attributes.size() == 2);
  CHECK(vertices.attributes[1].offset == 12);
  CHECK(vertices.attributes[1].integer);
  CHECK(vertices.attributes[1].location == kFirstBindingLocation);
  CHECK(vertices.attributes[1].stride == 16);
  CHECK(std::equal(a.data.begin() + 12, a.data.begin() + 24, vertices.bytes.begin() + 16));
  CHECK(std::equal(b.data.begin() + 8, b.data.begin() + 12, vertices.bytes.begin() + 44));
}

TEST_CASE("palette storages have names, in the order of the enumeration") {
  CHECK(toString(PaletteStorage::automatic) == "auto");
  CHECK(toString(PaletteStorage::uniformArray) == "uniform-array");
  CHECK(toString(PaletteStorage::storageBuffer) == paletteStorageNames().back());
}
