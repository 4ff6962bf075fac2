#include "import/skin_reader.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sinew;

namespace {

struct Skinned {
  std::vector<NamedBone> bones;
  Mesh mesh;
  NamedNodes tree;

  explicit Skinned(std::vector<vec3> positions, std::vector<Triangle> triangles) {
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
    tree.hierarchy.nodes = {{"root", kNoNode, {}}, {"a", 0, {}}, {"b", 0, {}}};
    tree.hierarchy.nodes[2].rest.translation = {0, 5, 0};
    for (std::uint32_t i = 0; i < 3; ++i)
      tree.byName[tree.hierarchy.nodes[i].name] = {i};
  }
  NamedBone& bone(const char* name, std::vector<NamedBone::Weight> weights) {
    bones.push_back({name, mat4(1.0f), std::move(weights)});
    return bones.back();
  }
};

bool listed(const RepairLog& repairs, std::string_view part) {
  for (const std::string& line : repairs.lines())
    if (line.find(part) != std::string::npos) return true;
  return false;
}

} // namespace

TEST_CASE("weights: broken ones dropped, doubles merged, the rest normalised and sorted") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Skinned s({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  s.bone("a", {{0, 0.25f}, {0, 0.25f}, {1, -1.0f}, {1, 0.5f}, {2, nan}, {99, 1.0f}, {2, 0.2f}});
  s.bone("b", {{0, 1.5f}, {2, 0.8f}});
  RepairLog repairs;
  const MeshSkin skin = readSkin(s.bones, s.mesh, 0, s.tree, repairs);
  REQUIRE(skin.influences.vertexCount() == 3);
  const auto first = skin.influences.of(0);
  REQUIRE(first.size() == 2);
  CHECK(first[0].joint == 1);
  CHECK(first[0].weight == doctest::Approx(0.75f));
  CHECK(first[1].weight == doctest::Approx(0.25f));
  CHECK(skin.influences.of(1)[0].weight == 1.0f);
  CHECK(skin.influences.of(2)[0].weight == doctest::Approx(0.8f));
  CHECK(listed(repairs, "1 weight is not a number"));
  CHECK(listed(repairs, "1 weight is zero or negative"));
  CHECK(listed(repairs, "2 vertices have weights that do not sum to one"));
  CHECK(listed(repairs, "1 influence repeats"));
  CHECK(listed(repairs, "1 influence names a joint or vertex that does not exist"));
}

TEST_CASE("vertices without weights follow their neighbours, loose parts the mesh's node") {
  Skinned s({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {8, 0, 0}, {9, 0, 0}, {8, 1, 0}},
            {{0, 1, 2}, {1, 3, 2}, {4, 5, 6}});
  s.bone("b", {{0, 1.0f}});
  RepairLog repairs;
  const MeshSkin skin = readSkin(s.bones, s.mesh, 1, s.tree, repairs);
  REQUIRE(skin.skin.joints.size() == 2);
  CHECK(skin.skin.joints[0].node == 2);
  CHECK(skin.skin.joints[1].node == 1); // the mesh's own
  for (std::size_t v = 0; v < 7; ++v)
    CHECK(skin.influences.of(v)[0].joint == (v < 4 ? 0u : 1u));
  CHECK(listed(repairs, "3 skinned vertices have no weights"));
  CHECK(listed(repairs, "3 vertices of skinned meshes lie in a part without any weights"));
}

TEST_CASE("a bone without node gets one where its matrix says; a singular matrix is replaced") {
  Skinned s({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  s.bone("lost", {{0, 1.0f}, {1, 1.0f}}).jointFromBind[3].y = -7.0f;
  s.bone("b", {{2, 1.0f}}).jointFromBind[1].y = 0.0f;
  RepairLog repairs;
  const MeshSkin skin = readSkin(s.bones, s.mesh, 0, s.tree, repairs);
  REQUIRE(s.tree.hierarchy.nodes.size() == 4);
  CHECK(s.tree.hierarchy.nodes[3].rest.translation == vec3(0, 7, 0));
  CHECK(skin.skin.joints[0].node == 3);
  CHECK(vec3(skin.skin.joints[1].jointFromBind[3]) == vec3(0, -5, 0)); // from the rest pose
  CHECK(listed(repairs, "1 bone names no node"));
  CHECK(listed(repairs, "1 bind matrix is singular"));
}

TEST_CASE("where names repeat, the bone is the node that keeps the mesh in place") {
  Skinned s({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  s.tree.byName["twin"] = {1, 2};
  s.bone("twin", {{0, 1.0f}, {1, 1.0f}, {2, 1.0f}}).jointFromBind[3].y = -5.0f;
  RepairLog repairs;
  CHECK(readSkin(s.bones, s.mesh, 0, s.tree, repairs).skin.joints.at(0).node == 2);
}
