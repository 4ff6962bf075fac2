// Import of real models: those beside the repository and Debian's assimp-testmodels. Missing ones
// are skipped with a message.
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

struct Expected {
  const char* file;
  const char* format;
  std::size_t triangles;
  std::size_t joints; // joints of the skins together, each node once
  std::size_t clips;
};
// Faces, joints and animations as the models' own list gives them. What differs: one mesh of
// Male_Suit is four triangles without an area, and end sites of BVH files are no moving joints.
const Expected kExpected[] = {
    {"tiny/tiny.x", "DirectX X text", 6841, 35, 1},
    {"wuson/Testwuson.X", "DirectX X text", 3732, 37, 3},
    {"minetest_character/character.x", "DirectX X text", 96, 7, 2},
    {"minetest_character/character.b3d", "Blitz3D", 84, 6, 1},
    {"male_suit/Male_Suit.fbx", "FBX binary", 2056, 31, 11},
    {"zombie/ZombieSmooth.fbx", "FBX binary", 2116, 41, 5},
    {"kenney_character/kenney_character.fbx", "FBX binary", 1604, 45, 1},
    {"arnaud/arnaud.fbx", "FBX binary", 6670, 53, 0},
    {"arnaud/locomotions.fbx", "FBX binary", 0, 68, 3},
    {"dq_weights/maya_dq_weights.fbx", "FBX binary", 1344, 6, 1},
    {"fox/Fox.glb", "glTF binary", 576, 24, 3},
    {"cesium_man/CesiumMan.glb", "glTF binary", 4672, 19, 1},
    {"cesium_man/CesiumMan.dae", "Collada", 4672, 19, 1},
    {"kaykit_knight/Knight.glb", "glTF binary", 6952, 41, 76},
    {"mannequiny/mannequiny.glb", "glTF binary", 13832, 45, 10},
    {"redeclipse_hands/hud_hands.md5mesh", "MD5 mesh", 1764, 30, 1},
    {"redeclipse_hands/hud_sword-idle.md5anim", "MD5 animation", 0, 31, 1},
    {"makehuman_body/makehuman_body.obj", "Wavefront OBJ", 26756, 0, 0},
    {"makehuman_body/walk1.bvh", "BVH motion capture", 0, 75, 1},
    {"makehuman_body/dance1.bvh", "BVH motion capture", 0, 75, 1},
    {"cmu_motion/01_01.bvh", "BVH motion capture", 0, 31, 1},
    {"libigl_arm/arm.obj", "Wavefront OBJ", 16618, 0, 0},
    {"mesh2motion_fox/fox.glb", "glTF binary", 1466, 0, 0},
    {"mesh2motion_fox/skeleton-quadraped.glb", "glTF binary", 0, 29, 4},
};

void checkMesh(const Model& model, const Mesh& mesh) {
  const std::size_t count = mesh.positions.size();
  REQUIRE(count > 0);
  REQUIRE(mesh.normals.size() == count);
  CHECK((mesh.texcoords.empty() || mesh.texcoords.size() == count));
  CHECK((mesh.colors.empty() || mesh.colors.size() == count));
  CHECK(mesh.material < model.materials.size());
  CHECK(mesh.node < model.hierarchy.nodes.size());
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < count; ++v)
    if (!isFinite(mesh.positions[v]) || std::abs(glm::length(mesh.normals[v]) - 1.0f) > 1e-4f)
      ++wrong;
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle)
      if (v >= count) ++wrong;
  CHECK(wrong == 0);
  CHECK(mesh.influences.vertexCount() == (mesh.skin ? count : 0));
}

void checkWeights(const Model& model, const Mesh& mesh) {
  const std::size_t joints = model.skins.at(*mesh.skin).joints.size();
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < mesh.influences.vertexCount(); ++v) {
    float sum = 0.0f;
    float last = 1e9f;
    for (const Influence& influence : mesh.influences.of(v)) {
      if (influence.joint >= joints || !(influence.weight > 0.0f) || influence.weight > last)
        ++wrong;
      last = influence.weight;
      sum += influence.weight;
    }
    if (std::abs(sum - 1.0f) > 1e-5f) ++wrong;
  }
  CHECK(wrong == 0);
}

template <class T>
void checkTrack(const Track<T>& track) {
  REQUIRE(track.times.size() == track.values.size());
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < track.times.size(); ++i)
    if (!(track.times[i] > track.times[i - 1])) ++wrong;
  CHECK(wrong == 0);
}

void checkClip(const Model& model, const Clip& clip) {
  CHECK_FALSE(clip.name.empty());
  CHECK(std::isfinite(clip.seconds));
  std::size_t wrong = 0;
  for (const Channel& channel : clip.channels) {
    CHECK(channel.node < model.hierarchy.nodes.size());
    checkTrack(channel.translation);
    checkTrack(channel.rotation);
    checkTrack(channel.scale);
    const std::vector<quat>& q = channel.rotation.values;
    for (std::size_t i = 0; i < q.size(); ++i)
      if (std::abs(glm::length(q[i]) - 1.0f) > 1e-4f ||
          (i > 0 && glm::dot(q[i], q[i - 1]) < -1e-4f))
        ++wrong;
  }
  CHECK(wrong == 0);
}

// All that the importer guarantees of a Model, and finite vertices in every clip.
void checkModel(const Model& model) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < model.hierarchy.nodes.size(); ++i) {
    const Node& node = model.hierarchy.nodes[i];
    CHECK((node.parent == kNoNode ? i == 0 : node.parent < i));
    CHECK(node.name.find("$AssimpFbx$") == std::string::npos);
    CHECK(isFinite(node.rest));
    names.push_back(node.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  for (const Mesh& mesh : model.meshes) {
    checkMesh(model, mesh);
    if (mesh.skin) checkWeights(model, mesh);
  }
  for (const Clip& clip : model.clips)
    checkClip(model, clip);
  if (model.meshes.empty()) return;
  const Rig rig = buildRig(model);
  std::size_t wrong = 0;
  for (const Clip& clip : model.clips)
    for (const vec3& p :
         pose(model, rig, sample(model.hierarchy, clip, 0.4f * clip.seconds)).positions)
      if (!isFinite(p)) ++wrong;
  CHECK(wrong == 0);
}

std::optional<Model> load(const fs::path& path) {
  if (!fs::exists(path)) {
    MESSAGE("skipped, not there: ", path.string());
    return std::nullopt;
  }
  return importModel(path);
}

float measureSize(const SkinnedMesh& mesh) {
  return computeBounds(mesh.positions).size();
}

float largestDistance(const SkinnedMesh& a, const SkinnedMesh& b) {
  REQUIRE(a.positions.size() == b.positions.size());
  float largest = 0.0f;
  for (std::size_t v = 0; v < a.positions.size(); ++v)
    largest = std::max(largest, glm::distance(a.positions[v], b.positions[v]));
  return largest;
}

} // namespace

TEST_CASE("every shared model loads with the expected counts") {
  for (const Expected& expected : kExpected) {
    CAPTURE(expected.file);
    const auto model = load(sharedModels() / expected.file);
    if (!model) continue;
    CHECK(model->format == expected.format);
    CHECK(triangleCount(*model) == expected.triangles);
    CHECK(model->clips.size() == expected.clips);
    const std::size_t joints = jointNodes(*model).size();
    // Joints no vertex follows are in no skin.
    if (fs::path(expected.file).filename() == "Knight.glb")
      CHECK(joints <= expected.joints);
    else
      CHECK(joints == (expected.triangles > 0 && model->skins.empty() ? 0 : expected.joints));
    checkModel(*model);
  }
}

TEST_CASE("every rigged model of assimp-testmodels loads") {
  const fs::path folder = "/usr/share/assimp/models";
  for (const char* file :
       {"BVH/01_03.bvh", "BVH/Boxing_Toes.bvh", "CSM/ThomasFechten.csm",
        "Collada/box_nested_animation.dae", "FBX/animation_with_skeleton.fbx", "FBX/huesitos.fbx",
        "MD5/SimpleCube.md5mesh", "MDL/MDL (HL1)/man.mdl", "MDL/MDL (HL1)/blend_additive.mdl",
        "MDL/MDL (HL1)/unnamed_bones.mdl", "MDL/MDL (HL1)/duplicate_bodyparts.mdl",
        "SMD/WusonSMD.smd", "SMD/holy_grailref.smd", "X/BCN_Epileptic.X", "X/anim_test.x",
        "X/test_cube_binary.x", "X/test_cube_compressed.x", "X/test_cube_text.x",
        "glTF2/simple_skin/simple_skin.gltf"}) {
    CAPTURE(file);
    if (const auto model = load(folder / file)) checkModel(*model);
  }
}

TEST_CASE("models whose rest pose is the bind pose keep their shape at rest") {
  for (const char* file : {"arnaud/arnaud.fbx", "redeclipse_hands/hud_hands.md5mesh",
                           "minetest_character/character.b3d", "mannequiny/mannequiny.glb",
                           "/usr/share/assimp/models/MDL/MDL (HL1)/man.mdl"}) {
    CAPTURE(file);
    const auto model = load(sharedModels() / file);
    if (!model) continue;
    // Up to the turn to Y up, which the nodes carry and the bind space may not: so by distances.
    const SkinnedMesh rest = atRest(*model);
    const Rig rig = buildRig(*model);
    const float size = measureSize(rest);
    const std::size_t step = rig.positions.size() / 50 + 1;
    for (std::size_t a = 0; a < rig.positions.size(); a += step)
      for (std::size_t b = 0; b < a; b += step)
        CHECK(std::abs(glm::distance(rest.positions[a], rest.positions[b]) -
                       glm::distance(rig.positions[a], rig.positions[b])) < 1e-5f * size);
  }
}

TEST_CASE("characters stand upright: heads above feet, and as tall as they are") {
  struct Upright {
    const char* file;
    const char* head;
    const char* foot;
  };
  for (const Upright& each :
       {Upright{"tiny/tiny.x", "Bip01_Head", "Bip01_L_Foot"},
        Upright{"wuson/Testwuson.X", "Neck", "HindLeg_L_04"},
        Upright{"zombie/ZombieSmooth.fbx", "Head", "LeftFoot"},
        Upright{"arnaud/arnaud.fbx", "Head", "LeftFoot"},
        Upright{"cmu_motion/01_01.bvh", "Head", "LeftFoot"},
        Upright{"minetest_character/character.b3d", "Head", "Leg_Left"},
        Upright{"minetest_character/character.x", "Armature_Head", "Armature_Leg_Left"}}) {
    CAPTURE(each.file);
    const auto model = load(sharedModels() / each.file);
    if (!model) continue;
    const auto head = findNode(model->hierarchy, each.head);
    const auto foot = findNode(model->hierarchy, each.foot);
    REQUIRE(head);
    REQUIRE(foot);
    const auto matrices = modelFromNodes(model->hierarchy, restPose(model->hierarchy));
    const vec3 up = vec3(matrices[*head][3]) - vec3(matrices[*foot][3]);
    CHECK(up.y > 0.0f);
    CHECK(up.y > 1.5f * std::abs(up.x));
  }
  if (const auto tiny = load(sharedModels() / "tiny" / "tiny.x")) {
    const vec3 extent = computeBounds(atRest(*tiny).positions).extent();
    CHECK(extent.y > 1.8f * extent.x);
    CHECK(extent.y > 1.5f * extent.z);
    const vec3 bind = computeBounds(tiny->meshes.at(0).positions).extent();
    CHECK(bind.y > 1.2f * bind.x); // the bind pose too, arms spread
    CHECK(bind.y > 2.0f * bind.z);
  }
}

TEST_CASE("triangles face outward") {
  for (const Expected& expected : kExpected) {
    if (expected.triangles == 0) continue;
    CAPTURE(expected.file);
    const auto model = load(sharedModels() / expected.file);
    if (!model) continue;
    const Rig rig = buildRig(*model);
    const SkinnedMesh rest = atRest(*model);
    double volume = 0.0;
    for (const auto& [a, b, c] : rig.triangles)
      volume += glm::dot(rest.positions[a], glm::cross(rest.positions[b], rest.positions[c])) / 6.0;
    CHECK(volume > 0.0);
  }
}

TEST_CASE("one character in glTF and Collada is posed alike") {
  const auto gltf = load(sharedModels() / "cesium_man" / "CesiumMan.glb");
  const auto collada = load(sharedModels() / "cesium_man" / "CesiumMan.dae");
  if (!gltf || !collada) return;
  const SkinnedMesh a = atRest(*gltf);
  CHECK(largestDistance(a, atRest(*collada)) < 1e-5f * measureSize(a));
  // The glTF file keeps four of up to eight influences; where Collada has no more, nothing differs.
  const Influences& all = collada->meshes.at(0).influences;
  for (const float time : {0.0f, 0.5f, 1.0f, 1.7f}) {
    const SkinnedMesh g = posedAt(*gltf, gltf->clips.at(0), time);
    const SkinnedMesh c = posedAt(*collada, collada->clips.at(0), time);
    REQUIRE(g.positions.size() == c.positions.size());
    std::size_t same = 0;
    float largest = 0.0f;
    for (std::size_t v = 0; v < g.positions.size(); ++v)
      if (all.of(v).size() <= 4) {
        ++same;
        largest = std::max(largest, glm::distance(g.positions[v], c.positions[v]));
      }
    CHECK(same == g.positions.size() - 210); // as many as the model's list says
    CHECK(largest < 1e-5f * measureSize(a));
  }
}

TEST_CASE("clip names, lengths and ticks") {
  if (const auto wuson = load(sharedModels() / "wuson" / "Testwuson.X")) {
    REQUIRE(wuson->clips.size() == 3);
    CHECK(wuson->clips[0].name == "Wuson_Run");
    CHECK(wuson->clips[1].name == "Wuson_Walk");
    CHECK(wuson->clips[2].name == "Wuson_Bind");
    CHECK(wuson->clips[1].seconds == doctest::Approx(3.6f));
  }
  if (const auto tiny = load(sharedModels() / "tiny" / "tiny.x")) {
    CHECK(tiny->clips.at(0).name == "clip 0");
    CHECK(tiny->clips.at(0).seconds == doctest::Approx(4960.0f / 4800.0f).epsilon(0.01));
    REQUIRE(tiny->textures.size() == 1);
    CHECK(tiny->textures[0].found);
    CHECK(tiny->textures[0].image.width == 256);
  }
}

TEST_CASE("rigid meshes are attached to bones, and a missing texture is reported") {
  if (const auto knight = load(sharedModels() / "kaykit_knight" / "Knight.glb")) {
    std::size_t rigid = 0;
    for (const Mesh& mesh : knight->meshes)
      if (!mesh.skin) ++rigid;
    CHECK(rigid == 9);
    CHECK(knight->meshes.size() == 15);
    CHECK(knight->textures.size() == 1);
    CHECK(knight->textures[0].source == "embedded");
  }
  if (const auto hands = load(sharedModels() / "redeclipse_hands" / "hud_hands.md5mesh")) {
    REQUIRE(hands->textures.size() == 1);
    CHECK_FALSE(hands->textures[0].found);
    CHECK(hands->textures[0].image.width > 0);
    CHECK(anyContains(hands->warnings, "hudhandsdiffuse.png"));
  }
}
