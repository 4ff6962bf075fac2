#include "animation/mirror.h"
#include "animation/random_model.h"
#include "animation/side_names.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "import/import_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <filesystem>

using namespace sinew;

namespace {

bool namesOther(const char* name, const char* other, Side side) {
  const std::vector<SideName> found = sideNames(name);
  return std::any_of(found.begin(), found.end(), [&](const SideName& each) {
    return each.other == other && each.side == side;
  });
}

vec3 mirrorPoint(const MirrorMap& map, const vec3& p) {
  return p - 2.0f * (glm::dot(map.normal, p) - map.offset) * map.normal;
}

// Every joint turned a little, the hips moved.
Pose someLayers(const Model& model, std::uint64_t seed) {
  Random random(seed);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode)
    t.rotation = glm::normalize(
        t.rotation * glm::angleAxis(random.uniform(-1.0f, 1.0f), randomDirection(random)));
  pose.parentFromNode[0].translation += vec3(0.1f, -0.2f, 0.3f);
  return pose;
}

std::size_t pairsIn(const Model& model, const MirrorMap& map) {
  std::size_t pairs = 0;
  for (const std::uint32_t joint : jointNodes(model))
    if (map.partner[joint] != kNoNode && map.partner[joint] != joint) ++pairs;
  return pairs / 2;
}

} // namespace

TEST_CASE("sides: in every way that programs write them") {
  CHECK(namesOther("LeftArm", "RightArm", Side::left));
  CHECK(namesOther("mixamorig:RightHandThumb1", "mixamorig:LeftHandThumb1", Side::right));
  CHECK(namesOther("arm_left", "arm_right", Side::left));
  CHECK(namesOther("LEFT_ARM", "RIGHT_ARM", Side::left));
  CHECK(namesOther("L_Arm", "R_Arm", Side::left));
  CHECK(namesOther("arm_l", "arm_r", Side::left));
  CHECK(namesOther("Arm.R", "Arm.L", Side::right));
  CHECK(namesOther("Arm.L.001", "Arm.R.001", Side::left));
  CHECK(namesOther("Fingers.L_end", "Fingers.R_end", Side::left));
  CHECK(namesOther("Bip01 L UpperArm", "Bip01 R UpperArm", Side::left));
  CHECK(namesOther("ForeLeg_R_01", "ForeLeg_L_01", Side::right));
  CHECK(namesOther("lShoulder", "rShoulder", Side::left));
  CHECK(namesOther("RLeg", "LLeg", Side::right));
  CHECK(namesOther("armL", "armR", Side::left));
  CHECK(sideNames("Spine1").empty());
  CHECK(sideNames("Lip").empty());
  CHECK(sideNames("roll").empty());
  CHECK(sideNames("").empty());
}

TEST_CASE("sides: the other name has to be there, but for case and an exporter's number") {
  Hierarchy hierarchy;
  for (const char* name : {"root", "Lefthand", "RightHand", "b_LeftFoot_01", "b_RightFoot_07",
                           "LeftOnly", "L_a", "R_a"})
    hierarchy.nodes.push_back({name, hierarchy.nodes.empty() ? kNoNode : 0u, {}});
  const SidePartners partners = partnersByName(hierarchy);
  CHECK(partners.partner == std::vector<std::uint32_t>{kNoNode, 2, 1, 4, 3, kNoNode, 7, 6});
  CHECK(partners.side[1] == Side::left);
  CHECK(partners.side[4] == Side::right);
}

TEST_CASE("mirror: a symmetric character's mirrored pose is its mirror image, and twice is once") {
  const Model model = findDemo("humanoid").make();
  const MirrorMap map = mirrorMap(model);
  CHECK(map.without.empty());
  CHECK(std::abs(map.normal.x) == doctest::Approx(1.0f));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Pose pose = someLayers(model, seed);
    const Pose image = mirrored(model, map, pose);
    const auto before = modelFromNodes(model.hierarchy, pose);
    const auto after = modelFromNodes(model.hierarchy, image);
    for (std::size_t i = 0; i < before.size(); ++i) {
      CAPTURE(model.hierarchy.nodes[i].name);
      CHECK(glm::length(mirrorPoint(map, vec3(before[i][3])) - vec3(after[map.partner[i]][3])) <
            2e-3f);
    }
    const auto back = modelFromNodes(model.hierarchy, mirrored(model, map, image));
    for (std::size_t i = 0; i < before.size(); ++i)
      CHECK(glm::length(vec3(before[i][3] - back[i][3])) < 1e-5f);
  }
}

TEST_CASE("mirror: joints' own axes do not matter") {
  // Two arms whose joints have axes of their own, each turned down by as much.
  Model model;
  const quat odd = glm::angleAxis(1.1f, glm::normalize(vec3(1, 2, -1)));
  model.hierarchy.nodes = {{"root", kNoNode, {}},
                           {"armL", 0, {vec3(1, 0, 0)}},
                           {"handL", 1, {vec3(1, 0, 0)}},
                           {"armR", 0, {vec3(-1, 0, 0), odd, vec3(1)}},
                           {"handR", 3, {glm::conjugate(odd) * vec3(-1, 0, 0), odd, vec3(1)}}};
  const MirrorMap map = mirrorMap(model);
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[1].rotation = glm::angleAxis(-0.5f, vec3(0, 0, 1));
  pose.parentFromNode[1].scale = vec3(2.0f);
  const auto before = modelFromNodes(model.hierarchy, pose);
  const auto after = modelFromNodes(model.hierarchy, mirroredOnto(model, map, pose, 1));
  CHECK(glm::length(vec3(after[4][3]) - mirrorPoint(map, vec3(before[2][3]))) < 1e-5f);
  CHECK(glm::length(vec3(after[2][3]) - vec3(before[2][3])) < 1e-6f); // this side stays
  const auto whole = modelFromNodes(model.hierarchy, mirrored(model, map, pose));
  CHECK(glm::length(vec3(whole[4][3]) - mirrorPoint(map, vec3(before[2][3]))) < 1e-5f);
  CHECK(glm::length(vec3(whole[2][3]) - mirrorPoint(map, vec3(before[4][3]))) < 1e-5f);
}

TEST_CASE("mirror: a mesh bound facing another way than its nodes rest") {
  // Bound facing +x, resting facing +z: the arms lie along z in the bind pose.
  Model model;
  const quat quarter = glm::angleAxis(-1.5707963f, vec3(0, 1, 0));
  model.hierarchy.nodes = {{"root", kNoNode, {}},
                           {"hips", 0, {vec3(0, 1, 0), quarter, vec3(1)}},
                           {"arm_l", 1, {vec3(0, 0, -1)}},
                           {"arm_r", 1, {vec3(0, 0, 1)}}};
  model.skins.push_back({});
  const auto translation = [](const vec3& v) { // inverse bind matrices
    mat4 m(1.0f);
    m[3] = vec4(-v, 1.0f);
    return m;
  };
  model.skins[0].joints = {
      {1, translation({0, 1, 0})}, {2, translation({0, 1, -1})}, {3, translation({0, 1, 1})}};
  const MirrorMap map = mirrorMap(model);
  CHECK(std::abs(map.normal.z) == doctest::Approx(1.0f));
  const Pose rest = restPose(model.hierarchy);
  const auto before = modelFromNodes(model.hierarchy, rest);
  const auto same = modelFromNodes(model.hierarchy, mirrored(model, map, rest));
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK(glm::length(vec3(before[i][3] - same[i][3])) < 1e-5f);
  Pose pose = rest;
  pose.parentFromNode[1].translation = vec3(0.3f, 1, 0.2f);
  pose.parentFromNode[1].rotation = glm::angleAxis(0.5f, vec3(0, 1, 0)) * quarter;
  const auto posed = modelFromNodes(model.hierarchy, pose);
  const auto image = modelFromNodes(model.hierarchy, mirrored(model, map, pose));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const vec3 p(posed[i][3]);
    CHECK(glm::length(vec3(image[map.partner[i]][3]) - vec3(-p.x, p.y, p.z)) < 1e-5f);
  }
}

TEST_CASE("mirror: by position where names say nothing, and what has no partner is named") {
  Model model;
  model.hierarchy.nodes = {{"a", kNoNode, {vec3(0, 1, 0)}}, {"b", 0, {vec3(0, 1, 0)}},
                           {"c", 0, {vec3(0.5f, 0, 0)}},    {"d", 0, {vec3(-0.5f, 0, 0.005f)}},
                           {"e", 2, {vec3(0, -1, 0)}},      {"f", 3, {vec3(0, -1, 0)}},
                           {"tail", 0, {vec3(0.4f, 0, -1)}}};
  const MirrorMap map = mirrorMap(model);
  CHECK(map.partner == std::vector<std::uint32_t>{0, 1, 3, 2, 5, 4, kNoNode});
  CHECK(map.without == std::vector<std::uint32_t>{6});
  // What has no partner keeps its pose.
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[6].rotation = glm::angleAxis(0.4f, vec3(1, 0, 0));
  CHECK(mirrored(model, map, pose).parentFromNode[6] == pose.parentFromNode[6]);
  CHECK(mirroredOnto(model, map, pose, 6) == pose);
}

TEST_CASE("mirror: shared characters find their other side") {
  struct Expected {
    const char* file;
    std::size_t pairs;
    std::size_t without;
  };
  for (const Expected& of :
       {Expected{"arnaud/arnaud.fbx", 21, 0}, Expected{"cesium_man/CesiumMan.glb", 7, 0},
        Expected{"fox/Fox.glb", 7, 0}, Expected{"tiny/tiny.x", 14, 0},
        Expected{"mannequiny/mannequiny.glb", 17, 0}}) {
    const auto path = test::sharedModels() / of.file;
    if (!std::filesystem::exists(path)) {
      MESSAGE("needs ", path.string());
      continue;
    }
    CAPTURE(of.file);
    const Model model = importModel(path.string());
    const MirrorMap map = mirrorMap(model);
    CHECK(pairsIn(model, map) >= of.pairs);
    CHECK(map.without.size() <= of.without);
    for (std::uint32_t i = 0; i < map.partner.size(); ++i)
      CHECK((map.partner[i] == kNoNode || map.partner[map.partner[i]] == i));
  }
}
