#include "animation/random_model.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "export/export_formats.h"
#include "export/fbx/curves.h"
#include "export/fbx/fbx.h"
#include "export/glb.h"
#include "import/fbx/animation.h"
#include "import/import_test_tools.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace sinew;

namespace {

Model throughFbx(const Model& model, const FbxOptions& options = {}) {
  const test::TempFolder folder;
  return importModel(folder.write("m.fbx", toFbx(model, options).bytes));
}

// Every corner of every triangle: reading has an order of its own for vertices, not for triangles.
std::vector<vec3> collectCorners(const Rig& rig, const SkinnedMesh& skin, float unit) {
  std::vector<vec3> out;
  for (const Triangle& t : rig.triangles)
    for (const std::uint32_t v : t)
      out.push_back(unit * skin.positions[v]);
  return out;
}

// The largest distance between corners of one number, as a fraction of the size.
float largestCornerGap(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, glm::distance(a[i], b[i]));
  return largest / computeBounds(a).size();
}

// The largest distance from every seventh vertex of `a` to the nearest one of `b`, as a fraction of
// the size. For triangles in another order, as a geometry of several materials has them.
float largestVertexGap(std::vector<vec3> a, const std::vector<vec3>& b, float unit) {
  for (vec3& p : a)
    p *= unit;
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); i += 7) {
    float nearest = std::numeric_limits<float>::infinity();
    for (const vec3& p : b)
      nearest = std::min(nearest, glm::distance(a[i], p));
    largest = std::max(largest, nearest);
  }
  return largest / computeBounds(a).size();
}

// byCorner: the triangles of both are in one order.
void checkSamePoses(const Model& model, const Model& back, float unit, bool byCorner = true) {
  const Rig before = buildRig(model);
  const Rig after = buildRig(back);
  REQUIRE(back.clips.size() == model.clips.size());
  for (std::size_t c = 0; c < model.clips.size(); ++c) {
    CAPTURE(model.clips[c].name);
    CHECK(back.clips[c].name == model.clips[c].name);
    CHECK(back.clips[c].seconds == doctest::Approx(model.clips[c].seconds));
    for (const float at : {0.0f, 0.31f, 0.5f, 0.83f, 1.0f}) {
      const float time = at * model.clips[c].seconds;
      const SkinnedMesh a = test::pose(model, before, sample(model, model.clips[c], time));
      const SkinnedMesh b = test::pose(back, after, sample(back, back.clips[c], time));
      if (byCorner)
        CHECK(largestCornerGap(collectCorners(before, a, unit), collectCorners(after, b, 1.0f)) <
              1e-5f);
      else
        CHECK(largestVertexGap(a.positions, b.positions, unit) < 1e-5f);
    }
  }
}

Track<quat> randomRotations(Random& random, Interpolation interpolation) {
  Track<quat> track;
  track.interpolation = interpolation;
  for (int key = 0; key < 5; ++key) {
    track.times.push_back(0.25f * static_cast<float>(key));
    quat q = randomRotation(random);
    if (key > 0 && glm::dot(q, track.values.back()) < 0.0f) q = -q;
    track.values.push_back(q);
    if (interpolation == Interpolation::cubic)
      track.tangents.push_back({quat(0.1f, 0.4f, -0.3f, 0.2f), quat(0.0f, 0.3f, 0.5f, -0.4f)});
  }
  return track;
}

// Every kind of track, more than half a turn between keys among them.
Clip randomClip(const Model& model, std::uint64_t seed) {
  Random random(seed);
  Clip clip{"all", 1.5f, {}};
  constexpr std::array kKinds = {Interpolation::linear, Interpolation::cubic, Interpolation::step};
  for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node) {
    Channel channel{node, {}, {}, {}};
    channel.rotation = randomRotations(random, kKinds.at(node % 3));
    channel.translation = {{0.1f, 0.6f}, {vec3(0.0f), randomDirection(random)}};
    channel.scale = {
        {0.0f, 1.0f}, {vec3(1.0f), vec3(0.8f, 1.1f, 1.3f)}, kKinds.at(node % 2 == 0 ? 0 : 2)};
    clip.channels.push_back(std::move(channel));
  }
  for (std::uint32_t target = 0; target < model.morphTargets.size(); ++target)
    clip.morphs.push_back({target, {{0.2f, 0.9f}, {0.0f, 1.2f}}});
  return clip;
}

std::int32_t intAt(const std::string& bytes, std::size_t at) {
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

} // namespace

TEST_CASE("random models with every kind of track come back from an .fbx in the same poses") {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    CAPTURE(seed);
    Model model = randomModel(seed, {.joints = 8, .vertices = 60});
    addRandomMorphs(model, 2, seed);
    model.clips = {randomClip(model, seed)};
    const bool inMetres = seed % 2 == 0;
    if (inMetres) model.metersPerUnit = 1.0f;
    // Reading repairs the random surface: what it made of it is what has to come back.
    const Model read = throughFbx(model);
    CHECK(read.metersPerUnit == doctest::Approx(inMetres ? 0.01f : 1.0f));
    const float scale = inMetres ? 1.0f : 100.0f; // to centimetres
    checkSamePoses(read, throughFbx(read), scale);
    FbxOptions options;
    options.up = FbxUp::z;
    const Model zUp = throughFbx(read, options);
    checkSamePoses(read, zUp, scale);
  }
}

TEST_CASE("a character in metres comes back from an .fbx in centimetres" *
          doctest::skip(test::kSanitized)) {
  const Model model = findDemo("humanoid").make();
  const Model back = throughFbx(model);
  CHECK(back.metersPerUnit == doctest::Approx(0.01f));
  CHECK(back.materials.size() == model.materials.size());
  CHECK(triangleCount(back) == triangleCount(model));
  CHECK(back.skins.front().joints.size() == model.skins.front().joints.size());
  CHECK(back.warnings.empty());
  checkSamePoses(model, back, 100.0f, false);
}

TEST_CASE("a file is as large as the model, whatever its unit and the file's") {
  Model model = randomModel(3, {.joints = 8, .vertices = 60});
  addRandomMorphs(model, 2, 3);
  model.clips = {randomClip(model, 3)};
  model = throughFbx(model); // repaired
  model.metersPerUnit = 0.0254f;
  const test::TempFolder folder;
  for (const ExportFormat& format : exportFormats()) {
    CAPTURE(format.extension);
    if (std::string_view(format.extension) == ".vrm") continue; // a model has to be read from one
    const std::string name = std::string("m") + format.extension;
    const Model back = importModel(folder.write(name, format.write(model, {}, name, {}).bytes));
    REQUIRE(back.metersPerUnit);
    CHECK(*back.metersPerUnit == doctest::Approx(format.metersPerUnit));
    CHECK(lengthFactor(format, model) == doctest::Approx(0.0254f / format.metersPerUnit));
    checkSamePoses(model, back, lengthFactor(format, model));
  }
}

TEST_CASE("an .fbx keeps the method that its skin states") {
  Model model = findDemo("arm").make();
  for (const char* method : {"", "rigid", "dqs"}) {
    model.skinnedBy = method;
    CHECK(throughFbx(model).skinnedBy == method);
  }
}

TEST_CASE("an .fbx keeps how much of each vertex dual quaternions have") {
  Model model = findDemo("arm").make();
  Random random(3);
  for (Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      mesh.dualQuaternionShares.push_back(random.uniform(0.0f, 1.0f));
  model.skinnedBy = "per-joint";
  CHECK(leftOutOfGlb(model).size() == 1);
  const Model back = throughFbx(model);
  CHECK(back.skinnedBy == "per-joint");
  const Rig before = buildRig(model);
  const Rig after = buildRig(back);
  REQUIRE(after.triangles.size() == before.triangles.size());
  for (std::size_t t = 0; t < before.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(after.dualQuaternionShares[after.triangles[t][k]] ==
            before.dualQuaternionShares[before.triangles[t][k]]);
}

TEST_CASE("Euler angles of an .fbx mean the rotation and run on from those before") {
  Random random(7);
  glm::dvec3 near(0.0);
  for (int i = 0; i < 300; ++i) {
    glm::dquat q(randomRotation(random));
    if (i % 3 == 0) // y at a right angle, where x and z turn about one axis
      q = fbxRotation({random.uniform(-180.0f, 180.0f), i % 2 == 0 ? 90.0 : -90.0, 40.0}, 0);
    near = fbxEulerAngles(glm::normalize(q), near);
    const glm::dquat back = fbxRotation(near, 0);
    CHECK(std::abs(glm::dot(glm::normalize(q), back)) > 1.0 - 1e-9);
  }
  // Two whole turns about an axis are 720 degrees.
  Track<quat> track;
  for (int key = 0; key <= 16; ++key) {
    track.times.push_back(0.1f * static_cast<float>(key));
    track.values.push_back(
        glm::angleAxis(glm::radians(45.0f * static_cast<float>(key)), vec3(1, 0, 0)));
  }
  CHECK(fbxRotationKeys(track, 1e-3).values.back().x == doctest::Approx(720.0));
}

TEST_CASE("an .fbx has the layout of version 7.4, and is the same each time") {
  const Model model = findDemo("humanoid").make();
  const std::string file = toFbx(model).bytes;
  CHECK(file == toFbx(model).bytes);
  CHECK(file.starts_with("Kaydara FBX Binary  "));
  CHECK(intAt(file, 23) == 7400);
  // The end: code, zeros to a multiple of 16, version, 120 zeros, code.
  const std::size_t version = file.size() - 16 - 120 - 4;
  CHECK(version % 16 == 0);
  CHECK(intAt(file, version) == 7400);
  CHECK(file.find("UnitScaleFactor") != std::string::npos);
}

TEST_CASE("images are in an .fbx or in a folder beside it") {
  Model model = findDemo("humanoid").make();
  Texture texture;
  texture.path = "skins/leather:1.tga";
  texture.found = true;
  texture.image = {2, 2, std::vector<std::uint8_t>(16, 200)};
  model.textures = {texture};
  model.materials[0].texture = 0;
  const test::TempFolder folder;
  const ExportFormat& format = *findExportFormat(".fbx");
  const auto path = folder.path / "m.fbx";
  for (const bool beside : {false, true}) {
    writeModel(format, model, {}, path, {.texturesBeside = beside});
    CHECK(std::filesystem::exists(folder.path / "m.fbm" / "leather_1.png") == beside);
    const Model back = importModel(path);
    REQUIRE(back.textures.size() == 1);
    CHECK(back.textures[0].found);
    CHECK(back.textures[0].image.rgba == texture.image.rgba);
  }
}

TEST_CASE("an .fbx keeps metalness, roughness, occlusion and emission") {
  Model model = findDemo("humanoid").make();
  Texture texture;
  texture.path = "surface.png";
  texture.found = true;
  texture.image = {2, 1, {90, 100, 200, 255, 80, 50, 0, 255}};
  model.textures = {texture};
  for (Mesh& mesh : model.meshes)
    mesh.material = 0;
  Material& material = model.materials[0];
  material.name = "worn";
  material.surfaceTexture = material.occlusionTexture = material.emissiveTexture = 0;
  material.metallic = 0.5f;
  material.roughness = 1.0f;
  material.emissive = vec3(4.0f);
  const Model back = throughFbx(model);
  REQUIRE(back.materials.size() == 1);
  const Material& read = back.materials[0];
  REQUIRE(read.surfaceTexture);
  REQUIRE(read.occlusionTexture);
  REQUIRE(read.emissiveTexture);
  const std::vector<std::uint8_t>& surface = back.textures[*read.surfaceTexture].image.rgba;
  CHECK(surface[1] == 100);
  CHECK(surface[2] == 100); // with the factor
  CHECK(surface[5] == 50);
  CHECK(read.metallic == 1.0f);
  CHECK(back.textures[*read.occlusionTexture].image.rgba[0] == 90);
  CHECK(back.textures[*read.emissiveTexture].image.rgba == texture.image.rgba);
  CHECK(read.emissive == vec3(4.0f));

  model.materials[0].surfaceTexture = {};
  model.materials[0].roughness = 0.25f;
  model.materials[0].emissiveTexture = {};
  model.materials[0].emissive = {4.0f, 2.0f, 0.0f};
  const Model plain = throughFbx(model);
  CHECK(plain.materials[0].metallic == 0.5f);
  CHECK(plain.materials[0].roughness == 0.25f);
  CHECK(plain.materials[0].emissive == vec3(4.0f, 2.0f, 0.0f));
}

TEST_CASE("an .fbx keeps a clip that moves nothing, with its length") {
  Model model = findDemo("arm").make();
  model.clips.insert(model.clips.begin(), Clip{"still", 2.0f, {}});
  CHECK(leftOutOfFbx(model).empty());
  const Model back = throughFbx(model);
  REQUIRE(back.clips.size() == model.clips.size());
  CHECK(back.clips[0].name == "still");
  CHECK(back.clips[0].seconds == doctest::Approx(2.0f));
}

TEST_CASE("what an .fbx has no place for is told") {
  Model model = findDemo("humanoid").make();
  model.splines = {{"tail", {0, 0, 0}, {}}};
  model.morphTargets = {{"unused"}};
  CHECK(leftOutOfFbx(model).size() == 2);
  CHECK_THROWS(toFbx(Model()));
}
