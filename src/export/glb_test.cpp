#include "animation/clip_keys.h"
#include "animation/random_model.h"
#include "animation/sample.h"
#include "core/directions.h"
#include "demo/demo.h"
#include "export/glb.h"
#include "import/import_test_tools.h"
#include "skinning/joint_test_support.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace sinew;

namespace {

// Meshes are put into the model's order: a file has rigid ones below their nodes, and those come
// before the skinned ones, which are at the top.
Model readBack(const Model& model) {
  const test::TempFolder folder;
  Model back = importModel(folder.write("m.glb", toGlb(model)));
  std::vector<Mesh> found;
  for (const Mesh& mesh : model.meshes) {
    const auto at = std::find_if(back.meshes.begin(), back.meshes.end(),
                                 [&](const Mesh& other) { return other.name == mesh.name; });
    if (at == back.meshes.end()) continue;
    found.push_back(std::move(*at));
    back.meshes.erase(at);
  }
  CHECK(back.meshes.empty());
  back.meshes = std::move(found);
  return back;
}

// Corner by corner: reading joins equal vertices, in an order of its own.
float largestWeightDifference(const Model& a, const Model& b) {
  float largest = 0.0f;
  for (std::size_t m = 0; m < a.meshes.size(); ++m) {
    const Mesh& before = a.meshes[m];
    const Mesh& after = b.meshes[m];
    for (std::size_t c = 0; c < 3 * before.triangles.size(); ++c) {
      std::map<std::string, float> weights;
      const auto add = [&](const Model& model, const Mesh& mesh, std::uint32_t v, float sign) {
        for (const Influence& i : mesh.influences.of(v))
          weights[model.hierarchy.nodes[model.skins[*mesh.skin].joints[i.joint].node].name] +=
              sign * i.weight;
      };
      if (!before.skin) continue;
      add(a, before, before.triangles[c / 3][c % 3], 1.0f);
      add(b, after, after.triangles[c / 3][c % 3], -1.0f);
      for (const auto& [name, difference] : weights)
        largest = std::max(largest, std::abs(difference));
    }
  }
  return largest;
}

// The largest distance between posed corners of triangles, as a fraction of the model's size.
float largestDistance(const Model& a, const SkinnedMesh& posedA, const Model& b,
                      const SkinnedMesh& posedB) {
  const Rig rigA = buildRig(a);
  const Rig rigB = buildRig(b);
  REQUIRE(rigA.triangles.size() == rigB.triangles.size());
  float largest = 0.0f;
  for (std::size_t t = 0; t < rigA.triangles.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      largest = std::max(largest, glm::length(posedA.positions[rigA.triangles[t][c]] -
                                              posedB.positions[rigB.triangles[t][c]]));
  return largest / computeBounds(posedA.positions).size();
}

void checkRoundTrip(const Model& model) {
  const Model back = readBack(model);
  CAPTURE(model.name);
  REQUIRE(back.meshes.size() == model.meshes.size());
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    REQUIRE(back.meshes[m].triangles.size() == model.meshes[m].triangles.size());
    REQUIRE(back.meshes[m].skin.has_value() == model.meshes[m].skin.has_value());
  }
  CHECK(largestWeightDifference(model, back) < 1.0f / 255.0f);
  CHECK(largestDistance(model, test::atRest(model), back, test::atRest(back)) < 1e-5f);
  REQUIRE(back.clips.size() == model.clips.size());
  for (std::size_t c = 0; c < std::min<std::size_t>(model.clips.size(), 3); ++c)
    for (const float fraction : {0.0f, 0.3f, 0.7f}) {
      CAPTURE(model.clips[c].name);
      CHECK(back.clips[c].name == model.clips[c].name);
      const float time = fraction * model.clips[c].seconds;
      CHECK(largestDistance(model, test::posedAt(model, model.clips[c], time), back,
                            test::posedAt(back, back.clips[c], time)) < 2e-4f);
    }
}

} // namespace

TEST_CASE("a .glb that was written is read back: weights, rest, clips") {
  for (const char* name : {"humanoid", "arm", "tentacle", "flexing-arm"})
    checkRoundTrip(findDemo(name).make());
}

TEST_CASE("a .glb of real characters is read back") {
  const auto folder = test::sharedModels();
  for (const char* name :
       {"tiny/tiny.x", "zombie/ZombieSmooth.fbx", "fox/Fox.glb", "cesium_man/CesiumMan.dae",
        "redeclipse_hands/hud_hands.md5mesh", "kaykit_knight/Knight.glb",
        "gltf_morph/AnimatedMorphCube.glb", "gltf_morph/SimpleMorph.gltf"})
    if (std::filesystem::exists(folder / name))
      checkRoundTrip(importModel(folder / name));
    else
      MESSAGE("not there: ", name);
}

TEST_CASE("a .glb keeps automatic weights, more than four of them too") {
  const Model demo = findDemo("humanoid").make();
  const Skeleton skeleton = extractSkeleton(demo);
  const Model alone = meshesAlone(demo);
  const JoinedMeshes mesh = joinMeshes(alone);
  for (const std::uint32_t influences : {4u, 7u}) {
    const AutomaticWeights weights =
        automaticWeights(mesh.positions, mesh.triangles, skeleton.bones,
                         {.influences = influences, .glowSteps = 0}, skeleton.jointOfBone);
    const Model bound = bindModel(alone, skeleton, weights.influences);
    CHECK(maxInfluences(weights.influences) == influences);
    checkRoundTrip(bound);
  }
}

TEST_CASE("a .glb keeps steps and cubic splines") {
  Model model = findDemo("arm").make();
  model.clips.at(0).seconds = 1.0f; // else its first track holds to its end
  Channel& channel = model.clips.at(0).channels.at(0);
  channel.translation = {{0, 1}, {vec3(0), vec3(1, 2, 3)}, Interpolation::step};
  channel.rotation = {{0, 1},
                      {quat(1, 0, 0, 0), quat(0.6f, 0.8f, 0, 0)},
                      Interpolation::cubic,
                      {{quat(0, 0, 0, 0), quat(1, 2, 3, 4)}, {quat(5, 6, 7, 8), quat(0, 0, 0, 0)}}};
  channel.scale = {
      {0, 1}, {vec3(1), vec3(2)}, Interpolation::cubic, {{vec3(3), vec3(4)}, {vec3(5), vec3(6)}}};
  const Model back = readBack(model);
  const auto& channels = back.clips.at(0).channels;
  const auto same = std::find_if(channels.begin(), channels.end(), [&](const Channel& other) {
    return back.hierarchy.nodes[other.node].name == model.hierarchy.nodes[channel.node].name;
  });
  REQUIRE(same != channels.end());
  CHECK(same->translation.interpolation == Interpolation::step);
  CHECK(same->translation.values == channel.translation.values);
  CHECK(same->rotation.interpolation == Interpolation::cubic);
  CHECK(same->rotation.values == channel.rotation.values);
  CHECK(same->rotation.tangents == channel.rotation.tangents);
  CHECK(same->scale.interpolation == Interpolation::cubic);
  CHECK(same->scale.tangents == channel.scale.tangents);
}

// A spline whose end turns about itself by more than once around.
TEST_CASE("a recorded twist of several rotations plays, and comes back from a .glb") {
  Model model = findDemo("curved-tube").make();
  const FreeSpline& spline = model.splines.at(0);
  const std::uint32_t end = spline.nodes[2];
  const Pose rest = restPose(model);
  const mat4 there = modelFromNodes(model.hierarchy, bindPose(model))[end];
  const vec3 along =
      glm::normalize(glm::inverse(mat3(there)) * (spline.points[2] - spline.points[1]));
  std::vector<Pose> poses(25, rest);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const float turned = 0.6f * static_cast<float>(i); // up to 825 degrees
    Transform& t = poses[i].parentFromNode[end];
    t.rotation = t.rotation * glm::angleAxis(turned, along);
    setTwistAt(poses[i], end, turned);
  }
  model.clips = {recordClip(model, "spin", poses, 24.0)};
  const Model back = readBack(model);
  REQUIRE(back.clips.size() == 1);
  const Method& method = findMethod("arc-spline");
  const auto skinned = [&](const Model& of, const Pose& pose) {
    const Rig rig = buildRig(of);
    const Binding binding = method.bind(rig, {});
    Palette palette;
    packPalette(method, rig, binding, modelFromNodes(of.hierarchy, pose), palette, pose.twists);
    SkinnedMesh out;
    method.skin(rig, binding, palette, out);
    return out.positions;
  };
  for (const std::size_t i : {0u, 5u, 11u, 24u}) {
    CAPTURE(i);
    const float time = static_cast<float>(i) / 24.0f;
    const std::vector<vec3> wanted = skinned(model, poses[i]);
    CHECK(test::largestMove(wanted, skinned(model, sample(model, model.clips[0], time))) < 1e-5f);
    const Pose read = sample(back, back.clips[0], time);
    const auto node = findNode(back.hierarchy, model.hierarchy.nodes[end].name);
    REQUIRE(node);
    CHECK(twistAt(read, *node) == doctest::Approx(0.6 * static_cast<double>(i)));
    Pose half = read; // what rotations alone hold
    half.twists.clear();
    const float lost = test::largestMove(skinned(back, read), skinned(back, half));
    if (i > 5)
      CHECK(lost > 0.01f);
    else if (i == 0)
      CHECK(lost == 0.0f);
  }
  Model alone = model; // whose rotations stand still
  alone.clips[0].channels.clear();
  CHECK(readBack(alone).clips.at(0).twists.size() == 1);
}

TEST_CASE("a .glb keeps morph targets, their rest weights and what clips do to them") {
  Model model = findDemo("arm").make();
  addRandomMorphs(model, 5, 2);
  for (std::uint32_t i = 0; i < 5; ++i)
    model.morphTargets[i] = {i == 0 ? "wide \"open\"" : "shape", 0.125f * static_cast<float>(i)};
  // Tracks alike, which stay; and of other times and kinds, which become linear ones.
  Clip& alike = model.clips.at(0);
  for (const std::uint32_t target : {1u, 3u})
    alike.morphs.push_back(
        {target, {{0, 1, 2}, {0, 1, 0.5f}, Interpolation::cubic, {{1, 2}, {3, 4}, {5, 6}}}});
  Clip& mixed = model.clips.at(1);
  mixed.morphs.push_back({0, {{0, 1}, {0.25f, 1}, Interpolation::step}});
  mixed.morphs.push_back({2, {{0.5f, 3}, {0, 1}, Interpolation::cubic, {{0, 1}, {1, 0}}}});
  mixed.morphs.push_back({4, {{0, 0.3f, 2}, {1, 0, -1}}});
  const Model back = readBack(model);
  REQUIRE(back.morphTargets.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(back.morphTargets[i].name == model.morphTargets[i].name);
    CHECK(back.morphTargets[i].weight == model.morphTargets[i].weight);
  }
  REQUIRE(back.clips.at(0).morphs.size() == 5); // one sampler for all: unmoved ones are constant
  const Track<float>& track = back.clips[0].morphs[1].weight;
  CHECK(track.interpolation == Interpolation::cubic);
  CHECK(track.values == alike.morphs[0].weight.values);
  CHECK(track.tangents == alike.morphs[0].weight.tangents);
  CHECK(back.clips[0].morphs[2].weight.values ==
        std::vector<float>(3, model.morphTargets[2].weight));
  for (const float time : {0.0f, 0.2f, 0.9f, 0.999f, 1.0f, 1.7f, 2.5f, 3.5f}) {
    CAPTURE(time);
    const MorphWeights expected = sample(model, mixed, time).morphWeights;
    const MorphWeights found = sample(back, back.clips[1], time).morphWeights;
    for (std::size_t i = 0; i < 5; ++i)
      CHECK(found[i] == doctest::Approx(expected[i]).epsilon(0.02));
  }
  model.clips.erase(model.clips.begin() + 1); // between its keys a curve is linear parts
  checkRoundTrip(model);
}

TEST_CASE("a .glb keeps meshes together that share morph targets") {
  Model model = findDemo("arm").make();
  addRandomMorphs(model, 3, 2);
  model.meshes.push_back(model.meshes[0]);
  model.meshes[0].name = "face-0";
  model.meshes[1].name = "face-1";
  model.meshes[1].morphs.pop_back(); // one of them does not move it
  model.meshes[1].morphs[0].normals.clear();
  model.clips[0].morphs.push_back({2, {{0, 1}, {0, 1}}});
  const Model back = readBack(model);
  REQUIRE(back.morphTargets.size() == 3);
  REQUIRE(back.meshes.size() == 2);
  CHECK(back.meshes[0].morphs.size() == 3);
  REQUIRE(back.meshes[1].morphs.size() == 2);
  CHECK(back.meshes[1].morphs[0].normals.empty());
  CHECK(!back.meshes[0].morphs[0].normals.empty());
  checkRoundTrip(model);
}

TEST_CASE("a .glb keeps tangents, normal map and blending") {
  Model model = findDemo("arm").make();
  model.textures = {{"bumps.png", "", {2, 1, {128, 128, 255, 255, 200, 128, 230, 255}}, true}};
  Material& material = model.materials[0];
  material.normalTexture = 0;
  material.normalScale = 0.75f;
  material.alphaMode = AlphaMode::blend;
  material.baseColor.w = 0.5f;
  Mesh& mesh = model.meshes[0];
  for (const vec3& normal : mesh.normals)
    mesh.tangents.emplace_back(perpendicular(normal), normal.x > 0.0f ? 1.0f : -1.0f);
  const Model back = readBack(model);
  const Mesh& read = back.meshes[0];
  REQUIRE(read.positions == mesh.positions);
  REQUIRE(read.tangents.size() == mesh.tangents.size());
  for (std::size_t v = 0; v < read.tangents.size(); ++v)
    CHECK(glm::length(read.tangents[v] - mesh.tangents[v]) < 1e-6f);
  const Material& found = back.materials[read.material];
  REQUIRE(found.normalTexture);
  CHECK(back.textures[*found.normalTexture].image.rgba == model.textures[0].image.rgba);
  CHECK(found.normalScale == doctest::Approx(0.75f));
  CHECK(found.alphaMode == AlphaMode::blend);
  CHECK(found.baseColor.w == doctest::Approx(0.5f));
}

TEST_CASE("a .glb keeps metalness, roughness, occlusion and emission") {
  Model model = findDemo("arm").make();
  model.textures = {{"surface.png", "", {1, 1, {200, 128, 64, 255}}, true},
                    {"glow.png", "", {1, 1, {10, 20, 30, 255}}, true}};
  Material& material = model.materials[0];
  material.texture.reset();
  material.metallic = 0.25f;
  material.roughness = 0.75f;
  material.emissive = vec3(2.0f, 0.5f, 0.0f);
  material.surfaceTexture = material.occlusionTexture = 0;
  material.occlusionStrength = 0.5f;
  material.emissiveTexture = 1;
  const std::string file = toGlb(model);
  CHECK(test::contains(file, R"("extensionsUsed":["KHR_materials_emissive_strength"])"));
  const Model back = readBack(model);
  CHECK(back.warnings.empty());
  const Material& found = back.materials[back.meshes[0].material];
  CHECK(found.metallic == doctest::Approx(0.25f));
  CHECK(found.roughness == doctest::Approx(0.75f));
  CHECK(glm::length(found.emissive - material.emissive) < 1e-6f);
  CHECK(found.occlusionStrength == doctest::Approx(0.5f));
  REQUIRE(listTextures(found).size() == 3);
  CHECK(found.surfaceTexture == found.occlusionTexture);
  CHECK(found.emissiveTexture != found.surfaceTexture);
}

TEST_CASE("a .glb has the model's textures and says what it leaves out") {
  Model model = findDemo("arm").make();
  CHECK(leftOutOfGlb(model).empty());
  Texture texture;
  texture.path = "skin.png";
  texture.image = {2, 1, {10, 20, 30, 255, 200, 100, 50, 255}};
  texture.found = true;
  model.textures = {texture, {"lost.png", "", {1, 1, {0, 0, 0, 255}}, false}};
  model.materials[0].texture = 0;
  model.materials[0].alphaMode = AlphaMode::mask;
  model.materials[0].alphaCutoff = 0.3f;
  model.materials[0].doubleSided = true;
  const Model back = readBack(model);
  REQUIRE(back.textures.size() == 1);
  CHECK(back.textures[0].found);
  CHECK(back.textures[0].image.rgba == texture.image.rgba);
  CHECK(back.materials[back.meshes[0].material].alphaMode == AlphaMode::mask);
  CHECK(back.materials[back.meshes[0].material].alphaCutoff == doctest::Approx(0.3f));
  CHECK(back.materials[back.meshes[0].material].doubleSided);
  CHECK(std::abs(back.materials[back.meshes[0].material].shininess - model.materials[0].shininess) <
        0.01f);
  REQUIRE(leftOutOfGlb(model).size() == 1);
  CHECK(test::contains(leftOutOfGlb(model)[0], "lost.png"));
}
