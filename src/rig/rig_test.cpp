#include "animation/random_model.h"
#include "rig/rig.h"

#include <doctest/doctest.h>

#include <numeric>

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
      CHECK(rig.joints[j].parent == kNoNode);
    else
      CHECK(rig.joints[rig.joints[j].parent].node == parentNode);
  }
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
