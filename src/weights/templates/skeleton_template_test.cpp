#include "animation/pose.h"
#include "core/error.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "import/import_model.h"
#include "weights/bind_model.h"
#include "weights/templates/arm_pose.h"
#include "weights/templates/skeleton_template.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

using namespace sinew;

namespace {

// How often the surface winds about p: 0 outside (Van Oosterom and Strackee, The Solid Angle of a
// Plane Triangle, 1983).
double windingAt(const JoinedMeshes& mesh, const vec3& p) {
  double out = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 a(mesh.positions[t[0]] - p), b(mesh.positions[t[1]] - p),
        c(mesh.positions[t[2]] - p);
    const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
    const double below =
        la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
    out += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), below);
  }
  return out / (4.0 * 3.14159265358979);
}

vec3 jointAt(const Skeleton& skeleton, std::string_view name) {
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    if (skeleton.hierarchy.nodes[skeleton.joints[j]].name == name)
      return vec3(skeleton.modelFromJoint[j][3]);
  FAIL("no joint " << name);
  return {};
}

void checkFinite(const Skeleton& skeleton) {
  CHECK(skeleton.joints.size() == skeleton.modelFromJoint.size());
  CHECK(skeleton.bones.size() == skeleton.jointOfBone.size());
  const std::vector<mat4> bound = boundNodes(skeleton);
  const std::vector<mat4> rest = modelFromNodes(skeleton.hierarchy, restPose(skeleton.hierarchy));
  for (std::size_t n = 0; n < bound.size(); ++n)
    for (int k = 0; k < 3; ++k) {
      CHECK(std::isfinite(bound[n][3][k]));
      CHECK(bound[n][3][k] == doctest::Approx(rest[n][3][k]).epsilon(1e-4));
    }
}

JoinedMeshes joinAllMeshes(const Model& model) {
  return joinMeshes(meshesAlone(model));
}

// The largest distance of joints that both have, in the mesh's height.
struct Distances {
  double mean = 0.0, largest = 0.0;
  std::string joint;
};
Distances distances(const Skeleton& skeleton, const Model& artist,
                    const std::map<std::string, std::string>& names, float height) {
  const std::vector<mat4> bound = modelFromNodes(artist.hierarchy, bindPose(artist));
  Distances out;
  for (const auto& entry : names) {
    const std::string& ours = entry.first;
    const std::string& theirs = entry.second;
    const auto node = findNode(artist.hierarchy, theirs);
    REQUIRE_MESSAGE(node.has_value(), theirs);
    const auto apart =
        static_cast<double>(glm::length(jointAt(skeleton, ours) - vec3(bound[*node][3])) / height);
    out.mean += apart / static_cast<double>(names.size());
    if (apart <= out.largest) continue;
    out.largest = apart;
    out.joint = ours;
  }
  return out;
}

} // namespace

TEST_CASE("skeleton templates: joints are near the artists'") {
  struct Case {
    std::string file; // one of the shared models, or the demo of that name
    std::string name; // the template's name
    std::map<std::string, std::string> names;
  };
  std::map<std::string, std::string> own;
  for (const char* name :
       {"Hips", "Neck", "Head", "LeftUpperArm", "LeftLowerArm", "LeftHand", "LeftUpperLeg",
        "LeftLowerLeg", "LeftFoot", "RightUpperArm", "RightLowerArm", "RightHand", "RightUpperLeg",
        "RightLowerLeg", "RightFoot"})
    own[name] = name;
  const std::vector<Case> cases = {
      {"humanoid", "humanoid", own},
      {"mannequiny/mannequiny.glb",
       "humanoid",
       {{"Neck", "neck_01"},
        {"Head", "head"},
        {"LeftUpperArm", "upperarm.l"},
        {"LeftLowerArm", "lowerarm.l"},
        {"LeftHand", "hand.l"},
        {"LeftUpperLeg", "thigh.l"},
        {"LeftLowerLeg", "calf.l"},
        {"LeftFoot", "foot.l"},
        {"RightUpperArm", "upperarm.r"},
        {"RightLowerLeg", "calf.r"}}},
      {"male_suit/Male_Suit.fbx",
       "humanoid",
       {{"Neck", "Neck"},
        {"Head", "Head"},
        {"LeftUpperArm", "UpperArm.L"},
        {"LeftLowerArm", "LowerArm.L"},
        {"LeftHand", "Palm.L"},
        {"LeftUpperLeg", "UpperLeg.L"},
        {"LeftLowerLeg", "LowerLeg.L"},
        {"RightUpperArm", "UpperArm.R"},
        {"RightUpperLeg", "UpperLeg.R"}}},
      {"fox/Fox.glb",
       "quadruped",
       {{"LeftFrontLowerLeg", "b_LeftForeArm_010"},
        {"RightFrontLowerLeg", "b_RightForeArm_07"},
        {"LeftRearLowerLeg", "b_LeftLeg02_016"},
        {"LeftRearFoot", "b_LeftFoot01_017"},
        {"Hips", "b_Hip_01"},
        {"Head", "b_Head_05"},
        {"Tail1", "b_Tail01_012"}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.file);
    const bool demo = one.file == "humanoid";
    if (!demo && !std::filesystem::exists(test::sharedModels() / one.file)) {
      MESSAGE("not there: ", one.file);
      continue;
    }
    const Model model =
        demo ? findDemo(one.file).make() : importModel(test::sharedModels() / one.file);
    const JoinedMeshes mesh = joinAllMeshes(model);
    const Skeleton skeleton = templateSkeleton(one.name, mesh.positions, mesh.triangles);
    checkFinite(skeleton);
    const vec3 extent = computeBounds(mesh.positions).extent();
    const float size = std::max(extent.y, extent.z);
    const Distances d = distances(skeleton, model, one.names, size);
    SINEW_FIGURE(one.file, ": mean ", d.mean, ", largest ", d.largest, " at ", d.joint);
    CHECK(d.mean < 0.05);
    CHECK(d.largest < 0.1);
  }
}

TEST_CASE("skeleton templates: joints lie within the mesh") {
  for (const auto& entry : {std::pair<std::string, std::string>{"", "humanoid"},
                            {"fox/Fox.glb", "quadruped"},
                            {"mannequiny/mannequiny.glb", "humanoid"},
                            {"cesium_man/CesiumMan.glb", "humanoid"}}) {
    const std::string& file = entry.first;
    const std::string& name = entry.second;
    CAPTURE(file);
    if (!file.empty() && !std::filesystem::exists(test::sharedModels() / file)) continue;
    const JoinedMeshes mesh = joinAllMeshes(
        file.empty() ? findDemo("humanoid").make() : importModel(test::sharedModels() / file));
    const Skeleton skeleton = templateSkeleton(name, mesh.positions, mesh.triangles);
    std::size_t outside = 0;
    for (const mat4& joint : skeleton.modelFromJoint)
      outside += std::fabs(windingAt(mesh, vec3(joint[3]))) < 0.5 ? 1 : 0;
    CHECK(outside <=
          skeleton.joints.size() / 10); // open or nested parts have no inside of their own
  }
}

TEST_CASE("skeleton templates: a mesh moved, scaled or rotated about Y gives the same joints") {
  const JoinedMeshes mesh = joinAllMeshes(findDemo("humanoid").make());
  const Skeleton before = templateSkeleton("humanoid", mesh.positions, mesh.triangles);
  for (int quarter = 0; quarter < 4; ++quarter) {
    CAPTURE(quarter);
    const float scale = quarter % 2 == 0 ? 100.0f : 0.01f;
    const quat rotation = glm::angleAxis(1.5707963f * static_cast<float>(quarter), vec3(0, 1, 0));
    const vec3 offset = scale * vec3(3, -2, 5);
    JoinedMeshes moved = mesh;
    for (vec3& p : moved.positions)
      p = scale * (rotation * p) + offset;
    const Skeleton after = templateSkeleton("humanoid", moved.positions, moved.triangles);
    REQUIRE(after.joints.size() == before.joints.size());
    for (std::size_t j = 0; j < before.joints.size(); ++j) {
      const vec3 wanted = scale * (rotation * vec3(before.modelFromJoint[j][3])) + offset;
      CHECK(glm::length(vec3(after.modelFromJoint[j][3]) - wanted) < 0.03f * scale * 1.75f);
    }
  }
}

TEST_CASE("skeleton templates: any mesh gets finite joints or one error") {
  for (const SkeletonTemplate& entry : skeletonTemplates())
    for (int seed = 1; seed <= test::rounds(12, 3); ++seed) {
      CAPTURE(std::string(entry.name));
      CAPTURE(seed);
      Random random(static_cast<std::uint64_t>(seed));
      std::vector<vec3> positions;
      std::vector<Triangle> triangles;
      const std::uint32_t count = 3 + random.below(60);
      for (std::uint32_t i = 0; i < count; ++i)
        positions.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1),
                               seed % 3 == 0 ? 0.0f : random.uniform(-1, 1));
      for (std::uint32_t i = 0; i + 2 < count; ++i)
        triangles.push_back({i, i + 1, i + 2});
      checkFinite(templateSkeleton(entry.name, positions, triangles));
    }
  const std::vector<vec3> point(3, vec3(1.0f));
  CHECK_THROWS_AS(templateSkeleton("humanoid", point, std::vector<Triangle>{{0, 1, 2}}), Error);
  CHECK_THROWS_AS(templateSkeleton("humanoid", {}, {}), Error);
  CHECK_THROWS_AS(templateSkeleton("robot", point, {}), Error);
}

TEST_CASE("arm poses: hands that hang from the root go where the forearms go") {
  const Model model = findDemo("humanoid").make();
  Model goals = model; // as in rigs with inverse kinematics
  const std::vector<mat4> rest = modelFromNodes(model.hierarchy, restPose(model));
  for (const char* name : {"LeftHand", "RightHand"}) {
    Node& hand = goals.hierarchy.nodes[*findNode(goals.hierarchy, name)];
    hand.parent = 0;
    hand.rest = decompose(glm::inverse(rest[0]) * rest[*findNode(goals.hierarchy, name)]);
  }
  // A goal where the hand is, which still hangs from the forearm.
  Model fingers = model;
  const std::uint32_t hand = *findNode(model.hierarchy, "LeftHand");
  std::vector<SkinJoint>& joints = fingers.skins.front().joints;
  SkinJoint goal = *std::ranges::find(joints, hand, &SkinJoint::node);
  goal.node = static_cast<std::uint32_t>(fingers.hierarchy.nodes.size());
  joints.push_back(goal);
  fingers.hierarchy.nodes.push_back(
      {.name = "Goal", .parent = 0, .rest = decompose(glm::inverse(rest[0]) * rest[hand])});
  for (const ArmPose pose : {ArmPose::a, ArmPose::t}) {
    const std::vector<mat4> moved = modelFromNodes(fingers.hierarchy, armPose(fingers, pose));
    CHECK(glm::distance(moved.back()[3], moved[hand][3]) < 1e-4f);
    const std::vector<mat4> expected = modelFromNodes(model.hierarchy, armPose(model, pose));
    const std::vector<mat4> found = modelFromNodes(goals.hierarchy, armPose(goals, pose));
    for (std::size_t node = 0; node < expected.size(); ++node)
      for (int column = 0; column < 4; ++column)
        CHECK(glm::distance(expected[node][column], found[node][column]) < 1e-4f);
  }
}
