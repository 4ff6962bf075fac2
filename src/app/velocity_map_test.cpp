// Velocity skinning of a workbench, and its file.
#include "app/crowd.h"
#include "app/sidecar.h"
#include "app/velocity_map.h"
#include "app/workbench.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

Workbench makeMovingWorkbench(const char* method, float time, float drag = 0.3f,
                              float squash = 0.05f) {
  Settings settings;
  settings.methods = parseMethods(method);
  settings.clip = "0";
  settings.time = time;
  settings.drag = drag;
  settings.squash = squash;
  return makeWorkbench(findDemo("humanoid").make(), settings);
}

float largestWay(const Workbench& a, const Workbench& b) {
  const SkinnedMesh from = skinOnCpu(a, a.bound.front());
  const SkinnedMesh to = skinOnCpu(b, b.bound.front());
  float largest = 0.0f;
  for (std::size_t v = 0; v < from.positions.size(); ++v)
    largest = std::max(largest, glm::length(to.positions[v] - from.positions[v]));
  return largest / computeBounds(from.positions).size();
}

} // namespace

TEST_CASE("drag and squash move the skin of a moving character, by any method") {
  for (const char* method : {"lbs", "dqs", "arc-spline", "per-joint"}) {
    CAPTURE(method);
    const Workbench still = makeMovingWorkbench(method, 0.4f, 0.0f, 0.0f);
    const float way = largestWay(still, makeMovingWorkbench(method, 0.4f));
    CHECK(way > 0.005f);
    CHECK(way < 0.5f);
    CHECK(largestWay(still, makeMovingWorkbench(method, 0.4f, 0.15f, 0.025f)) < 0.8f * way);
  }
}

TEST_CASE("nothing moves in a held pose and in one made by hand") {
  Workbench workbench = makeMovingWorkbench("lbs", 0.4f);
  const auto rowsMove = [&] {
    return std::ranges::any_of(workbench.moving.now.joints, [](const MatrixRows& rows) {
      return rows.x != vec4(0.0f) || rows.y != vec4(0.0f) || rows.z != vec4(0.0f);
    });
  };
  CHECK(rowsMove());
  holdPose(workbench, Pose(workbench.pose));
  CHECK_FALSE(rowsMove());
  Settings settings;
  settings.clip = "none";
  settings.drag = 0.3f;
  workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK_FALSE(rowsMove());
}

TEST_CASE("velocities do not jump where a clip begins again, nor stop at its ends") {
  Workbench workbench = makeMovingWorkbench("lbs", 0.0f);
  const float length = workbench.model.clips[0].seconds;
  const auto fastest = [&](float time, Wrap wrap) {
    evaluate(workbench, static_cast<double>(time), wrap);
    float fastestNode = 0.0f;
    for (const JointVelocity& v : workbench.moving.now.velocities)
      fastestNode = std::max({fastestNode, glm::length(v.linear), glm::length(v.angular)});
    return fastestNode;
  };
  float usual = 0.0f;
  for (int i = 1; i < 20; ++i)
    usual = std::max(usual, fastest(length * static_cast<float>(i) / 20.0f, Wrap::loop));
  for (const Wrap wrap : {Wrap::loop, Wrap::clamp, Wrap::pingPong})
    for (const float time : {0.0f, 0.001f, length - 0.001f, length})
      CHECK(fastest(time, wrap) < 2.0f * usual);
  CHECK(fastest(0.0f, Wrap::clamp) > 0.0f);
  CHECK(fastest(length, Wrap::clamp) > 0.0f);
  CHECK(fastest(length + 1.0f, Wrap::clamp) == 0.0f); // it stands
}

TEST_CASE("only methods whose drag or squash begins or ends are bound again") {
  Settings settings;
  settings.methods = parseMethods("lbs,dqs");
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  settings.drag = 0.2f;
  CHECK(rebind(workbench, settings).size() == 2);
  settings.drag = 0.4f;
  CHECK(rebind(workbench, settings).empty());
  settings.drag = 0.0f;
  CHECK(rebind(workbench, settings).size() == 2);
  CHECK(workbench.bound[0].method == &findMethod("lbs"));
}

TEST_CASE("the members of a crowd have their own velocities") {
  Workbench workbench = makeMovingWorkbench("lbs", 0.4f);
  bindForCrowd(workbench);
  evaluate(workbench, 0.4, Wrap::loop);
  Crowd crowd = makeCrowd(workbench, 3 * workbench.rig.positions.size(), 1);
  crowd.members[1].start = 0.4f;
  crowd.members[1].speed = 1.0f;
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.0f);
  const std::vector<vec4>& own = workbench.bound.front().palette.rows;
  const std::size_t each = own.size();
  REQUIRE(crowd.rows.size() == crowd.members.size() * each);
  Palette member{{crowd.rows.begin() + static_cast<std::ptrdiff_t>(each),
                  crowd.rows.begin() + static_cast<std::ptrdiff_t>(2 * each)},
                 crowd.nonUniformScale};
  const BoundMethod& bound = workbench.bound.front();
  SkinnedMesh posed;
  bound.method->skin(workbench.rig, bound.binding, member, posed);
  const SkinnedMesh wanted = skinOnCpu(workbench, bound);
  for (std::size_t v = 0; v < wanted.positions.size(); ++v)
    CHECK(glm::length(posed.positions[v] - wanted.positions[v]) <
          1e-4f * workbench.moving.skin.size);
}

TEST_CASE("a velocity file states joints and a painted strength, and is read back") {
  const Model model = findDemo("humanoid").make();
  VelocityMap map;
  map.joints["Head"] = {{2.0f, 0.0f}, 0.5f};
  for (const Mesh& mesh : model.meshes)
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      map.strength.push_back(static_cast<float>(v % 5) * 0.25f);
  const VelocityMap read = velocityMapFromJson(model, velocityMapToJson(model, map), "a.json");
  CHECK(read.joints == map.joints);
  CHECK(read.strength == map.strength);

  for (const char* bad : {R"({"sinew":"zones"})", R"({"sinew":"velocity","joints":{"Nobody":{}}})",
                          R"({"sinew":"velocity","joints":{"Head":{"drag":-1}}})",
                          R"({"sinew":"velocity","joints":{"Head":{"skin":2}}})",
                          R"({"sinew":"velocity","joints":{"Head":{"wag":1}}})",
                          R"({"sinew":"velocity","map":[{"mesh":"none","strength":[]}]})",
                          R"({"sinew":"velocity","map":3})", R"({"sinew":"velocity","more":1})"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(velocityMapFromJson(model, bad, "bad.json"), Error);
  }
}

TEST_CASE("strength and joints of the file decide what moves") {
  const Workbench still = makeMovingWorkbench("lbs", 0.4f, 0.0f, 0.0f);
  Workbench workbench = makeMovingWorkbench("lbs", 0.4f);
  VelocityMap map;
  map.strength.assign(workbench.rig.positions.size(), 0.0f);
  setVelocityMap(workbench, map);
  evaluate(workbench, 0.4, Wrap::loop);
  CHECK(largestWay(still, workbench) == 0.0f);

  map.strength.clear();
  for (const Node& node : workbench.model.hierarchy.nodes)
    map.joints[node.name].factor = {0.0f, 0.0f};
  setVelocityMap(workbench, map);
  evaluate(workbench, 0.4, Wrap::loop);
  CHECK(largestWay(still, workbench) == 0.0f);

  map.strength.assign(3, 0.5f); // fits another mesh
  map.joints.clear();
  const std::size_t warnings = workbench.model.warnings.size();
  setVelocityMap(workbench, map);
  CHECK(workbench.model.warnings.size() == warnings + 1);
  evaluate(workbench, 0.4, Wrap::loop);
  CHECK(largestWay(still, workbench) > 0.005f);
}

TEST_CASE("the velocity file beside the model is read, unless another is given") {
  const test::TempFolder folder;
  Model model = findDemo("humanoid").make();
  const std::string name = (folder.path / "man.glb").string();
  CHECK(readVelocityMap(model, name, {}).empty());
  writeFile(folder.path / "man.velocity.json",
            R"({"sinew":"velocity","joints":{"Head":{"drag":3}}})");
  CHECK(readVelocityMap(model, name, {}).joints.at("Head").factor.drag == 3.0f);
  CHECK(readVelocityMap(model, name, "none").empty());
}
