// What a VRM file of either version says of its character, and that no reference in it can harm.
#include "animation/retarget/joint_names.h"
#include "import/gltf/gltf_test_file.h"
#include "import/import_test_tools.h"
#include "model/check_model.h"
#include "model/model_bytes.h"
#include "model/morph_targets.h"

#include <doctest/doctest.h>

#include <random>

using namespace sinew;
using namespace sinew::test;
using VrmJson = GltfFile::Json;

namespace {

// root (0) with the square, its hair (1 - 2 - 3, and 4 beside 3), and an arm (5).
GltfFile characterFile() {
  GltfFile file;
  file.json["nodes"] = VrmJson::parse(R"([
    {"mesh": 0, "name": "root", "children": [1, 5]},
    {"name": "hair", "translation": [0, 1, 0], "children": [2]},
    {"name": "hair 2", "translation": [0, 1, 0], "children": [3, 4]},
    {"name": "hair 3", "translation": [0, 1, 0]},
    {"name": "hair 4", "translation": [1, 1, 0]},
    {"name": "bone_17", "translation": [1, 0, 0]}])");
  file.primitive()["targets"] = VrmJson::array();
  for (int i = 0; i < 3; ++i)
    file.primitive()["targets"].push_back(
        {{"POSITION", file.add<float>({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 5126, "VEC3")}});
  file.json["meshes"][0]["extras"] = {{"targetNames", {"smile", "blink", "brow"}}};
  return file;
}

VrmJson vrm1() {
  return VrmJson::parse(R"({
    "VRMC_vrm": {"specVersion": "1.0",
      "humanoid": {"humanBones": {"hips": {"node": 0}, "leftUpperArm": {"node": 5}}},
      "expressions": {
        "preset": {"happy": {"morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.75},
                                                  {"node": 0, "index": 2, "weight": 0.5}]},
                   "blink": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 1}]},
                   "neutral": {"morphTargetBinds": []}},
        "custom": {"grin": {"morphTargetBinds": [{"node": 0, "index": 0, "weight": 1}]}}}},
    "VRMC_springBone": {"specVersion": "1.0",
      "colliders": [{"node": 0, "shape": {"sphere": {"offset": [0, 0.5, 0], "radius": 0.25}}},
                    {"node": 5, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 0.125,
                                                      "tail": [0, 0, 1]}}},
                    {"node": 0, "shape": {"sphere": {"radius": 1}}, "extensions": {
                      "VRMC_springBone_extended_collider": {"specVersion": "1.0",
                        "shape": {"plane": {"offset": [0, 0, 0], "normal": [0, 1, 0]}}}}}],
      "colliderGroups": [{"name": "body", "colliders": [0, 1]}, {"colliders": [2]}],
      "springs": [{"name": "hair", "center": 0, "colliderGroups": [0, 1], "joints": [
        {"node": 1, "hitRadius": 0.0625, "stiffness": 1.5, "gravityPower": 0.5,
         "gravityDir": [0, -1, 0], "dragForce": 0.25},
        {"node": 2}, {"node": 3}]}]}})");
}

VrmJson vrm0() {
  return VrmJson::parse(R"({"VRM": {"specVersion": "0.0",
    "humanoid": {"humanBones": [{"bone": "hips", "node": 0}, {"bone": "leftUpperArm", "node": 5}]},
    "blendShapeMaster": {"blendShapeGroups": [
      {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 75}]},
      {"name": "Grin", "presetName": "unknown", "binds": [{"mesh": 0, "index": 2, "weight": 100}]}]},
    "secondaryAnimation": {
      "boneGroups": [{"comment": "hair", "stiffiness": 1.5, "gravityPower": 0.5, "dragForce": 0.25,
                      "gravityDir": {"x": 0, "y": -1, "z": 0}, "center": -1, "hitRadius": 0.0625,
                      "bones": [1], "colliderGroups": [0]}],
      "colliderGroups": [{"node": 0, "colliders": [
        {"offset": {"x": 0.5, "y": 1, "z": 2}, "radius": 0.25}]}]}}})");
}

Model readCharacter(const VrmJson& extensions) {
  GltfFile file = characterFile();
  file.json["extensions"] = extensions;
  const TempFolder folder;
  return importModel(folder.write("character.vrm", file.glb()));
}

} // namespace

TEST_CASE("VRM 1: bones, expressions, springs and colliders are read") {
  const Model model = readCharacter(vrm1());
  CHECK(model.format == "VRM (glTF binary)");
  CHECK(model.warnings.empty());
  const std::vector<Node>& nodes = model.hierarchy.nodes;
  CHECK(nodes[*findNode(model.hierarchy, "bone_17")].humanBone == "leftUpperArm");
  CHECK(bodyPart(nodes[*findNode(model.hierarchy, "bone_17")]) == "left upper arm");
  CHECK(bodyPart(nodes[0]) == "hips");

  REQUIRE(model.morphPoses.size() == 3); // one that moves nothing is none
  CHECK(model.morphPoses[0].name == "happy");
  REQUIRE(model.morphPoses[0].weights.size() == 2);
  CHECK(model.morphTargets[model.morphPoses[0].weights[1].target].name == "brow");
  CHECK(model.morphPoses[0].weights[0].weight == 0.75f);
  CHECK(findMorphWeights(model, "happy").size() == 2);
  CHECK(findMorphWeights(model, "Grin")[0].weight == 1.0f);
  CHECK(findMorphWeights(model, "pose:blink")[0].target == 1); // "blink" is a morph target too
  CHECK_THROWS_AS(findMorphWeights(model, "pose:smile"), Error);

  const SpringBones& bones = model.springBones;
  REQUIRE(bones.springs.size() == 1);
  const Spring& hair = bones.springs[0];
  CHECK(hair.name == "hair");
  CHECK(hair.center == "root");
  REQUIRE(hair.joints.size() == 2);
  CHECK(hair.joints[0].node == "hair");
  CHECK(hair.joints[0].tail == "hair 2");
  CHECK(hair.joints[0].stiffness == 1.5f);
  CHECK(hair.joints[0].drag == 0.25f);
  CHECK(hair.joints[0].gravity == vec3(0, -0.5f, 0));
  CHECK(hair.joints[0].radius == 0.0625f);
  CHECK(hair.joints[1].tail == "hair 3");
  CHECK(hair.joints[1].stiffness == 1.0f); // the defaults
  CHECK(hair.joints[1].drag == 0.4f);
  CHECK(hair.joints[1].gravity == vec3(0.0f));
  REQUIRE(bones.colliders.size() == 3);
  CHECK(bones.colliders[0].shape == ColliderShape::sphere);
  CHECK(bones.colliders[0].offset == vec3(0, 0.5f, 0));
  CHECK(bones.colliders[1].node == "bone_17");
  CHECK(bones.colliders[1].shape == ColliderShape::capsule);
  CHECK(bones.colliders[1].end == vec3(0, 0, 1));
  CHECK(bones.colliders[2].shape == ColliderShape::plane);
  CHECK(bones.colliders[2].end == vec3(0, 1, 0));
  CHECK(bones.colliderGroups == std::vector<std::vector<std::uint32_t>>{{0, 1}, {2}});
  CHECK(hair.colliderGroups == std::vector<std::uint32_t>{0, 1});

  const Model copy = modelOfBytes(toBytes(model));
  CHECK(toBytes(copy) == toBytes(model));
  CHECK(copy.springBones.springs[0].joints[1].tail == "hair 3");
  CHECK(copy.morphPoses[2].name == "grin");
  CHECK(copy.hierarchy.nodes[0].humanBone == "hips");
}

TEST_CASE("VRM 0: the same in its words; a spring is a whole tree of joints") {
  const Model model = readCharacter(vrm0());
  CHECK(model.warnings.empty());
  CHECK(model.hierarchy.nodes[*findNode(model.hierarchy, "bone_17")].humanBone == "leftUpperArm");
  REQUIRE(model.morphPoses.size() == 2);
  CHECK(model.morphPoses[0].name == "joy");
  CHECK(model.morphPoses[0].weights[0].weight == 0.75f);
  CHECK(model.morphPoses[1].name == "Grin");
  const SpringBones& bones = model.springBones;
  REQUIRE(bones.springs.size() == 1);
  const std::vector<SpringJoint>& joints = bones.springs[0].joints;
  REQUIRE(joints.size() == 4);
  CHECK(joints[0].tail == "hair 2");
  CHECK(joints[1].tail == "hair 3"); // its first child
  CHECK(joints[2].node == "hair 3");
  CHECK(joints[2].tail.empty());
  CHECK(joints[2].endLength == 0.07f);
  CHECK(joints[3].node == "hair 4");
  CHECK(joints[3].stiffness == 1.5f);
  CHECK(joints[3].gravity == vec3(0, -0.5f, 0));
  CHECK(bones.springs[0].center.empty());
  REQUIRE(bones.colliders.size() == 1);
  CHECK(bones.colliders[0].offset == vec3(0.5f, 1, -2)); // from a left-handed space
}

TEST_CASE("VRM: a binary expression is on or off") {
  VrmJson binary = vrm1();
  binary["VRMC_vrm"]["expressions"]["preset"]["happy"]["isBinary"] = true;
  const Model model = readCharacter(binary);
  CHECK(model.morphPoses[0].binary);
  CHECK_FALSE(model.morphPoses[1].binary);
  CHECK(findMorphWeights(model, "happy", 0.5f)[0].weight == 0.0f);
  CHECK(findMorphWeights(model, "happy", 0.6f)[0].weight == 0.75f);
  CHECK(findMorphWeights(model, "pose:blink", 0.5f)[0].weight == 0.5f);
  CHECK(modelOfBytes(toBytes(model)).morphPoses[0].binary);
  VrmJson old = vrm0();
  old["VRM"]["blendShapeMaster"]["blendShapeGroups"][1]["isBinary"] = true;
  CHECK(readCharacter(old).morphPoses[1].binary);
}

TEST_CASE(
    "VRM: what expressions do to materials and others, and look-at, are said not to be used") {
  VrmJson more = vrm1();
  VrmJson& preset = more["VRMC_vrm"]["expressions"]["preset"];
  preset["happy"]["materialColorBinds"] = {{{"material", 0}, {"type", "color"}}};
  preset["happy"]["overrideBlink"] = "block";
  preset["blink"]["overrideMouth"] = "none";
  more["VRMC_vrm"]["lookAt"] = {{"type", "bone"}};
  Model model = readCharacter(more);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0] ==
        "not used: 1 expression's change of materials, 1 expression that holds "
        "others back, 1 look-at");
  VrmJson old = vrm0();
  old["VRM"]["blendShapeMaster"]["blendShapeGroups"][0]["materialValues"] = {
      {{"materialName", "a"}}};
  old["VRM"]["firstPerson"] = {{"lookAtTypeName", "Bone"}};
  model = readCharacter(old);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0] == "not used: 1 expression's change of materials, 1 look-at");
}

TEST_CASE("VRM: references to nothing are left out with one warning") {
  VrmJson bad = vrm1();
  bad["VRMC_vrm"]["humanoid"]["humanBones"]["head"] = {{"node", 99}};
  bad["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"][0]["index"] = 3;
  bad["VRMC_vrm"]["expressions"]["preset"]["blink"]["morphTargetBinds"][0]["node"] = 1;
  VrmJson& springs = bad["VRMC_springBone"];
  springs["colliders"][0]["node"] = -1;
  springs["colliderGroups"][0]["colliders"].push_back(3);
  springs["springs"][0]["colliderGroups"].push_back(2);
  springs["springs"][0]["center"] = "root";
  springs["springs"][0]["joints"].push_back({{"node", 1}});  // a cycle
  springs["springs"][0]["joints"].push_back({{"node", 2}});  // again
  springs["springs"][0]["joints"].push_back({{"node", 60}}); // nowhere
  const Model model = readCharacter(bad);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0] == "VRM: 10 of what it names do not exist");
  CHECK(modelProblem(model).empty());
  CHECK(model.springBones.springs[0].joints.size() == 2);
  CHECK(model.springBones.colliders.size() == 2);
  CHECK(model.morphPoses.size() == 2);
}

TEST_CASE("VRM: numbers out of range are clamped, and what is none is the default") {
  VrmJson odd = vrm1();
  VrmJson& joint = odd["VRMC_springBone"]["springs"][0]["joints"][0];
  joint["stiffness"] = 1e300;
  joint["dragForce"] = 7;
  joint["hitRadius"] = -3;
  joint["gravityPower"] = 1e30;
  joint["gravityDir"] = {"down", 0, 0};
  odd["VRMC_springBone"]["colliders"][0]["shape"]["sphere"]["radius"] = nullptr;
  const Model model = readCharacter(odd);
  const SpringJoint& read = model.springBones.springs[0].joints[0];
  CHECK(read.stiffness == 1.0f);
  CHECK(read.drag == 1.0f);
  CHECK(read.radius == 0.0f);
  CHECK(read.gravity == vec3(0, -1e6f, 0));
  CHECK(model.springBones.colliders[0].radius == 0.0f);
}

TEST_CASE("VRM: any value of the wrong type is ignored, and no model that is read is invalid") {
  // Every value of both versions, in turn, becomes something else.
  const std::vector<VrmJson> others = {
      nullptr, -1, 4294967296.0, "text", true, VrmJson::array(), VrmJson::object()};
  for (const VrmJson& whole : {vrm1(), vrm0()}) {
    const VrmJson flat = whole.flatten();
    std::size_t read = 0;
    std::size_t index = 0;
    for (const auto& each : flat.items()) {
      const std::string& path = each.key();
      VrmJson changed = whole;
      changed[VrmJson::json_pointer(path)] = others[index++ % others.size()];
      const Model model = readCharacter(changed);
      CAPTURE(path);
      CHECK(modelProblem(model).empty());
      ++read;
    }
    CHECK(read > 20);
  }
}
