#include "bake/reduce_joints.h"
#include "demo/demo.h"
#include "weights/repose_model.h"
#include "weights/templates/arm_pose.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>

using namespace sinew;

namespace {

Model reducible() {
  return findDemo("humanoid").make();
}

ReduceOptions reduceQuickly() {
  ReduceOptions options;
  options.poses = 40;
  return options;
}

std::size_t countJoints(const Model& model) {
  return model.skins.front().joints.size();
}

// A joint below another that never moves by itself and takes half of its weight.
void splitJoint(Model& model, std::uint32_t joint) {
  Skin& skin = model.skins.front();
  Node node;
  node.name = "rider";
  node.parent = skin.joints[joint].node;
  node.rest.translation = vec3(0.0f, 0.1f, 0.0f);
  const auto number = static_cast<std::uint32_t>(skin.joints.size());
  skin.joints.push_back(
      {static_cast<std::uint32_t>(model.hierarchy.nodes.size()),
       glm::translate(mat4(1.0f), -node.rest.translation) * skin.joints[joint].jointFromBind});
  model.hierarchy.nodes.push_back(node);
  for (Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    Influences fresh;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      std::vector<Influence> row;
      for (const Influence& each : mesh.influences.of(v))
        if (each.joint == joint) {
          row.push_back({joint, 0.5f * each.weight});
          row.push_back({number, 0.5f * each.weight});
        } else {
          row.push_back(each);
        }
      std::ranges::stable_sort(
          row, [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      fresh.append(row);
    }
    mesh.influences = std::move(fresh);
  }
}

} // namespace

TEST_CASE("reduce: what moves nothing by itself goes first, and nothing looks different") {
  const Model original = reducible();
  Model model = original;
  splitJoint(model, 3);
  ReduceOptions options = reduceQuickly();
  options.poses = 320; // so that every joint moves by itself in some
  options.influences = 8;
  options.joints = static_cast<std::uint32_t>(countJoints(model)) - 1;
  const ReducedModel out = reduceJoints(model, options);
  REQUIRE(out.removed == std::vector<std::string>{"rider"});
  CHECK(out.nodes == out.removed);
  CHECK(out.joints == countJoints(model) - 1);
  CHECK(out.errors.heldOut.largest < 1e-5);
  CHECK(playedDifference(model, out.model).largest < 1e-5);
  CHECK(playedDifference(original, out.model).largest < 1e-5);
}

TEST_CASE("reduce: errors grow as joints go, weights are solved again, and kept ones stay") {
  const Model model = reducible();
  ReduceOptions options = reduceQuickly();
  const std::string keep = model.hierarchy.nodes[model.skins.front().joints.back().node].name;
  options.keep = {keep};
  options.joints = static_cast<std::uint32_t>(countJoints(model)) / 2;
  const ReducedModel out = reduceJoints(model, options);
  CHECK(out.joints == *options.joints);
  CHECK(countJoints(out.model) == *options.joints);
  CHECK(std::ranges::find(out.removed, keep) == out.removed.end());
  REQUIRE(out.curve.size() >= 3);
  CHECK(out.curve.front().heldOut.largest < 1e-5);
  CHECK(out.curve.back().heldOut.mean > out.curve.front().heldOut.mean);
  CHECK(out.errors.heldOut.mean < out.errors.given.mean);
  for (const Mesh& mesh : out.model.meshes) {
    if (!mesh.skin) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      float sum = 0.0f;
      for (const Influence& each : mesh.influences.of(v)) {
        CHECK_MESSAGE(each.joint < countJoints(out.model), "vertex ", v);
        sum += each.weight;
      }
      CHECK(sum == doctest::Approx(1.0f).epsilon(1e-4));
      CHECK(mesh.influences.of(v).size() <= 4);
    }
  }
}

TEST_CASE("reduce: a tolerance takes as many joints as it allows") {
  const Model model = reducible();
  ReduceOptions options = reduceQuickly();
  options.tolerance = 0.02;
  const ReducedModel some = reduceJoints(model, options);
  options.tolerance = 0.1;
  const ReducedModel more = reduceJoints(model, options);
  CHECK(some.errors.heldOut.largest <= 0.02);
  CHECK(more.errors.heldOut.largest <= 0.1);
  CHECK(more.joints < some.joints);
  CHECK(some.joints < countJoints(model));
}

TEST_CASE("reduce: two weights solved are nearer than the two largest") {
  const Model model = reducible();
  ReduceOptions options = reduceQuickly();
  options.influences = 2;
  const ReducedModel out = reduceJoints(model, options);
  CHECK(out.removed.empty());
  CHECK(out.errors.heldOut.mean < 0.9 * out.errors.given.mean);
}

TEST_CASE("repose: exact with offset joints; without, the difference is measured") {
  const Model model = reducible();
  const Pose pose = armPose(model, ArmPose::a);
  const ReposedModel exact = reposeModel(model, pose, true);
  CHECK(exact.offsetJoints > 0);
  CHECK(playedDifference(model, exact.model).largest < 1e-5);
  ReposedModel plain = reposeModel(model, pose, false);
  CHECK(plain.offsetJoints == 0);
  const PlayedDifference unchanged = playedDifference(model, plain.model);
  CHECK(unchanged.largest > 1e-4);
  BakePoseOptions poses;
  poses.clips = {0};
  poses.limit = 40;
  const RefitErrors errors = refitWeights(refitTargets(model, poses), plain.model, {});
  CHECK(errors.heldOut.mean <= errors.given.mean);
}

TEST_CASE(
    "repose: the pose is the bind pose and the rest pose, and the mesh is what it was in it") {
  const Model model = reducible();
  const Pose pose = armPose(model, ArmPose::a);
  const ReposedModel out = reposeModel(model, pose, false);
  const Rig before = buildRig(model), after = buildRig(out.model);
  const std::vector<mat4> wanted = modelFromNodes(model.hierarchy, pose);
  const std::vector<mat4> bound = modelFromNodes(out.model.hierarchy, bindPose(out.model));
  for (const RigJoint& joint : after.joints)
    CHECK(glm::length(vec3(wanted[joint.node][3]) - vec3(bound[joint.node][3])) < 1e-4f);
  for (std::size_t v = 0; v < after.positions.size(); ++v)
    CHECK(glm::length(after.normals[v]) == doctest::Approx(1.0f).epsilon(1e-4));
  // Arms hang by 45 degrees.
  const ReposedModel back = reposeModel(out.model, armPose(out.model, ArmPose::t), false);
  const auto tips = [](const Model& of) {
    float lowest = 1e9f, widest = 0.0f;
    for (const vec3& p : of.meshes.front().positions)
      if (std::abs(p.x) > widest) {
        widest = std::abs(p.x);
        lowest = p.y;
      }
    return lowest;
  };
  CHECK(tips(out.model) < tips(back.model) - 0.2f);
}
