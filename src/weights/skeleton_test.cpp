#include "core/error.h"
#include "demo/demo.h"
#include "import/import_test_tools.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/skeleton_tgf.h"
#include "weights/weight_report.h"

#include <doctest/doctest.h>
#include <glm/vector_relational.hpp>

#include <algorithm>

using namespace sinew;

namespace {

std::string tgfError(const test::TempFolder& folder, const std::string& text) {
  try {
    readTgf(folder.write("a.tgf", text));
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return "no error";
}

bool nearTo(const vec3& a, const vec3& b) {
  return glm::length(a - b) < 1e-5f;
}

} // namespace

TEST_CASE("weights: a .tgf gives a bone per edge, moved by its parent joint") {
  const test::TempFolder folder;
  const Skeleton s = readTgf(folder.write(
      "a.tgf", "4 0 3 0 1e-320 7 9\n 7 0 0 0\n9 1 3 0\n2 0 5 0\r\n#\n7 4\n4 9 1\n4 2\n"));
  REQUIRE(s.joints.size() == 4);
  REQUIRE(s.bones.size() == 3);
  CHECK(s.hierarchy.nodes[s.joints[0]].name == "joint7"); // parents first
  for (std::size_t b = 0; b < 3; ++b)
    CHECK(nearTo(s.bones[b].from, vec3(s.modelFromJoint[s.jointOfBone[b]][3])));
  CHECK(nearTo(s.bones[0].to, vec3(0, 3, 0)));
  CHECK(s.jointOfBone[1] == s.jointOfBone[2]);
  Model model;
  model.hierarchy = s.hierarchy;
  const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (std::size_t j = 0; j < 4; ++j)
    CHECK(nearTo(vec3(modelFromNode[s.joints[j]][3]), vec3(s.modelFromJoint[j][3])));
}

TEST_CASE("weights: a .tgf that is none names its line") {
  const test::TempFolder folder;
  const struct {
    const char* text;
    const char* says;
  } kBad[] = {
      {"", "no joints"},
      {"# \n", "no joints"},
      {"1 0 0\n", "a.tgf:1: a coordinate is not a number"},
      {"1 0 0 0\n1 1 0 0\n", "a.tgf:2: joint 1 occurs twice"},
      {"1 0 0 0\n2 nan 0 0\n", "a.tgf:2: a coordinate"},
      {"1.5 0 0 0\n", "a.tgf:1: the joint's index"},
      {"1 0 0 0\n2 1 0 0\n#\n1 3\n", "a.tgf:4: there is no joint 3"},
      {"1 0 0 0\n2 1 0 0\n3 1 1 0\n#\n1 2\n3 2\n", "a.tgf:6: joint 2 has two parents"},
      {"1 0 0 0\n2 1 0 0\n#\n1 2\n2 1\n", "a.tgf:5: joint 1 is above itself"},
      {"1 0 0 0\n#\n1 1\n", "a.tgf:3: joint 1 is above itself"},
      {"1 0 0 0\n2 1 0 0\n#\n1\n", "a.tgf:4: the child is not a whole number"},
  };
  for (const auto& bad : kBad) {
    const std::string message = tgfError(folder, bad.text);
    CAPTURE(message);
    CHECK(test::contains(message, bad.says));
  }
}

TEST_CASE("weights: a file of names beside a .tgf names its joints") {
  const test::TempFolder folder;
  folder.write("a.names.txt", "7 root\n\n 4\tUpper arm.L \r\n9 2\n");
  const Skeleton s = readTgf(folder.write("a.tgf", "4 0 3 0\n7 0 0 0\n9 1 3 0\n#\n7 4\n4 9\n"));
  REQUIRE(s.joints.size() == 3);
  CHECK(s.hierarchy.nodes[s.joints[0]].name == "root");
  CHECK(s.hierarchy.nodes[s.joints[1]].name == "Upper arm.L");
  CHECK(s.hierarchy.nodes[s.joints[2]].name == "2");
}

TEST_CASE("weights: with names of bones each has a joint, and links are none") {
  const test::TempFolder folder;
  folder.write("a.names.txt", "1 2 spine\n2 3 (link spine -> arm)\n3 4 arm\n2 5 neck\n1 6 leg\n");
  const auto path = folder.write("a.tgf", "1 0 0 0\n2 0 1 0\n3 1 1 0\n4 2 1 0\n5 0 2 0\n6 0 -1 0\n"
                                          "#\n3 4\n1 2\n2 3\n2 5\n1 6\n");
  const Skeleton s = readTgf(path);
  const auto name = [&](std::uint32_t joint) { return s.hierarchy.nodes[s.joints[joint]].name; };
  REQUIRE(s.joints.size() == 4);
  REQUIRE(s.bones.size() == 4); // the link is none
  std::vector<std::string> byEdge;
  for (const std::uint32_t joint : jointsOfTgfEdges(path))
    byEdge.push_back(name(joint));
  CHECK(byEdge == std::vector<std::string>{"arm", "spine", "spine", "neck", "leg"});
  Model model;
  model.hierarchy = s.hierarchy;
  const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    CHECK(nearTo(vec3(modelFromNode[s.joints[j]][3]), vec3(s.modelFromJoint[j][3])));
  const auto spine = findNode(s.hierarchy, "spine");
  const auto arm = findNode(s.hierarchy, "arm");
  const auto end = findNode(s.hierarchy, "arm.end");
  REQUIRE((spine && arm && end));
  CHECK(s.hierarchy.nodes[*arm].parent == *spine);
  CHECK(nearTo(vec3(modelFromNode[*arm][3]), vec3(1, 1, 0)));
  CHECK(nearTo(vec3(modelFromNode[*end][3]), vec3(2, 1, 0)));
}

TEST_CASE("weights: names that match nothing are reported with their file") {
  const struct {
    const char* names;
    const char* says;
  } kBad[] = {
      {"1 a\n8 b\n", "names 'b', joint 8, which the .tgf does not have"},
      {"1 2 a\n2 1 b\n", "a.names.txt:2: names a bone 2 1 which"},
      {"1 a\n2 a\n", "a.names.txt:2: the name 'a' occurs twice"},
      {"1 a\n1 b\n", "a.names.txt:2: the same is named twice"},
      {"1 a\n1 2 b\n", "a.names.txt:2: it names joints and bones both"},
      {"hips\n", "a.names.txt:1: the joint's index"},
      {"1\n", "a.names.txt:1: there is no name"},
  };
  for (const auto& bad : kBad) {
    const test::TempFolder folder;
    folder.write("a.names.txt", bad.names);
    const std::string message = tgfError(folder, "1 0 0 0\n2 0 1 0\n#\n1 2\n");
    CAPTURE(message);
    CHECK(test::contains(message, bad.says));
  }
}

TEST_CASE("weights: the joints of a model are a skeleton, bones from joint to joint") {
  const Model model = findDemo("humanoid").make();
  const Skeleton s = extractSkeleton(model);
  CHECK(s.joints == jointNodes(model));
  CHECK(s.bones.size() >= s.joints.size());
  CHECK(s.clips.size() == model.clips.size());
  for (std::size_t b = 0; b < s.bones.size(); ++b) {
    CHECK(nearTo(s.bones[b].from, vec3(s.modelFromJoint[s.jointOfBone[b]][3])));
    CHECK(glm::length(s.bones[b].to - s.bones[b].from) > 0.0f);
  }
}

TEST_CASE("weights: end sites of a .bvh give the last bone its length; without one it goes on") {
  const char* const kBvh =
      "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition "
      "Zposition Zrotation Xrotation Yrotation\n JOINT Spine\n {\n  OFFSET 0 2 "
      "0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   "
      "OFFSET 0 0 0.5\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 "
      "0 0 0 0 0\n0 0 0 0 0 0 0 0 0\n";
  const test::TempFolder folder;
  Model model = importModel(folder.write("a.bvh", kBvh));
  const Skeleton s = extractSkeleton(model);
  REQUIRE(s.joints.size() == 2);
  REQUIRE(s.bones.size() == 2);
  CHECK(nearTo(s.bones[1].to - s.bones[1].from, vec3(0, 0, 0.5f)));
  const vec3 spine = s.bones[0].to - s.bones[0].from;
  CHECK(nearTo(spine, vec3(0, 2, 0)));

  const auto end = std::find_if(model.hierarchy.nodes.begin(), model.hierarchy.nodes.end(),
                                [&](const Node& n) { return n.parent == s.joints[1]; });
  REQUIRE(end != model.hierarchy.nodes.end());
  end->parent = 0;
  const Skeleton without = extractSkeleton(model);
  CHECK(nearTo(without.bones[1].to - without.bones[1].from, spine));
}

TEST_CASE(
    "weights: joints that move no skin of a model's own get no bones; ends lie in their skin") {
  Model model = findDemo("humanoid").make();
  const auto control = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
  const auto hand = findNode(model.hierarchy, "LeftHand");
  REQUIRE(hand);
  model.hierarchy.nodes.push_back({"control", *hand, {.translation = {3, 0, 0}}});
  model.skins[0].joints.push_back({control, mat4(1.0f)});
  const Skeleton s = extractSkeleton(model);
  const auto findJoint = [&](std::string_view name) {
    const auto node = findNode(s.hierarchy, name);
    const auto found = std::find(s.joints.begin(), s.joints.end(), node.value_or(kNoNode));
    REQUIRE(found != s.joints.end());
    return static_cast<std::uint32_t>(found - s.joints.begin());
  };
  CHECK(std::count(s.jointOfBone.begin(), s.jointOfBone.end(), findJoint("control")) == 0);
  const Bounds box = computeBounds(joinMeshes(meshesAlone(model)).positions);
  for (const BoneSegment& bone : s.bones)
    CHECK(bone.to.x < box.max.x);
  // The head's skin lies above its joint; the neck leads backwards.
  const auto head = std::find(s.jointOfBone.begin(), s.jointOfBone.end(), findJoint("Head"));
  REQUIRE(head != s.jointOfBone.end());
  const BoneSegment& bone = s.bones[static_cast<std::size_t>(head - s.jointOfBone.begin())];
  CHECK(bone.to.y > 1.60f);
  CHECK(bone.to.y < box.max.y);

  model.meshes.clear();
  const Skeleton bare = extractSkeleton(model); // nothing says which joint is for control
  CHECK(std::count(bare.jointOfBone.begin(), bare.jointOfBone.end(),
                   static_cast<std::uint32_t>(bare.joints.size() - 1)) == 1);
}

TEST_CASE("weights: a skeleton is placed with its clips and joints together") {
  const Model model = findDemo("humanoid").make();
  Bounds box;
  box.include(vec3(10, 20, 30));
  box.include(vec3(14, 28, 32));
  for (const SkeletonPlacement& placement :
       {SkeletonPlacement{.fit = true}, SkeletonPlacement{.scale = 3.0f, .offset = {1, 2, 3}},
        SkeletonPlacement{.zUp = true}}) {
    const Skeleton before = extractSkeleton(model);
    Skeleton s = before;
    placeSkeleton(s, placement, box);
    const auto rest = modelFromNodes(s.hierarchy, restPose(s.hierarchy));
    const auto old = modelFromNodes(before.hierarchy, restPose(before.hierarchy));
    const mat4 placed = toMatrix(s.hierarchy.nodes[0].rest);
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      CHECK(s.hierarchy.nodes[s.joints[j]].name == before.hierarchy.nodes[before.joints[j]].name);
      const vec3 expected = transformPoint(placed, vec3(old[before.joints[j]][3]));
      CHECK(glm::length(vec3(rest[s.joints[j]][3]) - expected) < 1e-4f);
    }
    for (std::size_t c = 0; c < s.clips.size(); ++c)
      for (std::size_t i = 0; i < s.clips[c].channels.size(); ++i)
        CHECK(s.hierarchy.nodes[s.clips[c].channels[i].node].name ==
              before.hierarchy.nodes[before.clips[c].channels[i].node].name);
    if (placement.zUp)
      CHECK(nearTo(s.bones[0].to - s.bones[0].from,
                   vec3((before.bones[0].to - before.bones[0].from).x,
                        (before.bones[0].to - before.bones[0].from).z,
                        -(before.bones[0].to - before.bones[0].from).y)));
    if (!placement.fit) continue;
    for (const BoneSegment& bone : s.bones)
      for (const vec3& p : {bone.from, bone.to})
        CHECK((glm::all(glm::greaterThan(p, box.min)) && glm::all(glm::lessThan(p, box.max))));
  }
}

TEST_CASE("weights: a model bound to its own skeleton rests where it was") {
  const Model model = findDemo("humanoid").make();
  const Skeleton skeleton = extractSkeleton(model);
  const Model alone = meshesAlone(model);
  CHECK(alone.skins.empty());
  const JoinedMeshes mesh = joinMeshes(alone);
  REQUIRE(mesh.positions.size() == vertexCount(model));
  const AutomaticWeights weights =
      automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, {}, skeleton.jointOfBone);
  const Model bound = bindModel(alone, skeleton, weights.influences);
  const SkinnedMesh before = test::pose(model, buildRig(model), bindPose(model));
  const SkinnedMesh after = test::pose(bound, buildRig(bound), bindPose(bound));
  float largest = 0.0f;
  for (std::size_t v = 0; v < before.positions.size(); ++v)
    largest = std::max(largest, glm::length(before.positions[v] - after.positions[v]));
  CHECK(largest < 1e-5f * computeBounds(mesh.positions).size());
}

TEST_CASE("weights: those of a joint are the sum of those of its bones") {
  const Model model = findDemo("humanoid").make();
  const Skeleton skeleton = extractSkeleton(model);
  const JoinedMeshes mesh = joinMeshes(meshesAlone(model));
  // After diffusion the automatic algorithm reduces small weights, which depends on the sum.
  for (const WeightOptions& all :
       {WeightOptions{.algorithm = WeightAlgorithm::boneHeat, .influences = 0},
        WeightOptions{.algorithm = WeightAlgorithm::boneGlow, .influences = 0},
        WeightOptions{.influences = 0, .diffusion = false}}) {
    const AutomaticWeights byBone =
        automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, all);
    const AutomaticWeights byJoint =
        automaticWeights(mesh.positions, mesh.triangles, skeleton.bones, all, skeleton.jointOfBone);
    float largest = 0.0f;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      std::vector<float> difference(skeleton.joints.size(), 0.0f);
      for (const Influence& i : byBone.influences.of(v))
        difference[skeleton.jointOfBone[i.joint]] += i.weight;
      for (const Influence& i : byJoint.influences.of(v))
        difference[i.joint] -= i.weight;
      for (const float d : difference)
        largest = std::max(largest, std::abs(d));
    }
    CAPTURE(toString(all.algorithm));
    CHECK(largest < 1e-3f);
  }
}
