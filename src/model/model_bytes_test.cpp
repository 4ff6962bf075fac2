#include "animation/random_model.h"
#include "demo/demo.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("model bytes: every demo comes back whole") {
  for (const Demo& demo : demos()) {
    CAPTURE(demo.name);
    const Model model = demo.make();
    const auto bytes = toBytes(model);
    const Model back = modelOfBytes(bytes);
    CHECK(toBytes(back) == bytes);
    CHECK(back.name == model.name);
    CHECK(back.hierarchy.nodes.size() == model.hierarchy.nodes.size());
    REQUIRE(back.meshes.size() == model.meshes.size());
    CHECK(back.meshes[0].positions == model.meshes[0].positions);
    CHECK(back.meshes[0].skin == model.meshes[0].skin);
    CHECK(back.clips.size() == model.clips.size());
    CHECK(back.clips.back().channels.back().rotation.values ==
          model.clips.back().channels.back().rotation.values);
  }
}

TEST_CASE("model bytes: morph targets, their offsets and their keys come back") {
  const Model model = findDemo("flexing-arm").make();
  const Model back = modelOfBytes(toBytes(model));
  REQUIRE(back.morphTargets.size() == model.morphTargets.size());
  CHECK(back.morphTargets[1].name == model.morphTargets[1].name);
  REQUIRE(back.meshes[0].morphs.size() == model.meshes[0].morphs.size());
  CHECK(back.meshes[0].morphs[1].vertices == model.meshes[0].morphs[1].vertices);
  CHECK(back.meshes[0].morphs[1].positions == model.meshes[0].morphs[1].positions);
  REQUIRE(back.clips[0].morphs.size() == model.clips[0].morphs.size());
  CHECK(back.clips[0].morphs[1].weight.values == model.clips[0].morphs[1].weight.values);
}

TEST_CASE("model bytes: what is cut or too long is refused, not read") {
  const auto bytes = toBytes(randomModel(1, {.joints = 3, .vertices = 9}));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 7)
    CHECK_THROWS_AS(modelOfBytes(std::span(bytes).first(size)), BadModelBytes);
  auto longer = bytes;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(modelOfBytes(longer), BadModelBytes);
}

TEST_CASE("model bytes: the pieces together are the bytes, and long lists are not gathered") {
  Model model = findDemo("humanoid").make();
  model.meshes[0].positions.resize(100'000, vec3(1.0f, 2.0f, 3.0f));
  std::vector<std::byte> together;
  std::size_t pieces = 0;
  bool inPlace = false;
  putBytes(model, [&](std::span<const std::byte> piece) {
    together.insert(together.end(), piece.begin(), piece.end());
    ++pieces;
    inPlace = inPlace || piece.data() == std::as_bytes(std::span(model.meshes[0].positions)).data();
  });
  CHECK(together == toBytes(model));
  CHECK(together.size() == countBytes(model));
  CHECK(inPlace);
  CHECK(pieces < 100);
}
