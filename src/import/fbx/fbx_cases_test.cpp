// Real FBX files: meshes posed by the programs that wrote them. Missing ones are skipped with a
// message.
#include "import/import_test_tools.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include <fstream>
#include <sstream>

using namespace sinew;
using namespace sinew::test;

namespace {

namespace fs = std::filesystem;

const fs::path kCases = sharedModels() / "ufbx_cases";

std::vector<vec3> positionsOfObj(const fs::path& path) {
  std::ifstream in(path);
  std::vector<vec3> out;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("v ")) {
      std::istringstream words(line.substr(2));
      vec3 p;
      words >> p.x >> p.y >> p.z;
      out.push_back(p);
    }
  return out;
}

// How far the points of one list are from the nearest of the other, at most, to both sides.
float largestGap(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  const auto oneSided = [](const std::vector<vec3>& from, const std::vector<vec3>& to) {
    float largest = 0.0f;
    for (const vec3& p : from) {
      float nearest = 1e30f;
      for (const vec3& q : to)
        nearest = std::min(nearest, glm::distance(p, q));
      largest = std::max(largest, nearest);
    }
    return largest;
  };
  return std::max(oneSided(a, b), oneSided(b, a));
}

// Posed by a moment of the file's only clip, in the file's own axes.
std::vector<vec3> posedInFile(const Model& model, float seconds) {
  std::vector<vec3> out = posedAt(model, model.clips.at(0), seconds).positions;
  if (model.hierarchy.nodes[0].name == "Y up") {
    const mat4 fileFromModel = glm::inverse(toMatrix(model.hierarchy.nodes[0].rest));
    for (vec3& p : out)
      p = transformPoint(fileFromModel, p);
  }
  return out;
}

struct Posed {
  const char* model;
  const char* mesh;
  double seconds;
};

void checkPosed(const Posed& each, float tolerance = 1e-5f) {
  CAPTURE(each.model);
  CAPTURE(each.mesh);
  const fs::path file = kCases / (std::string(each.model) + ".fbx");
  if (!fs::exists(file)) {
    MESSAGE("skipped, not there: ", file.string());
    return;
  }
  const std::vector<vec3> expected = positionsOfObj(kCases / (std::string(each.mesh) + ".obj"));
  REQUIRE_FALSE(expected.empty());
  const std::vector<vec3> actual = posedInFile(importModel(file), static_cast<float>(each.seconds));
  CHECK(largestGap(expected, actual) < tolerance * computeBounds(expected).size());
}

} // namespace

TEST_CASE("FBX: curves of every kind pose meshes as Maya does") {
  for (const Posed& each :
       {Posed{"maya_game_sausage_7500_ascii_spin", "maya_game_sausage_spin_7", 7 / 24.0},
        Posed{"maya_game_sausage_7500_ascii_spin", "maya_game_sausage_spin_15", 15 / 24.0},
        Posed{"maya_game_sausage_7500_ascii_deform", "maya_game_sausage_deform_8", 8 / 24.0},
        Posed{"maya_game_sausage_7500_ascii_deform", "maya_game_sausage_deform_15", 15 / 24.0},
        Posed{"maya_game_sausage_7500_ascii_wiggle", "maya_game_sausage_wiggle_10", 9 / 24.0},
        Posed{"maya_game_sausage_7500_ascii_wiggle", "maya_game_sausage_wiggle_18", 17 / 24.0},
        Posed{"maya_game_sausage_7500_binary_wiggle", "maya_game_sausage_wiggle_10", 9 / 24.0},
        Posed{"maya_game_sausage_7500_binary_wiggle", "maya_game_sausage_wiggle_18", 17 / 24.0},
        Posed{"maya_game_sausage_6100_ascii_wiggle", "maya_game_sausage_wiggle_10", 9 / 24.0},
        Posed{"maya_game_sausage_6100_ascii_wiggle", "maya_game_sausage_wiggle_18", 17 / 24.0}})
    checkPosed(each);
}

TEST_CASE("FBX: geometric transforms of skins, automatic tangents and axes as 3ds Max has them") {
  checkPosed({"max_transformed_skin_6100_ascii", "max_transformed_skin_5", 5 / 30.0});
  checkPosed({"max_transformed_skin_6100_ascii", "max_transformed_skin_15", 15 / 30.0});
  // This file states the handles of its curves as 0.33323, where 3ds Max itself has a third.
  checkPosed({"max_transformed_skin_7500_binary", "max_transformed_skin_5", 5 / 30.0}, 5e-5f);
  checkPosed({"max_transformed_skin_7500_binary", "max_transformed_skin_15", 15 / 30.0}, 5e-5f);
}

TEST_CASE("FBX: scale is inherited as MotionBuilder does") {
  const char* model = "motionbuilder_sausage_rrss_7700_ascii";
  checkPosed({model, "motionbuilder_sausage_rrss", 0.0});
  checkPosed({model, "motionbuilder_sausage_rrss_12", 0.5});
  checkPosed({model, "motionbuilder_sausage_rrss_24", 1.0});
  checkPosed({model, "motionbuilder_sausage_rrss_36", 1.5});
  checkPosed({model, "motionbuilder_sausage_rrss_48", 2.0});
}

// Maya moves a skinned mesh by its own node on top of its skin, which FBX does not: there the bones
// alone place it.
TEST_CASE("FBX: a skinned mesh whose own node moves") {
  for (const char* name : {"maya_transformed_skin_6100_binary", "maya_transformed_skin_7700_ascii"})
    for (const int frame : {0, 4, 8}) {
      CAPTURE(name);
      CAPTURE(frame);
      const fs::path file = kCases / (std::string(name) + ".fbx");
      if (!fs::exists(file)) continue;
      const Model model = importModel(file);
      const float seconds = static_cast<float>(frame) / 24.0f;
      const std::vector<vec3> expected =
          positionsOfObj(kCases / ("maya_transformed_skin_" + std::to_string(frame) + ".obj"));
      const auto node = findNode(model.hierarchy, "pCube1");
      REQUIRE(node);
      const mat4 moved = modelFromNodes(model.hierarchy,
                                        sample(model.hierarchy, model.clips.at(0), seconds))[*node];
      const mat4 bound = glm::translate(mat4(1.0f), vec3(4, 0, 0)); // its bind pose
      std::vector<vec3> actual = posedInFile(model, seconds);
      for (vec3& p : actual)
        p = transformPoint(moved * glm::inverse(bound), p);
      CHECK(largestGap(expected, actual) < 1e-5f * computeBounds(expected).size());
    }
}

TEST_CASE("FBX: versions 6.1, 7.1 and 7.7 of one file with blend shapes are one model") {
  fs::path older;
  SUBCASE("6.1") {
    older = kCases / "maya_blend_shape_cube_6100_binary.fbx";
  }
  SUBCASE("7.1 as text") {
    older = kCases / "maya_blend_shape_cube_7100_ascii.fbx";
  }
  SUBCASE("7.1") {
    older = kCases / "maya_blend_shape_cube_7100_binary.fbx";
  }
  const fs::path newer = kCases / "maya_blend_shape_cube_7700_ascii.fbx";
  if (!fs::exists(older) || !fs::exists(newer)) return;
  const Model a = importModel(older);
  const Model b = importModel(newer);
  REQUIRE(a.morphTargets.size() == 2);
  REQUIRE(b.morphTargets.size() == 2);
  REQUIRE(a.meshes.size() == 1);
  REQUIRE(b.meshes.size() == 1);
  CHECK(largestGap(a.meshes[0].positions, b.meshes[0].positions) < 1e-6f);
  REQUIRE(a.clips.size() == 1);
  REQUIRE(b.clips.size() == 1);
  for (std::size_t t = 0; t < 2; ++t) {
    CHECK(a.morphTargets[t].name == b.morphTargets[t].name);
    CHECK(a.morphTargets[t].weight == b.morphTargets[t].weight);
    REQUIRE(a.clips[0].morphs.size() == 2);
    REQUIRE(b.clips[0].morphs.size() == 2);
    const Track<float>& x = a.clips[0].morphs[t].weight;
    const Track<float>& y = b.clips[0].morphs[t].weight;
    CHECK(x.times == y.times);
    REQUIRE(x.values.size() == y.values.size());
    for (std::size_t i = 0; i < x.values.size(); ++i)
      CHECK(x.values[i] == doctest::Approx(y.values[i]));
    CHECK(a.meshes[0].morphs.at(t).positions.size() == b.meshes[0].morphs.at(t).positions.size());
  }
}
