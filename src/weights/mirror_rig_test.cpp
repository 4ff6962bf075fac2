#include "core/bounds.h"
#include "core/error.h"
#include "demo/demo.h"
#include "rig/rig.h"
#include "weights/mirror_rig.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace sinew;

namespace {

Model humanoidModel() {
  return findDemo("humanoid").make();
}

float largestWeightChange(const Model& a, const Model& b) {
  float largest = 0.0f;
  for (std::size_t m = 0; m < a.meshes.size(); ++m)
    for (std::size_t v = 0; a.meshes[m].skin && v < a.meshes[m].positions.size(); ++v) {
      std::map<std::uint32_t, float> change;
      for (const Influence& each : a.meshes[m].influences.of(v))
        change[each.joint] += each.weight;
      for (const Influence& each : b.meshes[m].influences.of(v))
        change[each.joint] -= each.weight;
      for (const auto& [joint, difference] : change)
        largest = std::max(largest, std::abs(difference));
    }
  return largest;
}

// All vertices left of the plane (x > 0) or right of it follow the root alone.
Model withoutWeights(Model model, float side) {
  for (Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    Influences fresh;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      if (side * mesh.positions[v].x > 1e-3f)
        fresh.append(std::vector<Influence>{{0, 1.0f}});
      else
        fresh.append(mesh.influences.of(v));
    mesh.influences = std::move(fresh);
  }
  return model;
}

} // namespace

TEST_CASE("mirror: a symmetric rig stays as it is") {
  const Model model = humanoidModel();
  for (const Side from : {Side::left, Side::right}) {
    MirrorRigOptions options;
    options.from = from;
    options.joints = true;
    const MirroredRig out = mirrorRig(model, options);
    CHECK(out.unmatched.empty());
    CHECK(out.joints.empty());
    CHECK(out.mirrored > 0);
    CHECK(out.movedJoints == 0);
    CHECK(largestWeightChange(model, out.model) < 1e-4f);
  }
}

TEST_CASE("mirror: a side without weights gets those of the other") {
  const Model model = humanoidModel();
  for (const Side from : {Side::left, Side::right}) {
    MirrorRigOptions options;
    options.from = from;
    const Model damaged = withoutWeights(model, from == Side::left ? -1.0f : 1.0f);
    REQUIRE(largestWeightChange(model, damaged) == doctest::Approx(1.0f));
    const MirroredRig out = mirrorRig(damaged, options);
    CHECK(out.largestChange == doctest::Approx(1.0f));
    CHECK(largestWeightChange(model, out.model) < 1e-4f);
  }
}

TEST_CASE("mirror: a nearly symmetric side gets nearly the weights of the other") {
  Model model = humanoidModel();
  for (Mesh& mesh : model.meshes)
    for (vec3& p : mesh.positions)
      if (p.x < -1e-3f) p += 0.003f * vec3(0.0f, std::sin(40.0f * p.y), std::cos(30.0f * p.x));
  const MirroredRig out = mirrorRig(withoutWeights(model, -1.0f), {});
  CHECK(out.unmatched.empty());
  CHECK(out.farthest > 0.0f);
  CHECK(largestWeightChange(model, out.model) < 0.15f);
}

TEST_CASE("mirror: what is far from any mirrored point is listed and keeps its weights") {
  Model model = humanoidModel();
  Mesh& mesh = model.meshes.front();
  const auto lowest = std::ranges::min_element(mesh.positions, {}, &vec3::x);
  const auto v = static_cast<std::uint32_t>(lowest - mesh.positions.begin());
  *lowest += vec3(-0.5f, 0.0f, 0.0f);
  const MirroredRig out = mirrorRig(model, {});
  REQUIRE(out.unmatched.size() == 1);
  CHECK(out.unmatched.front() == v);
}

TEST_CASE("mirror: a shape of one side becomes that of the other") {
  Model model = humanoidModel();
  model.morphTargets = {{"bulge.L", 0.0f}};
  MorphOffsets morph;
  Mesh& mesh = model.meshes.front();
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
    if (mesh.positions[v].x > 0.3f) {
      morph.vertices.push_back(v);
      morph.positions.emplace_back(0.01f, 0.02f, 0.03f);
    }
  mesh.morphs = {morph};
  const MirroredRig out = mirrorRig(model, {});
  REQUIRE(out.addedShapes == std::vector<std::string>{"bulge.R"});
  REQUIRE(out.model.meshes.front().morphs.size() == 2);
  const MorphOffsets& right = out.model.meshes.front().morphs[1];
  CHECK(right.target == 1);
  CHECK(right.vertices.size() == morph.vertices.size());
  for (std::size_t i = 0; i < right.vertices.size(); ++i) {
    CHECK(mesh.positions[right.vertices[i]].x < -0.3f + 1e-4f);
    CHECK(glm::length(right.positions[i] - vec3(-0.01f, 0.02f, 0.03f)) < 1e-6f);
  }
}

TEST_CASE("mirror: joints of the other side move to the mirrored places, and the bind pose holds") {
  const Model model = humanoidModel();
  Model moved = model;
  const std::vector<mat4> bound = modelFromNodes(model.hierarchy, bindPose(model));
  const MirrorMap map = mirrorMap(model);
  std::uint32_t joint = kNoNode;
  for (const std::uint32_t node : jointNodes(model))
    if (bound[node][3].x < -0.3f && map.partner[node] != kNoNode) joint = node;
  REQUIRE(joint != kNoNode);
  const vec3 by(0.0f, 0.05f, 0.02f);
  const std::uint32_t parent = model.hierarchy.nodes[joint].parent;
  moved.hierarchy.nodes[joint].rest.translation += glm::inverse(mat3(bound[parent])) * by;
  for (SkinJoint& each : moved.skins.front().joints)
    if (each.node == joint)
      each.jointFromBind =
          each.jointFromBind * mat4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -by.x, -by.y, -by.z, 1);
  MirrorRigOptions options;
  options.joints = true;
  const MirroredRig out = mirrorRig(moved, options);
  CHECK(out.movedJoints >= 1);
  const std::vector<mat4> now = modelFromNodes(out.model.hierarchy, bindPose(out.model));
  const std::vector<mat4> rest = modelFromNodes(out.model.hierarchy, restPose(out.model));
  CHECK(glm::length(vec3(now[joint][3]) - vec3(bound[joint][3])) < 1e-4f);
  CHECK(glm::length(vec3(rest[joint][3]) - vec3(bound[joint][3])) < 1e-4f);
}

TEST_CASE("mirror: joints that would go far are refused, as where a file has two characters") {
  Model model = humanoidModel();
  const std::vector<mat4> bound = modelFromNodes(model.hierarchy, bindPose(model));
  const float size = computeBounds(model.meshes.front().positions).size();
  for (SkinJoint& each : model.skins.front().joints)
    if (bound[each.node][3].x < -0.1f) // the other side, elsewhere
      each.jointFromBind =
          each.jointFromBind * mat4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.5f * size, 0, 1);
  MirrorRigOptions options;
  options.joints = true;
  CHECK_THROWS_AS(mirrorRig(model, options), Error);
  options.joints = false;
  CHECK_NOTHROW(mirrorRig(model, options));
}
