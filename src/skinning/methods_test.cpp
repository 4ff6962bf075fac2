#include "animation/pose.h"
#include "animation/random_model.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_effort.h"
#include "core/test_files.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <set>
#include <sstream>
#include <string>
#include <string_view>

using namespace sinew;

namespace {

// Without spaces, ends of lines and marks of code.
std::string plain(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '`'; });
  return text;
}

SkinnedMesh skinnedAt(const Method& method, const Rig& rig, const std::vector<mat4>& modelFromNode,
                      std::uint32_t influences = 12) {
  const Binding binding = method.bind(rig, {influences, {}});
  Palette palette;
  packPalette(method, rig, binding, modelFromNode, palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out;
}

SkinnedMesh skinned(const Method& method, const Model& model, const Rig& rig, const Pose& pose,
                    std::uint32_t influences = 12) {
  return skinnedAt(method, rig, modelFromNodes(model.hierarchy, pose), influences);
}

// The definition, in double precision and with every influence: sum w_i F(j_i) A(j_i)^-1 v.
glm::dvec3 blendedByDefinition(const Rig& rig, const std::vector<mat4>& modelFromNode,
                               std::size_t v) {
  glm::dvec3 sum(0.0);
  for (const Influence& influence : rig.influences.of(v)) {
    const RigJoint& joint = rig.joints[influence.joint];
    const glm::dmat4 m = glm::dmat4(modelFromNode[joint.node]) * glm::dmat4(joint.jointFromBind);
    sum += static_cast<double>(influence.weight) * glm::dvec3(m * glm::dvec4(rig.positions[v], 1));
  }
  return sum;
}

} // namespace

TEST_CASE("the table: names are unique, found either way, and complete") {
  std::set<std::string_view> shortTitles;
  for (const Method& method : methods()) {
    CHECK(&findMethod(method.name) == &method);
    CHECK(!method.title.empty());
    CHECK(shortTitles.insert(method.shortTitle).second);
    CHECK((!method.shortTitle.empty() && method.shortTitle.size() <= 10));
    CHECK(!method.summary.empty());
    CHECK(!method.formula.empty());
    CHECK(!method.symbols.empty());
  }
  CHECK_THROWS_AS(findMethod("no-such"), Error);
}

TEST_CASE("every method: its formula is that of the document") {
  const std::string page = plain(readFile(test::sourceFolder() / "docs" / "methods.md"));
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    std::istringstream lines{std::string(method.formula)};
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      // Tables have the right side in a column of its own.
      const std::string cell = "|" + plain(line.substr(line.find(" = ") + 3)) + "|";
      CHECK((page.find(plain(line)) != std::string::npos || page.find(cell) != std::string::npos));
    }
  }
}

TEST_CASE("every method: the bind pose is the identity") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      RandomModelOptions options;
      options.rigidMesh = false; // it stands where its joint puts it
      const Model model = randomModel(seed, options);
      const Rig rig = buildRig(model);
      const SkinnedMesh out = skinned(method, model, rig, restPose(model.hierarchy));
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        CHECK(glm::length(out.positions[v] - rig.positions[v]) < 1e-5f);
        CHECK(glm::length(out.normals[v] - rig.normals[v]) < 1e-4f);
      }
    }
}

TEST_CASE("every method: one rigid motion of all joints moves all vertices rigidly") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(10, 4)); ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      const Model model = randomModel(seed);
      const Rig rig = buildRig(model);
      Random random(seed);
      Transform motion;
      motion.rotation = randomRotation(random);
      motion.translation = vec3(1, -2, 3);
      Pose pose = restPose(model.hierarchy);
      const SkinnedMesh before = skinned(method, model, rig, pose);
      pose.parentFromNode[0] = decompose(toMatrix(motion) * toMatrix(pose.parentFromNode[0]));
      const SkinnedMesh after = skinned(method, model, rig, pose);
      for (std::size_t v = 0; v < after.positions.size(); ++v) {
        CHECK(glm::length(after.positions[v] -
                          transformPoint(toMatrix(motion), before.positions[v])) < 2e-5f);
        CHECK(glm::length(after.normals[v] - motion.rotation * before.normals[v]) < 1e-4f);
      }
    }
}

TEST_CASE("every method: one scale of all joints scales the result") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(10, 4)); ++seed)
      for (const float scale : {0.01f, 0.5f, 3.0f}) {
        CAPTURE(method.name);
        CAPTURE(seed);
        CAPTURE(scale);
        const Model model = randomModel(seed);
        const Rig rig = buildRig(model);
        std::vector<mat4> nodes = modelFromNodes(model.hierarchy, randomPose(model, seed));
        const SkinnedMesh before = skinnedAt(method, rig, nodes);
        for (mat4& node : nodes)
          node = glm::scale(mat4(1.0f), vec3(scale)) * node;
        const SkinnedMesh after = skinnedAt(method, rig, nodes);
        for (std::size_t v = 0; v < after.positions.size(); ++v) {
          CHECK(glm::length(after.positions[v] / scale - before.positions[v]) < 5e-5f);
          CHECK(glm::length(after.normals[v] - before.normals[v]) < 1e-3f);
        }
      }
}

TEST_CASE("every method: the bind matrices of joints that move no skin change nothing") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(10, 4)); ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      Model model = randomModel(seed);
      const auto moved = [&] {
        const Rig rig = buildRig(model);
        return skinned(method, model, rig, randomPose(model, seed));
      };
      // Every third joint gives its skin to the one before.
      std::vector<SkinJoint>& joints = model.skins[0].joints;
      for (Influence& influence : model.meshes[0].influences.values)
        if (influence.joint % 3 == 1) --influence.joint;
      const SkinnedMesh before = moved();
      Random random(seed);
      for (std::size_t j = 1; j + 1 < joints.size(); j += 3)
        joints[j].jointFromBind = random.uniform(0.0f, 1.0f) < 0.5f
                                      ? mat4(1.0f)
                                      : glm::scale(joints[j].jointFromBind, vec3(100.0f));
      const SkinnedMesh after = moved();
      for (std::size_t v = 0; v < after.positions.size(); ++v)
        CHECK(glm::length(after.positions[v] - before.positions[v]) < 5e-5f);
    }
}

TEST_CASE("every method: controls between the bones, which move no skin, change nothing") {
  for (const Method& method : methods())
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(10, 4)); ++seed) {
      CAPTURE(method.name);
      CAPTURE(seed);
      const Model model = randomModel(seed);
      const Pose pose = randomPose(model, seed);
      const Rig rig = buildRig(model);
      const SkinnedMesh plainly = skinned(method, model, rig, pose);
      // A control takes each joint's node, and the joint becomes a child that moves with it.
      Model controlled = model;
      Pose controlledPose = pose;
      std::vector<SkinJoint>& joints = controlled.skins[0].joints;
      const auto count = static_cast<std::uint32_t>(joints.size());
      for (std::uint32_t j = 0; j < count; ++j) {
        Node bone;
        bone.parent = joints[j].node;
        joints.push_back(joints[j]);
        joints[j].node = static_cast<std::uint32_t>(controlled.hierarchy.nodes.size());
        controlled.hierarchy.nodes.push_back(bone);
        controlledPose.parentFromNode.emplace_back();
      }
      const Rig other = buildRig(controlled);
      const SkinnedMesh out = skinned(method, controlled, other, controlledPose);
      // Where a joint shares skin with its parent, it is bent as before.
      for (std::size_t v = 0; v < out.positions.size(); ++v)
        CHECK(glm::length(out.positions[v] - plainly.positions[v]) < 5e-5f);
    }
}

TEST_CASE("linear blending is its definition") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.influences = 12;
    options.nonUniformScale = true;
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const Pose pose = randomPose(model, seed, options);
    const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
    const SkinnedMesh out = skinned(findMethod("lbs"), model, rig, pose);
    const float size = computeBounds(out.positions).size();
    for (std::size_t v = 0; v < out.positions.size(); ++v)
      // Weights are stored in steps of 1/65535.
      CHECK(glm::length(glm::dvec3(out.positions[v]) - blendedByDefinition(rig, modelFromNode, v)) <
            1e-4f * size);
  }
}

TEST_CASE("rigid follows the strongest joint to the letter") {
  const Model model = randomModel(5);
  const Rig rig = buildRig(model);
  const Pose pose = randomPose(model, 5);
  const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
  const SkinnedMesh out = skinned(findMethod("rigid"), model, rig, pose);
  for (std::size_t v = 0; v < out.positions.size(); ++v) {
    const RigJoint& joint = rig.joints[rig.influences.of(v)[0].joint];
    const mat4 m = modelFromNode[joint.node] * joint.jointFromBind;
    CHECK(glm::length(out.positions[v] - transformPoint(m, rig.positions[v])) < 1e-5f);
  }
}

TEST_CASE("normals stay at right angles to the surface under non-uniform and mirrored scale") {
  // With one influence the map is affine, so tangents can be carried along and compared.
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.influences = 1;
    options.nonUniformScale = true;
    options.joints = 6;
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const Pose pose = randomPose(model, seed, options);
    const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
    const SkinnedMesh out = skinned(findMethod("lbs"), model, rig, pose);
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const RigJoint& joint = rig.joints[rig.influences.of(v)[0].joint];
      const mat4 m = modelFromNode[joint.node] * joint.jointFromBind;
      const vec3 n = rig.normals[v];
      const vec3 tangent =
          glm::normalize(glm::cross(n, std::abs(n.x) < 0.6f ? vec3(1, 0, 0) : vec3(0, 1, 0)));
      const vec3 bitangent = glm::cross(n, tangent);
      const vec3 posedTangent = glm::normalize(transformVector(m, tangent));
      const vec3 posedBitangent = glm::normalize(transformVector(m, bitangent));
      CHECK(std::abs(glm::dot(out.normals[v], posedTangent)) < 1e-4f);
      CHECK(std::abs(glm::dot(out.normals[v], posedBitangent)) < 1e-4f);
      CHECK(std::abs(glm::length(out.normals[v]) - 1.0f) < 1e-5f);
      CHECK(glm::dot(out.normals[v], transformVector(m, n)) > 0.0f); // outward stays outward
    }
  }
}

TEST_CASE("keeping fewer influences keeps the largest, renormalised") {
  RandomModelOptions options;
  options.influences = 12;
  const Model model = randomModel(9, options);
  const Rig rig = buildRig(model);
  const Binding four = findMethod("lbs").bind(rig, {4, {}});
  CHECK(four.variant.influences == 4);
  CHECK(makeDefines(four.variant) == std::vector<std::string>{"INFLUENCES 4"});
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto all = rig.influences.of(v);
    const glm::uvec4 joints = readUint(findAttribute(four, "joints0"), v);
    const glm::vec4 weights = readFloat(findAttribute(four, "weights0"), v);
    CHECK(weights.x + weights.y + weights.z + weights.w == doctest::Approx(1.0f).epsilon(1e-6));
    for (std::size_t i = 0; i < std::min<std::size_t>(4, all.size()); ++i)
      CHECK(joints[static_cast<int>(i)] == all[i].joint);
  }
  for (std::uint32_t limit = 1; limit <= 12; ++limit) {
    CAPTURE(limit);
    const Binding some = findMethod("lbs").bind(rig, {limit, {}});
    CHECK(some.variant.influences == limit);
    CHECK(some.attributes.size() == 2 * ((limit + 3) / 4));
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      std::uint32_t held = 0;
      for (std::uint32_t set = 0; set < (limit + 3) / 4; ++set) {
        const glm::vec4 weights =
            readFloat(findAttribute(some, "weights" + std::to_string(set)), v);
        for (int i = 0; i < 4; ++i)
          held += weights[i] > 0.0f ? 1 : 0;
      }
      CHECK(held == std::min<std::size_t>(limit, rig.influences.of(v).size()));
    }
  }
}

TEST_CASE("a joint scaled to nothing gives finite positions and no NaN normals") {
  const Model model = randomModel(6);
  const Rig rig = buildRig(model);
  Pose pose = restPose(model.hierarchy);
  for (Transform& t : pose.parentFromNode)
    t.scale = vec3(0.0f);
  for (const Method& method : methods()) {
    const SkinnedMesh out = skinned(method, model, rig, pose);
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      CHECK(std::isfinite(out.positions[v].x + out.positions[v].y + out.positions[v].z));
      CHECK(std::isfinite(out.normals[v].x + out.normals[v].y + out.normals[v].z));
    }
  }
}
