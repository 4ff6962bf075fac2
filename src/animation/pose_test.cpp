#include "animation/pose.h"
#include "animation/random_model.h"
#include "core/affine.h"
#include "core/error.h"
#include "skinning/bone_palette.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sinew;

namespace {

// A rotation times one scale, perhaps mirrored.
bool scalesUniformly(const mat3& m) {
  const float xx = glm::dot(m[0], m[0]);
  const float yy = glm::dot(m[1], m[1]);
  const float zz = glm::dot(m[2], m[2]);
  const float tolerance = 2.0f * kRigidSlope * std::max({xx, yy, zz}); // they are squares
  return std::abs(xx - yy) <= tolerance && std::abs(yy - zz) <= tolerance &&
         std::abs(glm::dot(m[0], m[1])) <= tolerance &&
         std::abs(glm::dot(m[1], m[2])) <= tolerance && std::abs(glm::dot(m[2], m[0])) <= tolerance;
}

} // namespace

TEST_CASE("the scene graph pass multiplies along the chain") {
  Hierarchy hierarchy;
  hierarchy.nodes.push_back({"root", kNoNode, {{1, 0, 0}, {1, 0, 0, 0}, {2, 2, 2}}});
  hierarchy.nodes.push_back(
      {"child", 0, {{0, 1, 0}, glm::angleAxis(1.5707963f, vec3(0, 0, 1)), {1, 1, 1}}});
  const auto modelFromNode = modelFromNodes(hierarchy, restPose(hierarchy));
  // (1,0,0) turns to (0,1,0), moves to (0,2,0), doubles to (0,4,0), moves to (1,4,0).
  CHECK(glm::length(transformPoint(modelFromNode[1], {1, 0, 0}) - vec3(1, 4, 0)) < 1e-6f);
}

TEST_CASE("a pose goes through JSON unchanged") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.nonUniformScale = true;
    const Model model = randomModel(seed, options);
    const Pose pose = randomPose(model, seed, options);
    const Pose back = poseFromJson(model, poseToJson(model, pose), "memory");
    for (std::size_t i = 0; i < pose.parentFromNode.size(); ++i) {
      const Transform& a = pose.parentFromNode[i];
      const Transform& b = back.parentFromNode[i];
      CHECK(a.translation == b.translation);
      CHECK(a.scale == b.scale);
      CHECK(std::abs(glm::dot(a.rotation, b.rotation)) > 0.999999f);
    }
  }
}

TEST_CASE("a pose that is not one is refused with its place") {
  const Model model = randomModel(1);
  const auto message = [&](const char* text) -> std::string {
    try {
      poseFromJson(model, text, "p.json");
    } catch (const Error& error) {
      CHECK(error.cause() == ErrorCause::input);
      return error.what();
    }
    return "accepted";
  };
  CHECK(message("{").find("p.json: not valid JSON") == 0);
  CHECK(message("[]").find("not a pose") != std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"nobody":{}}})").find("no node 'nobody'") !=
        std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"scale":[1,2]}}})").find("'scale'") !=
        std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"rotation":[0,0,0,0]}}})")
            .find("no quaternion") != std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"rotation":[1e30,0,0,0]}}})")
            .find("no quaternion") != std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"rotation":[1e18,0,0,0]}}})")
            .find("no quaternion") != std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"scale":[1,1,1e999]}}})")
            .find("1e999 is too large") != std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":{"turn":[1]}}})").find("'turn'") !=
        std::string::npos);
  CHECK(message(R"({"sinew":"pose","nodes":{"joint0":7}})").find("not an object") !=
        std::string::npos);
}

TEST_CASE("blending meets both ends and holds where they agree") {
  const Model model = randomModel(3);
  const Pose a = randomPose(model, 1);
  const Pose b = randomPose(model, 2);
  const auto angleBetween = [](const Pose& x, const Pose& y) {
    float worst = 0.0f;
    for (std::size_t i = 0; i < x.parentFromNode.size(); ++i)
      worst = std::max(worst, 1.0f - std::abs(glm::dot(x.parentFromNode[i].rotation,
                                                       y.parentFromNode[i].rotation)));
    return worst;
  };
  CHECK(angleBetween(blend(a, b, 0.0f), a) < 1e-6f);
  CHECK(angleBetween(blend(a, b, 1.0f), b) < 1e-6f);
  CHECK(angleBetween(blend(a, a, 0.3f), a) < 1e-6f);
}

TEST_CASE("non-finite transforms fall back to rest and are counted") {
  const Model model = randomModel(4);
  Pose pose = randomPose(model, 4);
  pose.parentFromNode[3].translation.y = std::numeric_limits<float>::quiet_NaN();
  pose.parentFromNode[5].rotation.w = std::numeric_limits<float>::infinity();
  CHECK(replaceNonFinite(model.hierarchy, pose) == 2);
  CHECK(pose.parentFromNode[3] == model.hierarchy.nodes[3].rest);
  CHECK(replaceNonFinite(model.hierarchy, pose) == 0);
}

TEST_CASE("the bind pose puts every joint at its bind matrix, whatever the rest pose") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed);
    for (Node& node : model.hierarchy.nodes)
      node.rest.rotation = quat(1, 0, 0, 0);
    const auto modelFromNode = modelFromNodes(model.hierarchy, bindPose(model));
    for (const SkinJoint& joint : model.skins[0].joints) {
      const mat4 identity = modelFromNode[joint.node] * joint.jointFromBind;
      CHECK(glm::length(transformPoint(identity, {1, 2, 3}) - vec3(1, 2, 3)) < 1e-4f);
    }
  }
}

TEST_CASE("affine products and palettes have the bits of general ones") {
  bool any[2] = {};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const RandomModelOptions options{.vertices = 10, .nonUniformScale = seed % 2 == 0};
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const std::vector<mat4> f = modelFromNodes(model.hierarchy, randomPose(model, seed, options));
    std::vector<vec4> rows(3 * rig.joints.size());
    const bool uneven = packBoneMatrices(rig, {}, f, rows);
    bool expected = false;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const mat4 m = f[rig.joints[j].node] * rig.joints[j].jointFromBind;
      CHECK(affineProduct(f[rig.joints[j].node], rig.joints[j].jointFromBind) == m);
      for (int r = 0; r < 3; ++r)
        CHECK(rows[3 * j + static_cast<std::size_t>(r)] == glm::transpose(m)[r]);
      expected = expected || !scalesUniformly(mat3(m));
    }
    CHECK(uneven == expected);
    any[expected ? 1 : 0] = true;
  }
  CHECK((any[0] && any[1]));
}
