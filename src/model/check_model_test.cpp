#include "animation/random_model.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "model/check_model.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

using namespace sinew;

namespace {

// A model with something in every list.
Model fullModel() {
  Model model = randomModel(3, {.joints = 4, .vertices = 9});
  addRandomMorphs(model, 2, 5);
  model.splines.push_back({"spline", {0, 1, 2}, {vec3(0), vec3(1), vec3(2)}});
  Mesh& mesh = model.meshes[0];
  mesh.splineInfluences = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    mesh.splineInfluences.append(std::vector<Influence>{{0, 0.5f}});
  mesh.tangents.assign(mesh.positions.size(), vec4(1, 0, 0, 1));
  mesh.colors.assign(mesh.positions.size(), vec4(1));
  model.textures.push_back({"a.png", "a.png", {1, 2, std::vector<std::uint8_t>(8)}, true});
  if (model.materials.empty()) model.materials.emplace_back();
  model.materials[0].texture = 0;
  Clip clip{"clip", 1.0f, {}};
  clip.channels.push_back({1, {{0, 1}, {vec3(0), vec3(1)}}, {}, {}});
  clip.channels.push_back(
      {2,
       {},
       {{0, 1},
        {quat(1, 0, 0, 0), quat(1, 0, 0, 0)},
        Interpolation::cubic,
        {{quat(0, 0, 0, 0), quat(0, 0, 0, 0)}, {quat(0, 0, 0, 0), quat(0, 0, 0, 0)}}},
       {}});
  clip.morphs.push_back({1, {{0.5f}, {1.0f}}});
  clip.twists.push_back({1, {{0.5f}, {1.0f}}});
  model.clips.push_back(clip);
  model.warnings = {"a warning"};
  model.metersPerUnit = 0.01f;
  return model;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("model check: models that are made here are whole") {
  CHECK(modelProblem({}).empty());
  CHECK(modelProblem(fullModel()).empty());
  for (const Demo& demo : demos())
    CHECK(modelProblem(demo.make()).empty());
}

TEST_CASE("model check: every field that is wrong is found, and so are its bytes") {
  using Damage = std::function<void(Model&)>;
  const std::vector<Damage> damages = {
      [](Model& m) { m.hierarchy.nodes[1].parent = 1; },
      [](Model& m) { m.hierarchy.nodes[1].parent = 3; },
      [](Model& m) { m.hierarchy.nodes[1].rest.scale.x = kNan; },
      [](Model& m) { m.hierarchy.nodes[1].rest.rotation.w = kInfinity; },
      [](Model& m) { m.metersPerUnit = kNan; },
      [](Model& m) { m.metersPerUnit = 0.0f; },
      [](Model& m) { m.skins[0].joints[0].node = 99; },
      [](Model& m) { m.skins[0].joints[0].jointFromBind[3].x = kNan; },
      [](Model& m) { m.splines[0].nodes[2] = 99; },
      [](Model& m) { m.splines[0].points[2].y = kNan; },
      [](Model& m) { m.morphTargets[0].weight = kNan; },
      [](Model& m) { m.meshes[0].positions[0].x = kInfinity; },
      [](Model& m) { m.meshes[0].positions.pop_back(); },
      [](Model& m) { m.meshes[0].normals.pop_back(); },
      [](Model& m) { m.meshes[0].normals[1].z = kNan; },
      [](Model& m) { m.meshes[0].tangents.pop_back(); },
      [](Model& m) { m.meshes[0].texcoords.resize(1); },
      [](Model& m) { m.meshes[0].colors.pop_back(); },
      [](Model& m) { m.meshes[0].triangles[0][1] = 9999; },
      [](Model& m) { m.meshes[0].material = 99; },
      [](Model& m) { m.meshes[0].node = 99; },
      [](Model& m) { m.meshes[0].skin = 99; },
      [](Model& m) { m.meshes[0].influences.values[0].joint = 99; },
      [](Model& m) { m.meshes[0].influences.values[0].weight = kNan; },
      [](Model& m) { m.meshes[0].influences.offsets[1] = 99999; },
      [](Model& m) { m.meshes[0].influences.offsets.clear(); },
      [](Model& m) { m.meshes[0].influences.offsets.pop_back(); },
      [](Model& m) { m.meshes[0].influences.values.pop_back(); },
      [](Model& m) { m.meshes[0].splineInfluences.values[0].joint = 1; },
      [](Model& m) { m.meshes[0].morphs[0].target = 9; },
      [](Model& m) { m.meshes[0].morphs[0].vertices[0] = 999; },
      [](Model& m) { m.meshes[0].morphs[0].vertices[1] = m.meshes[0].morphs[0].vertices[0]; },
      [](Model& m) { m.meshes[0].morphs[0].positions.pop_back(); },
      [](Model& m) { m.meshes[0].morphs[0].positions[0].x = kNan; },
      [](Model& m) { m.meshes[0].insertedVertices = 999; },
      [](Model& m) { m.materials[0].texture = 9; },
      [](Model& m) { m.materials[0].normalTexture = 9; },
      [](Model& m) { m.materials[0].shininess = kNan; },
      [](Model& m) { m.materials[0].alphaMode = static_cast<AlphaMode>(7); },
      [](Model& m) { m.textures[0].image.width = 1u << 31; },
      [](Model& m) { m.textures[0].image.rgba.pop_back(); },
      [](Model& m) { m.clips[0].seconds = kNan; },
      [](Model& m) { m.clips[0].channels[0].node = 99; },
      [](Model& m) {
        m.clips[0].channels[0].translation.times = {1, 0};
      },
      [](Model& m) {
        m.clips[0].channels[0].translation.times = {0, kNan};
      },
      [](Model& m) { m.clips[0].channels[0].translation.values.pop_back(); },
      [](Model& m) { m.clips[0].channels[1].rotation.tangents.pop_back(); },
      [](Model& m) { m.clips[0].channels[1].rotation.tangents[0][1].x = kNan; },
      [](Model& m) {
        m.clips[0].channels[0].translation.interpolation = static_cast<Interpolation>(9);
      },
      [](Model& m) { m.clips[0].morphs[0].target = 9; },
      [](Model& m) { m.clips[0].twists[0].node = 99; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    CAPTURE(i);
    Model model = fullModel();
    damages[i](model);
    CHECK(!modelProblem(model).empty());
    CHECK_THROWS_AS(modelOfBytes(toBytes(model)), BadModelBytes);
  }
}

TEST_CASE("model bytes: any byte changed gives a whole model or BadModelBytes") {
  const auto bytes = toBytes(fullModel());
  Random random(7);
  const std::size_t step = test::kThorough ? 1 : 3;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += step)
    for (const int change : {0xff, 0x80, 0x01, static_cast<int>(random.below(256))}) {
      auto changed = bytes;
      changed[at] ^= static_cast<std::byte>(change);
      try {
        const Model model = modelOfBytes(changed);
        CHECK(modelProblem(model).empty());
        CHECK(toBytes(model).size() == changed.size());
      } catch (const BadModelBytes&) {
        ++refused;
      }
    }
  CHECK(refused > bytes.size() / step / 2);
}

TEST_CASE("model bytes: a count that is not there takes no memory") {
  // The count of the model's meshes: a mesh of no bytes would take hundreds each.
  std::vector<std::byte> bytes(1000, std::byte{0});
  for (std::size_t at = 0; at + 8 < 200; at += 8) {
    auto changed = bytes;
    changed[at + 1] = std::byte{0x03}; // 768 of whatever it is
    try {
      modelOfBytes(changed);
    } catch (const BadModelBytes&) {
    }
    changed[at + 6] = std::byte{0x7f};
    CHECK_THROWS_AS(modelOfBytes(changed), BadModelBytes);
  }
}
