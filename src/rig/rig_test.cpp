#include "animation/random_model.h"
#include "rig/rig.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

using namespace sinew;

TEST_CASE("all meshes become one vertex list, in order, with global joints") {
  const Model model = randomModel(1);
  const Rig rig = buildRig(model);
  REQUIRE(rig.meshes.size() == 2);
  CHECK(rig.positions.size() == vertexCount(model));
  CHECK(rig.triangles.size() == triangleCount(model));
  CHECK(rig.normals.size() == rig.positions.size());
  CHECK(rig.texcoords.size() == rig.positions.size());
  CHECK(rig.influences.vertexCount() == rig.positions.size());
  const RigMesh& second = rig.meshes[1];
  CHECK(rig.positions[second.firstVertex] == model.meshes[1].positions[0]);
  CHECK(rig.triangles[second.firstTriangle][0] ==
        model.meshes[1].triangles[0][0] + second.firstVertex);
}

TEST_CASE("a rigid mesh is bound to its node with the identity") {
  const Model model = randomModel(2);
  const Rig rig = buildRig(model);
  const auto vertex = rig.influences.of(rig.meshes[1].firstVertex);
  REQUIRE(vertex.size() == 1);
  CHECK(vertex[0].weight == 1.0f);
  CHECK(rig.joints[vertex[0].joint].node == model.meshes[1].node);
  CHECK(rig.joints[vertex[0].joint].jointFromBind == mat4(1.0f));
}

TEST_CASE("equal skins share joints, different ones do not") {
  Model model = randomModel(3);
  model.meshes.push_back(model.meshes[0]);
  model.skins.push_back(model.skins[0]);
  model.meshes.back().skin = 1;
  const std::size_t shared = buildRig(model).joints.size();
  CHECK(shared == buildRig(randomModel(3)).joints.size());
  model.skins[1].joints[0].jointFromBind[3][0] += 1.0f;
  CHECK(buildRig(model).joints.size() == shared + model.skins[1].joints.size());
}

TEST_CASE("a joint's parent is the nearest ancestor of its own skin") {
  Model model = randomModel(4);
  auto& joints = model.skins[0].joints;
  const Rig rig = buildRig(model);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::uint32_t parentNode = model.hierarchy.nodes[joints[j].node].parent;
    if (parentNode == 0) // the root is no joint
      CHECK(rig.joints[j].ancestor == kNoNode);
    else
      CHECK(rig.joints[rig.joints[j].ancestor].node == parentNode);
    CHECK(rig.joints[j].parent == rig.joints[j].ancestor);
  }
}

namespace {

// A skin over these nodes; each vertex has half of its weight of either joint of a pair. Joints
// stand along x.
struct Bone {
  std::uint32_t parent;
  float x;
};
Rig buildPairsRig(const std::vector<Bone>& bones,
                  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  Model model;
  Mesh mesh;
  mesh.skin = 0;
  Skin skin;
  for (const Bone& bone : bones) {
    Node node;
    node.parent = bone.parent;
    const float up = bone.parent == kNoNode ? 0.0f : bones[bone.parent].x;
    node.rest.translation.x = bone.x - up;
    skin.joints.push_back({static_cast<std::uint32_t>(model.hierarchy.nodes.size()),
                           glm::translate(mat4(1.0f), vec3(-bone.x, 0.0f, 0.0f))});
    model.hierarchy.nodes.push_back(node);
  }
  for (const auto& [a, b] : pairs) {
    mesh.positions.emplace_back(bones[a].x, bones[b].x, 0.0f);
    mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
    mesh.influences.append({{{a, 0.5f}, {b, 0.5f}}});
  }
  model.meshes.push_back(mesh);
  model.skins.push_back(skin);
  return buildRig(model);
}

} // namespace

TEST_CASE("a joint bends against the bone that stands for an ancestor without skin") {
  // A hip control 1 whose bone is 2, and under the control a thigh 3 with a twist helper 4 in
  // between and a calf 5.
  const std::vector<Bone> bones{{kNoNode, 0.0f}, {0, 1.0f}, {1, 1.0f},
                                {1, 2.0f},       {3, 2.5f}, {4, 3.0f}};
  const Rig rig = buildPairsRig(bones, {{2, 3}, {3, 5}});
  CHECK(rig.joints[3].ancestor == 1);
  CHECK(rig.joints[3].parent == 2);
  CHECK(rig.joints[5].ancestor == 4);
  CHECK(rig.joints[5].parent == 3);
  CHECK(rig.joints[2].parent == 1);
  CHECK(rig.joints[4].parent == 3);
  const std::vector<std::uint32_t> order = parentsFirst(rig);
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j)
    if (const std::uint32_t parent = rig.joints[j].parent; parent != kNoNode)
      CHECK(std::ranges::find(order, parent) < std::ranges::find(order, j));
  // What shares no skin does not bend against it, and neither does what stands elsewhere.
  CHECK(buildPairsRig(bones, {{2, 2}, {3, 5}}).joints[3].parent == 1);
  std::vector<Bone> apart = bones;
  apart[2].x = 1.5f;
  CHECK(buildPairsRig(apart, {{2, 3}, {3, 5}}).joints[3].parent == 1);
}

TEST_CASE("a joint bends against a helper that twists, on the way from its ancestor") {
  // A forearm 1 with its helper 2, which has the skin near the hand 3.
  std::vector<Bone> bones{{kNoNode, 0.0f}, {0, 1.0f}, {1, 1.5f}, {1, 2.0f}};
  CHECK(buildPairsRig(bones, {{1, 2}, {2, 3}}).joints[3].parent == 2);
  CHECK(buildPairsRig(bones, {{1, 2}, {2, 3}, {1, 3}}).joints[3].parent == 1);
  bones[2].x = 2.5f; // beyond the hand
  CHECK(buildPairsRig(bones, {{1, 2}, {2, 3}}).joints[3].parent == 1);
}

TEST_CASE("bones that stand for one another's ancestors make no circle") {
  // Controls 1 and 2 at one place; each bone 3 and 4 stands there too, under the other's control.
  const Rig rig =
      buildPairsRig({{kNoNode, 0.0f}, {0, 1.0f}, {0, 1.0f}, {1, 1.0f}, {2, 1.0f}}, {{3, 4}});
  CHECK(((rig.joints[3].parent == 4) != (rig.joints[4].parent == 3)));
}

TEST_CASE("what a cut leaves out is counted") {
  Influences influences;
  influences.append({{{0, 0.4f}, {1, 0.3f}, {2, 0.2f}, {3, 0.06f}, {4, 0.04f}}});
  influences.append({{{0, 1.0f}}});
  const InfluenceCut four = influencesCut(influences, 4);
  CHECK(four.vertices == 1);
  CHECK(four.influences == 1);
  CHECK(four.largestWeight == doctest::Approx(0.04f));
  CHECK(influencesCut(influences, 2).influences == 3);
  CHECK(influencesCut(influences, 2).largestWeight == doctest::Approx(0.2f));
  CHECK(influencesCut(influences, 8).vertices == 0);
  CHECK(maxInfluences(influences) == 5);
}
