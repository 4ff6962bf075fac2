#include "core/random.h"
#include "demo/demo.h"
#include "import/import_test_tools.h"
#include "import/isolated_import.h"
#include "physics/body_tree.h"
#include "physics/fit_ragdoll.h"
#include "physics/joint_math.h"

#include <doctest/doctest.h>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <set>

using namespace sinew;

namespace {

RagdollConfig fitCheckedRagdoll(const Model& model) {
  RagdollConfig config = fitRagdoll(model, buildRig(model));
  checkRagdoll(model, config, model.name); // what is fitted is valid
  return config;
}

const RagdollJoint* findJoint(const RagdollConfig& config, const std::string& child) {
  for (const RagdollJoint& joint : config.joints)
    if (joint.child == child) return &joint;
  return nullptr;
}

std::set<std::string> listHinges(const RagdollConfig& config) {
  std::set<std::string> hinges;
  for (const RagdollJoint& joint : config.joints)
    if (joint.type == RagdollJointType::hinge) hinges.insert(joint.child);
  return hinges;
}

// A limb bends, about its hinge's axis, to the side given in model space.
void bendsTowards(const Model& model, const RagdollConfig& config, const std::string& child,
                  const glm::dvec3& side) {
  const RagdollJoint* joint = findJoint(config, child);
  REQUIRE(joint != nullptr);
  const auto findBody = [&](const std::string& bone) {
    return *std::find_if(config.bodies.begin(), config.bodies.end(),
                         [&](const RagdollBody& body) { return body.bone == bone; });
  };
  const RagdollBody parent = findBody(joint->parent);
  const RagdollBody below = findBody(child);
  const glm::dquat fromParent(parent.rotation);
  const glm::dvec3 anchor = glm::dvec3(parent.center) + fromParent * glm::dvec3(joint->anchor);
  const glm::dvec3 axis = fromParent * glm::dvec3(joint->axis);
  const glm::dvec3 arm = glm::dvec3(below.center) - anchor;
  INFO(model.name << " " << child);
  CHECK(glm::dot(glm::cross(axis, glm::normalize(arm)), side) > 0.5);
  CHECK(joint->frontAngle > glm::radians(90.0f));
  CHECK(joint->backAngle <= 0.0f);
}

} // namespace

TEST_CASE("a humanoid's elbows and knees are hinges that bend to the right side") {
  const Model model = findDemo("humanoid").make();
  const RagdollConfig config = fitCheckedRagdoll(model);
  CHECK(listHinges(config) ==
        std::set<std::string>{"LeftLowerArm", "LeftLowerLeg", "RightLowerArm", "RightLowerLeg"});
  for (const char* knee : {"LeftLowerLeg", "RightLowerLeg"})
    bendsTowards(model, config, knee, {0, 0, -1});
  for (const char* elbow : {"LeftLowerArm", "RightLowerArm"})
    bendsTowards(model, config, elbow, {0, 0, 1});
}

TEST_CASE("bodies weigh what their volume does, small bones are part of their parents") {
  const Model model = findDemo("humanoid").make();
  const RagdollConfig config = fitCheckedRagdoll(model);
  float mass = 0.0f;
  for (const RagdollBody& body : config.bodies)
    mass += body.mass;
  CHECK(mass > 40.0f);
  CHECK(mass < 110.0f);
  CHECK(config.bodies.front().bone == "Hips");
  CHECK(findJoint(config, "LeftFingers") == nullptr);
  const auto hand = std::find_if(config.bodies.begin(), config.bodies.end(),
                                 [](const RagdollBody& body) { return body.bone == "LeftHand"; });
  REQUIRE(hand != config.bodies.end());
  CHECK(hand->merged.size() == 2);
  // Both sides alike, but for what clips show.
  for (const RagdollBody& body : config.bodies) {
    if (body.bone.rfind("Left", 0) != 0) continue;
    const std::string other = "Right" + body.bone.substr(4);
    const auto found = std::find_if(config.bodies.begin(), config.bodies.end(),
                                    [&](const RagdollBody& each) { return each.bone == other; });
    REQUIRE(found != config.bodies.end());
    CHECK(found->mass == doctest::Approx(body.mass).epsilon(0.08));
    CHECK(found->center.x == doctest::Approx(-body.center.x).epsilon(0.02));
    CHECK(found->center.y == doctest::Approx(body.center.y).epsilon(0.02));
  }
}

TEST_CASE("limits allow the motion of the clips, except what a hinge cannot do") {
  const Model model = findDemo("humanoid").make();
  const RagdollConfig config = fitCheckedRagdoll(model);
  const std::vector<BodyBinding> bindings = bindBodies(model, config.bodies);
  for (const Clip& clip : model.clips)
    for (float t = 0.0f; t < clip.seconds; t += 0.13f) {
      const auto modelFromNode = modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, t));
      std::vector<RigidTransform> transforms;
      transforms.reserve(bindings.size());
      for (const BodyBinding& binding : bindings)
        transforms.push_back(bodyTransform(binding, modelFromNode));
      for (const RagdollJoint& joint : config.joints) {
        const auto findIndex = [&](const std::string& bone) {
          return static_cast<std::size_t>(
              std::find_if(config.bodies.begin(), config.bodies.end(),
                           [&](const RagdollBody& body) { return body.bone == bone; }) -
              config.bodies.begin());
        };
        const std::size_t parent = findIndex(joint.parent);
        const std::size_t child = findIndex(joint.child);
        const JointFrame frame =
            jointFrame(joint, bindings[parent].bind, bindings[child].bind, 1.0);
        const JointAngles angles =
            jointAngles(frame, transforms[parent].rotation, transforms[child].rotation);
        if (joint.type == RagdollJointType::hinge) {
          CHECK(angles.hinge >= static_cast<double>(joint.backAngle));
          CHECK(angles.hinge <= static_cast<double>(joint.frontAngle));
        } else {
          CHECK(angles.bend <= static_cast<double>(joint.bendFreedom));
        }
      }
    }
}

TEST_CASE("names identify the lower part of a limb") {
  for (const char* name : {"LeftForeArm", "calf_l", "Bip01 R Calf", "lowerarm.r",
                           "mixamorig:LeftForeArm", "LowerLeg.L", "shin.R", "b_RightForeArm_07"})
    CHECK(namesLowerLimb(name));
  for (const char* name : {"LeftArm", "thigh_l", "Spine", "forearm_twist_l", "Hand.R"})
    CHECK_FALSE(namesLowerLimb(name));
}

namespace {

// Bones in one or several trees, some of them without skin, their skin separate or shared.
Model randomTrees(std::uint64_t seed) {
  Random random(seed);
  Model model;
  model.name = "random trees";
  const std::uint32_t count = 1 + random.below(40);
  const float roots = random.uniform();
  const float bare = random.uniform();
  const float shared = random.uniform();
  const auto point = [&](float reach) {
    return vec3(random.uniform(-reach, reach), random.uniform(-reach, reach),
                random.uniform(-reach, reach));
  };
  Skin skin;
  Mesh mesh;
  mesh.skin = 0;
  std::vector<vec3> joints;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool root = i == 0 || random.uniform() < 0.3f * roots;
    Node node{"joint" + std::to_string(i), root ? kNoNode : random.below(i), {}};
    node.rest.translation = point(root ? 3.0f : 0.5f);
    joints.push_back(node.rest.translation + (root ? vec3(0.0f) : joints[node.parent]));
    model.hierarchy.nodes.push_back(node);
    skin.joints.push_back({i, glm::translate(mat4(1.0f), -joints.back())});
    const std::uint32_t vertices =
        random.uniform() < 0.7f * bare && i + 1 < count ? 0 : 3 + random.below(30);
    for (std::uint32_t v = 0; v < vertices; ++v) {
      mesh.positions.push_back(joints.back() + point(0.4f));
      mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
      std::vector<Influence> influences{{i, 1.0f}};
      if (i > 0 && random.uniform() < shared) influences = {{i, 0.7f}, {random.below(i), 0.3f}};
      mesh.influences.append(influences);
    }
  }
  for (std::uint32_t v = 0; v + 2 < mesh.positions.size(); ++v)
    mesh.triangles.push_back({v, v + 1, v + 2});
  model.skins.push_back(skin);
  model.meshes.push_back(mesh);
  model.materials.emplace_back();
  return model;
}

constexpr std::uint64_t kTrees = 400;

} // namespace

TEST_CASE("fitting ends for every forest of bones") {
  // In a process of its own with a limit of time: without the end there is no answer to check.
  const ModelReader fitAll = [](const ImportProgress&) {
    for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
      const Model model = randomTrees(seed);
      bodyTree(model, buildRig(model));
    }
    return Model{};
  };
  CHECK_NOTHROW(readIsolated("random trees", fitAll, {}, {.seconds = 60.0}));
}

TEST_CASE("every forest of bones becomes one tree that has all the skin") {
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    CAPTURE(seed);
    const Model model = randomTrees(seed);
    const BodyTree tree = bodyTree(model, buildRig(model));
    std::size_t vertices = 0;
    std::set<std::uint32_t> nodes;
    REQUIRE(!tree.bones.empty());
    for (std::size_t i = 0; i < tree.bones.size(); ++i) {
      const BodyBone& bone = tree.bones[i];
      CHECK((i == 0) == (bone.parent == kNoNode));
      CHECK((i == 0 || bone.parent < i));
      CHECK(glm::length(bone.tip - bone.joint) > 0.0f);
      vertices += bone.skin.size();
      CHECK(nodes.insert(bone.node).second);
      for (const std::uint32_t merged : bone.merged)
        CHECK(nodes.insert(merged).second);
    }
    CHECK(vertices == model.meshes[0].positions.size());
    const RagdollConfig config = fitCheckedRagdoll(model); // which checks it
    CHECK(config.bodies.size() == tree.bones.size());
  }
}

TEST_CASE("of thousands of clips a fit looks at some") {
  Model many = findDemo("humanoid").make();
  const std::vector<Clip> own = many.clips;
  constexpr std::size_t kClips = 3000;
  constexpr std::size_t kLooked = 120;
  for (std::size_t i = own.size(); i < kClips; ++i)
    many.clips.push_back(own[i % own.size()]);
  Model few = many;
  few.clips.clear();
  for (std::size_t i = 0; i < kLooked; ++i)
    few.clips.push_back(many.clips[i * kClips / kLooked]);
  CHECK(fitCheckedRagdoll(many) == fitCheckedRagdoll(few));
}

TEST_CASE("every generated model has a ragdoll") {
  for (const Demo& demo : demos()) {
    INFO(demo.name);
    CHECK(fitCheckedRagdoll(demo.make()).bodies.size() >= 1);
  }
}

TEST_CASE("downloaded rigs have their elbows and knees") {
  struct Rigged {
    const char* file;
    std::set<std::string> hinges;
  };
  const std::vector<Rigged> rigs = {
      {"mannequiny/mannequiny.glb", {"calf.l", "calf.r", "lowerarm.l", "lowerarm.r"}},
      {"male_suit/Male_Suit.fbx", {"LowerArm.L", "LowerArm.R", "LowerLeg.L", "LowerLeg.R"}},
      {"fox/Fox.glb",
       {"b_LeftForeArm_010", "b_LeftLeg02_016", "b_RightForeArm_07", "b_RightLeg02_020"}},
  };
  for (const Rigged& rig : rigs) {
    const auto path = test::sharedModels() / rig.file;
    if (!std::filesystem::exists(path)) {
      MESSAGE("not there: " << path.string());
      continue;
    }
    const Model model = importModel(path);
    const RagdollConfig config = fitCheckedRagdoll(model);
    INFO(rig.file);
    CHECK(listHinges(config) == rig.hinges);
    if (std::string(rig.file).find("Male") == std::string::npos) continue;
    // Its feet stand on handles of their own in the file; the skin says where they belong.
    REQUIRE(findJoint(config, "Foot.L") != nullptr);
    CHECK(findJoint(config, "Foot.L")->parent == "LowerLeg.L");
  }
}
