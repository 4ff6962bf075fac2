#include "animation/random_model.h"
#include "app/subdivision.h"
#include "app/workbench.h"
#include "core/error.h"
#include "demo/demo.h"
#include "model/shapes.h"
#include "rig/bone_axes.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

Settings allMethods(std::string_view words) {
  Settings settings;
  settings.methods = parseMethods(words);
  settings.clip = "none";
  return settings;
}

// The positions of the vertices of each mesh by every method.
std::vector<std::vector<vec3>> posedBy(const Model& model, const Settings& settings,
                                       const Pose& pose) {
  Workbench workbench = makeWorkbench(model, settings);
  holdPose(workbench, pose);
  std::vector<std::vector<vec3>> out;
  for (const BoundMethod& bound : workbench.bound)
    out.push_back(skinOnCpu(workbench, bound).positions);
  return out;
}

void checkOldVerticesStay(const Model& model, const Model& fine, const Settings& settings,
                          const Pose& pose) {
  const auto before = posedBy(model, settings, pose);
  const auto after = posedBy(fine, settings, pose);
  const Rig rig = buildRig(model);
  const Rig fineRig = buildRig(fine);
  const float size = computeBounds(rig.positions).size();
  for (std::size_t k = 0; k < before.size(); ++k) {
    const Method& method = *settings.methods[k].method;
    if (method.kernel == SkinKernel::smoothed) continue; // its edges are shorter then
    // The sum over the surface of centres of rotation has finer parts then: twice the largest move
    // found on these models, 1.9e-3 on the random one.
    const float bound = method.kernel == SkinKernel::centers ? 4e-3f : 1e-6f;
    for (std::size_t m = 0; m < rig.meshes.size(); ++m)
      for (std::uint32_t v = 0; v < rig.meshes[m].vertexCount; ++v) {
        const vec3& was = before[k][rig.meshes[m].firstVertex + v];
        const vec3& is = after[k][fineRig.meshes[m].firstVertex + v];
        REQUIRE(glm::length(is - was) <= bound * size);
      }
  }
}

} // namespace

TEST_CASE("subdivision in words: joints, kinds, and together where they follow one another") {
  const Model arm = findDemo("arm").make();
  const auto counts = [&](const std::vector<std::string>& words) {
    const Model fine = subdivideByWords(arm, words);
    return std::pair(vertexCount(fine), triangleCount(fine));
  };
  const std::size_t before = triangleCount(arm);
  CHECK(counts({}) == std::pair(vertexCount(arm), before));
  CHECK(counts({"LowerArm=1:3"}).second > before);
  CHECK(counts({"LowerArm=1:4"}).second > counts({"LowerArm=1:3"}).second);
  CHECK(counts({"LowerArm=1:4", "LowerArm=1:4"}).second > counts({"LowerArm=1:4"}).second);
  // Split at once, the triangles between both joints are split once.
  CHECK(counts({"LowerArm=1:4", "Hand=1:4"}) == counts({"Hand=1:4", "LowerArm=1:4"}));
  const Model fine = subdivideByWords(arm, std::vector<std::string>{"LowerArm=1:4"});
  CHECK(insertedVertexCount(fine) == vertexCount(fine) - vertexCount(arm));
  for (const char* word : {"", "LowerArm", "LowerArm=", "LowerArm=1:5", "Nose=1:3", "=1:3"}) {
    CAPTURE(word);
    CHECK_THROWS_AS(subdivideByWords(arm, std::vector<std::string>{word}), Error);
  }
}

TEST_CASE("subdivision moves no vertex that was there, by any method and source") {
  const Settings by =
      allMethods("all,bones-blending:parameter-source=zone,arc-spline:parameter-source=zone");
  for (const char* name : {"arm", "body-arm"}) {
    CAPTURE(name);
    const Model model = findDemo(name).make();
    const Rig rig = buildRig(model);
    std::vector<std::uint32_t> all(rig.triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
      all[i] = i;
    all.resize(all.size() / 2); // the other half is coarse: means over vertices would shift
    const Model fine = subdivideTriangles(model, all, Subdivision::midpoints);
    CHECK(boneAxes(buildRig(fine))[1].direction == boneAxes(rig)[1].direction);
    checkOldVerticesStay(model, fine, by, randomPose(model, 3));
  }
  Model random = randomModel(5);
  addRandomMorphs(random, 3, 6);
  Pose pose = randomPose(random, 7);
  pose.morphWeights = randomWeights(random, 8);
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < buildRig(random).triangles.size(); i += 3)
    some.push_back(i);
  checkOldVerticesStay(random, subdivideTriangles(random, some, Subdivision::midpoints), by, pose);
}

TEST_CASE("subdivision: what was closed stays closed in any pose, by any method") {
  const Model model = findDemo("humanoid").make();
  const std::vector<std::string> words{"LeftLowerArm=1:4", "LeftUpperArm=1:3", "LeftUpperLeg=1:4"};
  const Model fine = subdivideByWords(model, words);
  const Rig rig = buildRig(fine);
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  CHECK(countTVertices(rig.positions, rig.triangles) ==
        countTVertices(buildRig(model).positions, buildRig(model).triangles));
  const float size = computeBounds(rig.positions).size();
  const auto posed = posedBy(fine, allMethods("all"), randomPose(fine, 12));
  std::size_t doubled = 0;
  for (const std::vector<vec3>& positions : posed)
    for (std::size_t v = 0; v < welded.size(); ++v) {
      if (welded[v] == v) continue;
      ++doubled;
      REQUIRE(glm::length(positions[v] - positions[welded[v]]) <= 1e-5f * size);
    }
  CHECK(doubled > 100);
}

TEST_CASE("subdivision where a pose bends: there and nowhere else, and it bends less then") {
  const Model arm = findDemo("arm").make();
  Pose pose = restPose(arm.hierarchy);
  pose.parentFromNode[*findNode(arm.hierarchy, "LowerArm")].rotation =
      glm::angleAxis(2.0f, vec3(0, 0, 1));
  const auto makeLbsWorkbench = [&](const Model& model) {
    Workbench workbench = makeWorkbench(model, allMethods("lbs"));
    holdPose(workbench, pose);
    return workbench;
  };
  const Workbench workbench = makeLbsWorkbench(arm);
  CHECK(bentTriangles(workbench, 179.0f).empty());
  const std::vector<std::uint32_t> bent = bentTriangles(workbench, 12.0f);
  REQUIRE(!bent.empty());
  CHECK(bent.size() < workbench.rig.triangles.size() / 4);
  for (const std::uint32_t triangle : bent)
    for (const std::uint32_t v : workbench.rig.triangles[triangle])
      CHECK(std::abs(workbench.rig.positions[v].x - 0.30f) < 0.15f); // the elbow
  Workbench rest = makeLbsWorkbench(arm);
  holdPose(rest, restPose(arm.hierarchy));
  CHECK(bentTriangles(rest, 1.0f).empty()); // its own edges do not count, however sharp
}
