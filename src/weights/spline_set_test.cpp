// Free splines on any model: what must hold of every model, and their file.
#include "core/error.h"
#include "export/glb.h"
#include "import/import_test_tools.h"
#include "rig/rig_steps.h"
#include "skinning/joint_test_support.h"
#include "weights/spline_set.h"
#include "weights/spline_set_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

vec3 somewhere(Random& random) {
  return {random.uniform(-0.5f, 0.5f), random.uniform(-0.5f, 0.5f), random.uniform(-0.5f, 0.5f)};
}

// A random model with a rigid mesh, of at most three influences a vertex: as many as a spline
// method has positions for.
Model bareModel(std::uint64_t seed) {
  return randomModel(seed, {.joints = 8, .vertices = 200, .influences = 3});
}

// Two splines, the second on the end of the first, and random weights: about a third of the
// vertices follow the bones alone, a third one spline alone.
SplineSet randomSet(const Model& model, std::uint64_t seed) {
  Random random(seed ^ 0x5e7U);
  SplineSet set = emptySet(model);
  const auto& nodes = model.hierarchy.nodes;
  addSpline(set, {"one",
                  nodes[random.below(static_cast<std::uint32_t>(nodes.size()))].name,
                  {somewhere(random), somewhere(random), somewhere(random)}});
  addSpline(set, {"two", "one.3", {somewhere(random), somewhere(random), somewhere(random)}});
  set.weights = {};
  for (std::size_t v = 0; v < vertexCount(model); ++v) {
    std::vector<Influence> vertex;
    const float kind = random.uniform();
    const std::uint32_t first = random.below(2);
    if (kind < 0.33f)
      vertex = {{first, 1.0f}};
    else if (kind < 0.67f)
      vertex = {{first, random.uniform(0.4f, 0.6f)}, {1 - first, random.uniform(0.1f, 0.4f)}};
    set.weights.append(vertex);
  }
  return set;
}

Model withSet(Model model, const SplineSet& set) {
  REQUIRE(findProblem(model, set) == "");
  putSplines(model, set);
  return model;
}

// The pose of the bare model with the control points at rest.
Pose longer(Pose pose, const Model& model) {
  const Pose rest = restPose(model.hierarchy);
  for (std::size_t n = pose.parentFromNode.size(); n < rest.parentFromNode.size(); ++n)
    pose.parentFromNode.push_back(rest.parentFromNode[n]);
  return pose;
}

float apart(const Model& a, const Pose& poseA, const char* methodA, const Model& b,
            const Pose& poseB, const char* methodB) {
  const auto posed = [](const Model& model, const Pose& pose, const char* method) {
    return skinned(findMethod(method), buildRig(model), modelFromNodes(model.hierarchy, pose))
        .positions;
  };
  return largestMove(posed(a, poseA, methodA), posed(b, poseB, methodB));
}

float splineWeights(std::span<const Influence> vertex) {
  float sum = 0.0f;
  for (const Influence& influence : vertex)
    sum += influence.weight;
  return sum;
}

void checkSame(const SplineSet& a, const SplineSet& b) {
  CHECK(a.splines == b.splines);
  REQUIRE(a.weights.offsets == b.weights.offsets);
  for (std::size_t i = 0; i < a.weights.values.size(); ++i) {
    CHECK(a.weights.values[i].joint == b.weights.values[i].joint);
    CHECK(a.weights.values[i].weight == b.weights.values[i].weight);
  }
}

} // namespace

TEST_CASE("laid splines: at rest no vertex moves, whatever the skeleton does") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Model bare = bareModel(seed);
    SplineSet all = randomSet(bare, seed);
    const Model model = withSet(bare, all);
    for (const char* name : {"arc-spline", "bezier-spline"})
      CHECK(apart(bare, restPose(bare.hierarchy), "lbs", model, restPose(model.hierarchy), name) <
            2e-5f);
    // A spline goes where its parent goes: all on the root follows the root.
    all.splines[0].parent = bare.hierarchy.nodes[0].name;
    const Model onRoot = withSet(bare, all);
    Pose pose = restPose(onRoot.hierarchy);
    Random random(seed);
    pose.parentFromNode[0] = {{1, 2, 3}, randomRotation(random), vec3(1.5f)};
    CHECK(apart(onRoot, pose, "lbs", onRoot, pose, "arc-spline") < 5e-5f);
  }
}

TEST_CASE("laid splines: other methods, and vertices that follow none, do as before") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Model bare = bareModel(seed);
    SplineSet set = randomSet(bare, seed);
    const Pose pose = randomPose(bare, seed);
    const Model model = withSet(bare, set);
    for (const Method& method : methods()) {
      if (method.usesFreeSplines) continue;
      CAPTURE(method.name);
      const char* name = method.name.data();
      CHECK(apart(bare, pose, name, model, longer(pose, model), name) < 1e-5f);
    }
    set.weights = emptySet(bare).weights;
    const Model unbound = withSet(bare, set);
    CHECK(apart(bare, pose, "lbs", unbound, longer(pose, unbound), "arc-spline") < 1e-5f);
  }
}

TEST_CASE("laid splines: moving a control point bends what follows it, and nothing else") {
  const Model bare = bareModel(3);
  const SplineSet set = randomSet(bare, 3);
  const Model model = withSet(bare, set);
  const Rig rig = buildRig(model);
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[model.splines[0].nodes[1]].translation += vec3(0.3f, 0.1f, -0.2f);
  const SkinnedMesh out =
      skinned(findMethod("arc-spline"), rig, modelFromNodes(model.hierarchy, pose));
  int moved = 0;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const float far = glm::length(out.positions[v] - rig.positions[v]);
    if (set.weights.of(v).empty())
      CHECK(far < 2e-5f);
    else
      moved += far > 0.01f ? 1 : 0;
  }
  CHECK(moved > 50);
}

TEST_CASE("laid splines: skin that follows one entirely can be given back to its bones") {
  const Model bare = bareModel(4);
  SplineSet set = randomSet(bare, 4);
  set.weights = {};
  for (std::size_t v = 0; v < vertexCount(bare); ++v)
    set.weights.append(std::vector<Influence>{{0, 1.0f}});
  Rig rig = buildRig(withSet(bare, set));
  rig.splineInfluences = {};
  for (std::size_t v = 0; v < vertexCount(bare); ++v)
    rig.splineInfluences.append({});
  giveRestToBones(rig);
  for (std::size_t v = 0; v < vertexCount(bare); ++v) {
    const auto bones = rig.influences.of(v);
    const auto items = rig.splineInfluences.of(v);
    REQUIRE(items.size() == bones.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      CHECK(rig.splines[items[i].joint].joints[0] == bones[i].joint);
      CHECK(items[i].weight == bones[i].weight);
    }
  }
}

TEST_CASE("laid splines: weights of a vertex sum to 1 with its bones', whatever is edited") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Model bare = bareModel(seed);
    SplineSet set = randomSet(bare, seed);
    const auto check = [&] {
      const Model model = withSet(bare, set);
      const Rig rig = buildRig(model);
      for (std::size_t v = 0; v < rig.positions.size(); ++v) {
        CHECK(splineWeights(set.weights.of(v)) < 1.0f + 1e-5f);
        CHECK(splineWeights(rig.splineInfluences.of(v)) == doctest::Approx(1.0f).epsilon(1e-5));
      }
    };
    check();
    const std::size_t third = addSpline(set, sketchAlong(bare, std::nullopt));
    set.splines[third].name = freeSplineName(bare, set, "one");
    CHECK(set.splines[third].name == "one 2");
    CHECK(freeSplineName(bare, set, "one 2") == "one 3");
    bindNear(bare, set, third, 0.4f);
    check();
    renameSpline(set, 0, "first");
    CHECK(set.splines[1].parent == "first.3");
    check();
    removeSpline(set, 0);
    CHECK(set.splines[0].parent == randomSet(bare, seed).splines[0].parent);
    check();
  }
}

TEST_CASE("laid splines: skin is bound by its distance from the curve") {
  const Model bare = bareModel(5);
  SplineSet set = emptySet(bare);
  addSpline(set, {"s", "root", {vec3(-0.5f, 0, 0), vec3(0), vec3(0.5f, 0, 0)}});
  bindNear(bare, set, 0, 0.3f);
  const Rig rig = buildRig(withSet(bare, set)); // all in the bind pose
  int near = 0, far = 0;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const vec3& p = rig.positions[v];
    const vec3 on(std::clamp(p.x, -0.5f, 0.5f), 0, 0);
    const float distance = glm::length(p - on);
    const float weight = splineWeights(set.weights.of(v));
    if (distance < 0.149f) {
      CHECK(weight == 1.0f);
      ++near;
    } else if (distance > 0.301f) {
      CHECK(weight == 0.0f);
      ++far;
    } else {
      CHECK(weight >= 0.0f);
      CHECK(weight <= 1.0f);
    }
  }
  CHECK(near > 3);
  CHECK(far > 3);
}

TEST_CASE("laid splines: the file holds all of it") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model bare = bareModel(seed);
    SplineSet set = randomSet(bare, seed);
    set.splines[1].name = "a \"quoted\" name";
    checkSame(splinesFromJson(bare, splinesToJson(bare, set), "s.json"), set);
  }
}

TEST_CASE("laid splines: a file without weights binds the skin near") {
  const Model bare = bareModel(1);
  const SplineSet set = splinesFromJson(bare, R"({"sinew": "splines", "splines": [
    {"name": "s", "parent": "root", "points": [[-1,0,0],[0,0,0],[1,0,0]], "reach": 0.4}]})",
                                        "s.json");
  SplineSet same = emptySet(bare);
  addSpline(same, set.splines[0]);
  bindNear(bare, same, 0, 0.4f);
  checkSame(set, same);
  CHECK(!set.weights.values.empty());
}

TEST_CASE("laid splines: what is wrong in a file is said in one line") {
  const Model bare = bareModel(1);
  const auto message = [&](const std::string& splines, const std::string& more = "") {
    try {
      splinesFromJson(bare, R"({"sinew": "splines", "splines": [)" + splines + "]" + more + "}",
                      "s.json");
    } catch (const Error& error) {
      std::string what = error.what();
      CHECK(what.starts_with("s.json: "));
      CHECK(what.find('\n') == std::string::npos);
      return what;
    }
    return std::string("nothing is wrong");
  };
  const auto spline = [](const std::string& name, const std::string& parent,
                         const std::string& points = "[[0,0,0],[0,1,0],[0,2,0]]") {
    return R"({"name": ")" + name + R"(", "parent": ")" + parent + R"(", "points": )" + points +
           "}";
  };
  const auto says = [&](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  CHECK(message(spline("s", "root")) == "nothing is wrong");
  says(message("7"), "spline 1 is 7");
  says(message(spline("s", "nobody")), "'nobody', which the model does not have");
  says(message(spline("", "root")), "no name");
  says(message(spline("s", "root") + "," + spline("s", "root")), "two splines are named 's'");
  says(message(spline("s", "t.3") + "," + spline("t", "root")), "'t.3', which the model does not");
  says(message(spline("s", "root", "[[0,0,0],[0,1,0]]")), "three points");
  says(message(spline("s", "root", "[[0,0,0],[0,1],[0,2,0]]")), "point 2 of spline 1 is [0,1]");
  says(message(spline("s", "root", "[[0,0,0],[0,0,0],[0,0,0]]")), "in one place");
  says(message(spline("s", "root", R"([["x",0,0],[0,1,0],[0,2,0]])")), "3 finite numbers");
  says(message(R"({"name": "s"})"), "'parent' of spline 1 is missing");
  says(
      message(R"({"name": "s", "parent": "root", "points": [[0,0,0],[0,1,0],[0,2,0]], "nose": 1})"),
      "'nose' of spline 1 is unknown");
  says(message(spline("s", "root"), R"(, "weights_of": ["s"], "weights": [])"),
       "weights of 0 vertices");
  says(message(spline("s", "root"), R"(, "extra": 1)"), "'extra' is unknown");
  CHECK_THROWS_AS(splinesFromJson(bare, "{", "s.json"), Error);
  CHECK_THROWS_AS(splinesFromJson(bare, R"({"sinew": "zones", "joints": {}})", "s.json"), Error);
}

TEST_CASE("laid splines: a .glb keeps them") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const Model bare = bareModel(seed);
    const Model model = withSet(bare, randomSet(bare, seed));
    const TempFolder folder;
    const Model back = importModel(folder.write("m.glb", toGlb(model)));
    for (const std::string& warning : back.warnings)
      CHECK(warning.find("not used") == std::string::npos);
    REQUIRE(back.splines.size() == 2);
    for (std::size_t s = 0; s < 2; ++s) {
      CHECK(back.splines[s].name == model.splines[s].name);
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(glm::length(back.splines[s].points[i] - model.splines[s].points[i]) < 1e-5f);
    }
    // By corner: reading joins equal vertices. Nodes have the same names.
    const auto corners = [&](const Model& of) {
      Pose pose = restPose(of.hierarchy);
      Random random(seed);
      for (const Node& node : model.hierarchy.nodes) {
        const auto here = findNode(of.hierarchy, node.name);
        const quat rotation = glm::angleAxis(0.5f, randomDirection(random));
        REQUIRE(here);
        pose.parentFromNode[*here].rotation = pose.parentFromNode[*here].rotation * rotation;
      }
      const Rig rig = buildRig(of);
      const SkinnedMesh out =
          skinned(findMethod("arc-spline"), rig, modelFromNodes(of.hierarchy, pose));
      std::vector<vec3> positions;
      for (const Mesh& mesh : model.meshes) { // in the same order
        const auto m = static_cast<std::size_t>(
            std::ranges::find(of.meshes, mesh.name, &Mesh::name) - of.meshes.begin());
        REQUIRE(m < of.meshes.size());
        for (std::uint32_t t = 0; t < rig.meshes[m].triangleCount; ++t)
          for (const std::uint32_t v : rig.triangles[rig.meshes[m].firstTriangle + t])
            positions.push_back(out.positions[v]);
      }
      return positions;
    };
    CHECK(largestMove(corners(model), corners(back)) < 1e-4f);
  }
}

TEST_CASE("a model's own splines: placed, left out and beside laid ones, also in the file") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    // As read from a file that has them: the nodes are the model's.
    const Model bare = bareModel(seed);
    const Model own = withSet(bare, randomSet(bare, seed));
    const Pose pose = randomPose(own, seed);
    const Model same = withSet(own, emptySet(own));
    CHECK(apart(own, pose, "arc-spline", same, pose, "arc-spline") == 0.0f);

    SplineSet set = emptySet(own);
    REQUIRE(set.splines.size() == 2);
    set.splines[0].points[1] += vec3(0.2f, 0.1f, -0.3f);
    const Model placed = withSet(own, set);
    const Pose rest = restPose(own.hierarchy);
    CHECK(apart(own, rest, "arc-spline", placed, rest, "arc-spline") < 5e-5f);
    CHECK(apart(own, pose, "arc-spline", placed, pose, "arc-spline") > 1e-3f);
    CHECK(apart(own, pose, "lbs", placed, pose, "lbs") == 0.0f);
    // The same spline, had it been laid there.
    SplineSet there = randomSet(bare, seed);
    there.splines[0].points = set.splines[0].points;
    CHECK(placed.splines[0].points == withSet(bare, there).splines[0].points);

    renameSpline(set, 0, "mine");
    const std::size_t third = addSpline(set, {"three", "two.3", {vec3(0), vec3(1), vec3(2)}});
    bindNear(own, set, third, 0.4f);
    checkSame(splinesFromJson(own, splinesToJson(own, set), "s.json"), set);

    removeSpline(set, 0);
    checkSame(splinesFromJson(own, splinesToJson(own, set), "s.json"), set);
    const Model without = withSet(own, set);
    REQUIRE(without.splines.size() == 2);
    CHECK(without.splines[0].nodes == own.splines[1].nodes);
    CHECK(without.hierarchy.nodes.size() == own.hierarchy.nodes.size() + 3);

    // With none left a vertex follows its bones.
    removeSpline(set, 1);
    removeSpline(set, 0);
    const Model bones = withSet(own, set);
    CHECK(bones.splines.empty());
    CHECK(apart(bare, restPose(bare.hierarchy), "lbs", bones, rest, "arc-spline") < 2e-5f);
    CHECK(splinesToJson(own, set).find("\"without\": [\"one\", \"two\"]") != std::string::npos);
    checkSame(splinesFromJson(own, splinesToJson(own, set), "s.json"), set);
  }
}
