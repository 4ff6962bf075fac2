#include "animation/pose.h"
#include "animation/sample.h"
#include "import/import_test_tools.h"
#include "model/test_support.h"
#include "weights/bone_links.h"
#include "weights/skeleton_edit.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <set>

using namespace sinew;

namespace {

// A trunk with an arm on either side; joints are rotated, so that local and model axes differ.
Skeleton trunk(bool endBones = false) {
  Model model;
  const quat rotated = glm::angleAxis(0.7f, glm::normalize(vec3(1, 2, 3)));
  model.hierarchy.nodes = {{"root", kNoNode, {}},
                           {"hip", 0, {{0, 1, 0}, rotated, vec3(1)}},
                           {"chest", 1, {glm::inverse(rotated) * vec3(0, 1, 0)}},
                           {"arm_L", 2, {glm::inverse(rotated) * vec3(1, 0, 0), rotated, vec3(1)}},
                           {"arm_R", 2, {glm::inverse(rotated) * vec3(-1, 0, 0)}},
                           {"hand_L", 3, {vec3(0.5f, 0, 0)}},
                           {"hand_R", 4, {vec3(-0.5f, 0, 0)}}};
  Clip clip{"wave", 1.0f, {}};
  clip.channels.push_back({3, {{0.0f, 1.0f}, {{1, 0, 0}, {2, 0, 0}}}, {}, {}});
  clip.channels.push_back(
      {2, {}, {{0.0f, 1.0f}, {{1, 0, 0, 0}, glm::angleAxis(0.4f, vec3(0, 0, 1))}}, {}});
  model.clips = {clip};
  Skin skin;
  const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  for (std::uint32_t n = 1; n < 7; ++n)
    skin.joints.push_back({n, glm::inverse(modelFromNode[n])});
  model.skins = {skin};
  Skeleton out = extractSkeleton(model);
  std::vector<BoneLink> links = boneLinks(out);
  std::erase_if(links, [&](const BoneLink& link) { return !endBones && !link.toJoint; });
  linkBones(out, links);
  return out;
}

std::uint32_t node(const Skeleton& skeleton, const char* name) {
  const auto found = findNode(skeleton.hierarchy, name);
  REQUIRE(found);
  return *found;
}

vec3 position(const Skeleton& skeleton, const char* name) {
  return vec3(boundNodes(skeleton)[node(skeleton, name)][3]);
}

// What every edit promises.
void checkWhole(const Skeleton& s) {
  std::set<std::string> names;
  REQUIRE(s.joints.size() == s.modelFromJoint.size());
  for (std::uint32_t n = 0; n < s.hierarchy.nodes.size(); ++n) {
    CHECK((n == 0) == (s.hierarchy.nodes[n].parent == kNoNode));
    if (n > 0) CHECK(s.hierarchy.nodes[n].parent < n);
    CHECK_FALSE(s.hierarchy.nodes[n].name.empty());
    CHECK(names.insert(s.hierarchy.nodes[n].name).second);
  }
  CHECK(std::is_sorted(s.joints.begin(), s.joints.end()));
  for (const Clip& clip : s.clips)
    for (const Channel& channel : clip.channels)
      CHECK(channel.node < s.hierarchy.nodes.size());
  REQUIRE_FALSE(s.bones.empty());
  for (std::size_t b = 0; b < s.bones.size(); ++b)
    CHECK(test::near(s.bones[b].from, vec3(s.modelFromJoint[s.jointOfBone[b]][3]), 1e-4f));
  // These skeletons are bound as they rest.
  const auto rest = modelFromNodes(s.hierarchy, restPose(s.hierarchy));
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    CHECK(test::near(vec3(rest[s.joints[j]][3]), vec3(s.modelFromJoint[j][3]), 1e-4f));
}

} // namespace

TEST_CASE("skeleton edit: a moved joint moves its descendants, or leaves them") {
  const Skeleton before = trunk();
  const vec3 to(1.2f, 2.5f, 0.3f);
  const Skeleton moved = withJointMoved(before, node(before, "arm_L"), to, Below::moves);
  checkWhole(moved);
  CHECK(test::near(position(moved, "arm_L"), to, 1e-4f));
  CHECK(test::near(position(moved, "hand_L") - position(before, "hand_L"),
                   to - position(before, "arm_L"), 1e-4f));
  CHECK(test::near(position(moved, "hand_R"), position(before, "hand_R"), 1e-4f));
  const Skeleton stays = withJointMoved(before, node(before, "arm_L"), to, Below::stays);
  checkWhole(stays);
  CHECK(test::near(position(stays, "arm_L"), to, 1e-4f));
  CHECK(test::near(position(stays, "hand_L"), position(before, "hand_L"), 1e-4f));
}

TEST_CASE("skeleton edit: keys of a moved joint go with it") {
  const Skeleton before = trunk();
  const vec3 by(0, 0.5f, 0);
  const Skeleton after =
      withJointMoved(before, node(before, "arm_L"), position(before, "arm_L") + by, Below::moves);
  const auto at = [](const Skeleton& s, const char* name) {
    SampleCursor cursor;
    Pose pose = restPose(s.hierarchy);
    sample(s.hierarchy, s.clips[0], 0.0f, Wrap::clamp, cursor, pose);
    return vec3(modelFromNodes(s.hierarchy, pose)[node(s, name)][3]);
  };
  CHECK(test::near(at(after, "arm_L"), at(before, "arm_L") + by, 1e-4f));
}

TEST_CASE("skeleton edit: children of a removed joint keep their positions below its parent") {
  for (const bool endBones : {false, true}) {
    const Skeleton before = trunk(endBones);
    const Skeleton after = withoutJoint(before, node(before, "chest"));
    checkWhole(after);
    CHECK(after.joints.size() == before.joints.size() - 1);
    CHECK_FALSE(findNode(after.hierarchy, "chest"));
    for (const char* name : {"arm_L", "arm_R"})
      CHECK(after.hierarchy.nodes[node(after, name)].parent == node(after, "hip"));
    for (const char* name : {"hip", "arm_L", "arm_R", "hand_L", "hand_R"})
      CHECK(test::near(position(after, name), position(before, name), 1e-4f));
    CHECK(after.clips[0].channels.size() == 1); // the chest's own is gone
    const std::size_t bones = endBones ? 2u : 0u;
    CHECK(after.bones.size() == 4 + bones);
  }
}

TEST_CASE("skeleton edit: removing in any order down to one joint keeps a whole skeleton") {
  for (const char* last : {"hip", "arm_R", "hand_L"}) {
    Skeleton s = trunk();
    while (s.joints.size() > 1) {
      const std::uint32_t first = s.joints.front();
      const bool keep = s.hierarchy.nodes[first].name == last;
      s = withoutJoint(s, keep ? s.joints[1] : first);
      checkWhole(s);
    }
    CHECK(s.hierarchy.nodes[s.joints[0]].name == last);
    REQUIRE(s.bones.size() == 1);
    CHECK(test::near(s.bones[0].from, s.bones[0].to, 1e-4f));
  }
}

TEST_CASE("skeleton edit: end sites go with their joint") {
  Skeleton s = trunk(true);
  s.hierarchy.nodes.push_back({"tip", node(s, "hand_L"), {vec3(0, 0, 1)}});
  const Skeleton after = withoutJoint(s, node(s, "hand_L"));
  checkWhole(after);
  CHECK_FALSE(findNode(after.hierarchy, "tip"));
}

TEST_CASE("skeleton edit: a joint is added below another, under a name of its own") {
  const Skeleton before = trunk();
  const AddedJoint one = withJointAdded(before, node(before, "hand_L"), {3, 2, 1}, "finger");
  checkWhole(one.skeleton);
  CHECK(one.skeleton.hierarchy.nodes[one.node].name == "finger");
  CHECK(test::near(position(one.skeleton, "finger"), {3, 2, 1}, 1e-4f));
  const AddedJoint two = withJointAdded(one.skeleton, node(before, "hand_L"), {3, 2, 2}, "finger");
  checkWhole(two.skeleton);
  CHECK(two.skeleton.hierarchy.nodes[two.node].name == "finger_2");
  CHECK(two.skeleton.bones.size() == before.bones.size() + 2);
}

TEST_CASE("skeleton edit: a bone's own end goes with its joint, until a joint ends the bone") {
  const Skeleton before = trunk(true);
  const auto listEnds = [](const Skeleton& s, const char* name) {
    std::vector<vec3> ends;
    for (std::size_t b = 0; b < s.bones.size(); ++b)
      if (s.joints[s.jointOfBone[b]] == node(s, name)) ends.push_back(s.bones[b].to);
    REQUIRE(ends.size() == 1);
    return ends[0];
  };
  const vec3 by(0.1f, 0.7f, 0.2f);
  const vec3 to = position(before, "hand_L") + by;
  const Skeleton moved = withJointMoved(before, node(before, "hand_L"), to, Below::moves);
  CHECK(test::near(listEnds(moved, "hand_L") - listEnds(before, "hand_L"), by, 1e-4f));
  CHECK(test::near(listEnds(moved, "arm_L"), to, 1e-4f));
  const AddedJoint finger = withJointAdded(before, node(before, "hand_L"), {3, 2, 1}, "finger");
  CHECK(test::near(listEnds(finger.skeleton, "hand_L"), {3, 2, 1}, 1e-4f));
  CHECK(finger.skeleton.bones.size() == before.bones.size());
}

TEST_CASE("skeleton edit: with a plane both sides are done, and stay each other's mirror image") {
  const Skeleton before = trunk();
  const MirrorPlane plane;
  CHECK(otherSide(before, plane, node(before, "arm_L")) == node(before, "arm_R"));
  CHECK(otherSide(before, plane, node(before, "chest")) == node(before, "chest"));
  const auto mirrored = [&](const Skeleton& s, const char* a, const char* b) {
    return test::near(mirroredPoint(plane, position(s, a)), position(s, b), 1e-4f);
  };

  const Skeleton moved =
      withJointMoved(before, node(before, "hand_R"), {-2, 2.5f, 0.5f}, Below::stays, plane);
  checkWhole(moved);
  CHECK(test::near(position(moved, "hand_R"), {-2, 2.5f, 0.5f}, 1e-4f));
  CHECK(mirrored(moved, "hand_L", "hand_R"));
  const Skeleton middle =
      withJointMoved(before, node(before, "chest"), {0.4f, 2.2f, 0.1f}, Below::stays, plane);
  CHECK(test::near(position(middle, "chest"), {0, 2.2f, 0.1f}, 1e-4f));

  AddedJoint added = withJointAdded(moved, node(moved, "hand_L"), {2.5f, 2, 0.5f}, "tip", plane);
  checkWhole(added.skeleton);
  CHECK(mirrored(added.skeleton, "tip_L", "tip_R"));
  CHECK(added.skeleton.hierarchy.nodes[added.node].name == "tip_L");
  CHECK(added.skeleton.hierarchy.nodes[node(added.skeleton, "tip_R")].parent ==
        node(added.skeleton, "hand_R"));
  const AddedJoint head = withJointAdded(before, node(before, "chest"), {0, 3, 0}, "head", plane);
  CHECK(head.skeleton.joints.size() == before.joints.size() + 1);

  const Skeleton named =
      withJointRenamed(added.skeleton, node(added.skeleton, "tip_R"), "LeftTip", plane);
  checkWhole(named);
  CHECK(findNode(named.hierarchy, "RightTip") == findNode(added.skeleton.hierarchy, "tip_L"));

  const Skeleton removed = withoutJoint(before, node(before, "arm_L"), plane);
  checkWhole(removed);
  CHECK_FALSE(findNode(removed.hierarchy, "arm_R"));
  CHECK(test::near(position(removed, "hand_R"), position(before, "hand_R"), 1e-4f));
}

TEST_CASE("skeleton edit: names without sides are paired by where they stand") {
  Skeleton s = singleJoint({0, 0, 0});
  const MirrorPlane plane;
  s = withJointAdded(s, s.joints[0], {1, 1, 0}, "a").skeleton;
  s = withJointAdded(s, s.joints[0], {-1, 1.01f, 0}, "b").skeleton;
  s = withJointAdded(s, s.joints[0], {-1, 2, 0}, "c").skeleton;
  CHECK(otherSide(s, plane, node(s, "a")) == node(s, "b"));
  CHECK(otherSide(s, plane, node(s, "c")) == kNoNode);
  CHECK(otherSide(s, plane, s.joints[0]) == s.joints[0]);
}

TEST_CASE("skeleton edit: renaming to one's own or a taken name") {
  const Skeleton s = trunk();
  CHECK(withJointRenamed(s, node(s, "hip"), "hip").hierarchy.nodes[1].name == "hip");
  const Skeleton taken = withJointRenamed(s, node(s, "hip"), "chest");
  checkWhole(taken);
  CHECK(taken.hierarchy.nodes[1].name == "chest_2");
  checkWhole(withJointRenamed(s, node(s, "hip"), ""));
}

TEST_CASE("skeleton edit: a root of its own leaves every joint where it is") {
  Skeleton s = trunk();
  s.hierarchy.nodes[0].rest.translation = {0, 5, 0};
  for (mat4& joint : s.modelFromJoint)
    joint[3] += vec4(0, 5, 0, 0);
  for (BoneSegment& bone : s.bones)
    bone = {bone.from + vec3(0, 5, 0), bone.to + vec3(0, 5, 0)};
  const Skeleton rooted = withPlainRoot(s);
  checkWhole(rooted);
  CHECK(rooted.hierarchy.nodes.size() == s.hierarchy.nodes.size() + 1);
  CHECK(rooted.hierarchy.nodes[0].rest == Transform{});
  CHECK(rooted.modelFromJoint == s.modelFromJoint);
  CHECK(withPlainRoot(rooted).hierarchy.nodes.size() == rooted.hierarchy.nodes.size());
}
