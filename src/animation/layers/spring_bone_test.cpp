// Spring bones by the formulas of VRMC_springBone 1.0, evaluated by hand. scripts/tests/vrm_test.py
// compares whole characters with three-vrm.
#include "animation/layers/layer_stack.h"
#include "core/error.h"
#include "core/random.h"
#include "model/test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <cmath>

using namespace sinew;

namespace {

constexpr float kStep = 1.0f / 60.0f;

// body - a - b - c upwards, one unit each, and a hand beside them.
Model tower() {
  Model model;
  const auto add = [&](const char* name, std::uint32_t parent, const vec3& at) {
    Node node{name, parent, {}};
    node.rest.translation = at;
    model.hierarchy.nodes.push_back(node);
  };
  add("body", kNoNode, {0, 0, 0});
  add("a", 0, {0, 1, 0});
  add("b", 1, {0, 1, 0});
  add("c", 2, {0, 1, 0});
  add("the hand", 0, {1, 0, 0});
  return model;
}

SpringBoneSet makeSpringSet(const Model& model, std::vector<SpringBone> bones,
                            std::vector<SpringBoneCollider> colliders = {},
                            std::uint32_t center = kNoNode) {
  SpringBoneSet set{std::move(bones), std::move(colliders), center, {}, {}};
  findNodes(model.hierarchy, set);
  return set;
}

SpringBone bone(std::uint32_t node, float stiffness, float drag, const vec3& gravity = {}) {
  SpringBone out;
  out.node = node;
  out.tail = node + 1;
  out.stiffness = stiffness;
  out.drag = drag;
  out.gravity = gravity;
  return out;
}

vec3 getPosition(const Model& model, const Pose& pose, std::uint32_t node) {
  return {modelFromNodes(model.hierarchy, pose)[node][3]};
}

} // namespace

TEST_CASE("spring bone: a tail moves by inertia, stiffness and gravity, at the bone's length") {
  const Model model = tower();
  const vec3 gravity(0.5f, -2.0f, 0.25f);
  const SpringBoneSet set = makeSpringSet(model, {bone(1, 1.5f, 0.4f, gravity)});
  SpringBoneState state;
  const Pose below = restPose(model);
  Pose pose = below;
  applySpringBones(set, 0.0, state, pose);
  CHECK(test::near(getPosition(model, pose, 2), {0, 2, 0}, 1e-6f));

  const vec3 joint(0, 1, 0);
  vec3 before(0, 2, 0), tail = before;
  for (int i = 0; i < 40; ++i) {
    pose = below;
    applySpringBones(set, 1.0 / 60.0, state, pose);
    const vec3 next =
        tail + 0.6f * (tail - before) + 1.5f * kStep * vec3(0, 1, 0) + kStep * gravity;
    before = tail;
    tail = joint + glm::normalize(next - joint);
    CHECK(test::near(getPosition(model, pose, 2), tail, 1e-5f));
  }
  CHECK(tail.y < 1.9f); // it sags
}

TEST_CASE("spring bone: joints follow those above them that have swung") {
  const Model model = tower();
  const SpringBoneSet set =
      makeSpringSet(model, {bone(1, 0.0f, 1.0f, {1, 0, 0}), bone(2, 3.0f, 1.0f, {0, 0, 0})});
  SpringBoneState state;
  Pose pose = restPose(model);
  applySpringBones(set, 0.0, state, pose);
  applySpringBones(set, 1.0 / 60.0, state, pose);
  const vec3 first = vec3(0, 1, 0) + glm::normalize(vec3(kStep, 1, 0));
  CHECK(test::near(getPosition(model, pose, 2), first, 1e-6f));
  // The second bone rests along the first one, where that is now.
  const vec3 straight = first - vec3(0, 1, 0);
  const vec3 next = vec3(0, 3, 0) + 3.0f * kStep * straight;
  CHECK(test::near(getPosition(model, pose, 3), first + glm::normalize(next - first), 1e-6f));
}

TEST_CASE("spring bone: the motion of the center has no effect, any other motion has") {
  const Model model = tower();
  for (const bool centered : {true, false}) {
    const SpringBoneSet set =
        makeSpringSet(model, {bone(1, 1.0f, 0.3f)}, {}, centered ? std::uint32_t{0} : kNoNode);
    SpringBoneState state;
    float farthest = 0.0f;
    for (int i = 0; i < 30; ++i) {
      Pose pose = restPose(model);
      pose.parentFromNode[0].translation.x = 0.05f * static_cast<float>(i);
      pose.parentFromNode[0].rotation =
          glm::angleAxis(0.02f * static_cast<float>(i), vec3(0, 0, 1));
      const vec3 rest = getPosition(model, pose, 2);
      applySpringBones(set, i == 0 ? 0.0 : 1.0 / 60.0, state, pose);
      farthest = std::max(farthest, glm::distance(rest, getPosition(model, pose, 2)));
    }
    CAPTURE(centered);
    CHECK((farthest < 1e-5f) == centered);
  }
}

TEST_CASE("spring bone: spheres, capsules and planes push a tail out, or keep it inside") {
  const auto push = [](const SpringCollider& collider, const vec3& point, float radius) {
    mat4 place(1.0f);
    place[3] = {1, 0, 0, 1};
    return computePush(collider, place, point, radius);
  };
  SpringCollider sphere{"", ColliderShape::sphere, false, {0, 2, 0}, 0.5f};
  CHECK(push(sphere, {1.3f, 2, 0}, 0.1f).depth == doctest::Approx(0.3f)); // 0.5 + 0.1 - 0.3
  CHECK(test::near(push(sphere, {1.3f, 2, 0}, 0.1f).direction, {1, 0, 0}, 1e-6f));
  CHECK(push(sphere, {1.7f, 2, 0}, 0.1f).depth == 0.0f);
  CHECK(push(sphere, {1, 2, 0}, 0.1f).depth == 0.0f); // no direction leads out
  sphere.inside = true;
  CHECK(push(sphere, {1.3f, 2, 0}, 0.1f).depth == 0.0f);
  CHECK(push(sphere, {1.7f, 2, 0}, 0.1f).depth == doctest::Approx(0.3f));
  CHECK(test::near(push(sphere, {1.7f, 2, 0}, 0.1f).direction, {-1, 0, 0}, 1e-6f));

  const SpringCollider capsule{"", ColliderShape::capsule, false, {0, 0, 0}, 0.5f, {0, 2, 0}};
  CHECK(test::near(push(capsule, {1, 1, 0.2f}, 0).direction, {0, 0, 1}, 1e-6f));
  CHECK(push(capsule, {1, 1, 0.2f}, 0).depth == doctest::Approx(0.3f));
  CHECK(test::near(push(capsule, {1, -0.1f, 0}, 0).direction, {0, -1, 0}, 1e-6f));
  CHECK(push(capsule, {1, 2.3f, 0}, 0.1f).depth == doctest::Approx(0.3f));
  CHECK(push(capsule, {1, 2.7f, 0}, 0.1f).depth == 0.0f);

  const SpringCollider plane{"", ColliderShape::plane, false, {0, 1, 0}, 0, {0, 3, 0}};
  CHECK(test::near(push(plane, {7, 0.9f, 3}, 0.2f).direction, {0, 1, 0}, 1e-6f));
  CHECK(push(plane, {7, 0.9f, 3}, 0.2f).depth == doctest::Approx(0.3f));
  CHECK(push(plane, {7, 1.3f, 3}, 0.2f).depth == 0.0f);
}

TEST_CASE("spring bone: a collider holds a falling tail, which keeps its length and its radius") {
  const Model model = tower();
  SpringBone falling = bone(1, 0.0f, 0.5f, {1, 0, 0});
  falling.radius = 0.1f;
  const SpringBoneCollider ball{4,
                                {"", ColliderShape::sphere, false, {-0.2929f, 1.7071f, 0}, 0.3f}};
  const vec3 center(0.7071f, 1.7071f, 0); // on the way of the tail
  const SpringBoneSet set = makeSpringSet(model, {falling}, {ball});
  SpringBoneState state;
  Pose pose;
  for (int i = 0; i < 600; ++i) {
    pose = restPose(model);
    applySpringBones(set, i == 0 ? 0.0 : 1.0 / 60.0, state, pose);
    const vec3 tail = getPosition(model, pose, 2);
    CHECK(glm::distance(tail, vec3(0, 1, 0)) == doctest::Approx(1.0f));
    CHECK(glm::distance(tail, center) > 0.39f);
  }
  CHECK(glm::distance(getPosition(model, pose, 2), center) < 0.42f); // it lies on the ball
}

TEST_CASE("spring bone: several steps at once are so many steps, and a part of one is a part") {
  const Model model = tower();
  const SpringBoneSet set =
      makeSpringSet(model, {bone(1, 1.0f, 0.3f, {1, 0, 0}), bone(2, 1.0f, 0.2f)});
  const auto after = [&](std::initializer_list<double> times) {
    SpringBoneState state;
    Pose pose = restPose(model);
    applySpringBones(set, 0.0, state, pose);
    for (const double dt : times) {
      pose = restPose(model);
      applySpringBones(set, dt, state, pose);
    }
    return getPosition(model, pose, 3);
  };
  CHECK(test::near(after({3.0 / 60.0}), after({1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0}), 1e-6f));
  CHECK(test::near(after({1.0 / 60.0, 0.0}), after({1.0 / 60.0}), 1e-6f));
  CHECK(test::near(after({1.0 / 60.0, 1e-7}), after({1.0 / 60.0}), 1e-5f));
  CHECK(test::near(after({1.0 / 60.0, 0.999999 / 60.0}), after({1.0 / 60.0, 1.0 / 60.0}), 1e-5f));
}

TEST_CASE("spring bone: violent motion stays finite and keeps the length of every bone") {
  Random random(5);
  const Model model = tower();
  for (int run = 0; run < 40; ++run) {
    SpringBoneSet set =
        makeSpringSet(model,
                      {bone(1, random.uniform(0, 1e6f), random.uniform(0, 1), vec3(1e6f, -1e6f, 0)),
                       bone(2, random.uniform(0, 10), random.uniform(0, 1))},
                      {{0, {"", ColliderShape::sphere, run % 2 == 0, {0, 1.5f, 0}, 2.0f}},
                       {4, {"", ColliderShape::capsule, false, {0, 1, 0}, 1e6f, {0, 1, 0}}}});
    SpringBoneState state;
    for (int i = 0; i < 50; ++i) {
      Pose pose = restPose(model);
      pose.parentFromNode[0].translation = vec3(random.uniform(-1e5f, 1e5f), 0, 0);
      const vec3 body = pose.parentFromNode[0].translation;
      applySpringBones(set, random.uniform(0.0f, 0.2f), state, pose);
      REQUIRE(replaceNonFinite(model.hierarchy, pose) == 0);
      pose.parentFromNode[0].translation -= body;
      CHECK(glm::distance(getPosition(model, pose, 1), getPosition(model, pose, 2)) ==
            doctest::Approx(1.0f));
    }
  }
}

TEST_CASE("spring-bone layers: lines name joints and colliders, and every error is one line") {
  const Model model = tower();
  SpringBoneLayer layer;
  layer.joints = {"a -> c 1 0.4 0 -1 0 0.02", "c end 0.5 1 0.4 0 0 0 0"};
  layer.colliders = {"the hand sphere 0 0.1 0 0.5", "body capsule 0 0 0 0.1 0 1 0",
                     "body inside-capsule 0 0 0 9 0 1 0", "body plane 0 0 0 0 1 0"};
  layer.center = "body";
  CHECK(findProblem(model, layer).empty());

  const auto refuses = [&](const SpringBoneLayer& wrong, const char* word) {
    const std::string problem = findProblem(model, wrong);
    CAPTURE(problem);
    return problem.find(word) != std::string::npos && problem.find('\n') == std::string::npos;
  };
  const auto withJoint = [&](const char* line) {
    SpringBoneLayer wrong = layer;
    wrong.joints.emplace_back(line);
    return wrong;
  };
  CHECK(refuses(withJoint("b -> nobody 1 0.4 0 -1 0 0.02"), "no joint 'nobody'"));
  CHECK(refuses(withJoint("b -> a 1 0.4 0 -1 0 0.02"), "not below"));
  CHECK(refuses(withJoint("b -> b 1 0.4 0 -1 0 0.02"), "not below"));
  CHECK(refuses(withJoint("b -> c 1 0.4 0 -1 0"), "last words"));
  CHECK(refuses(withJoint("b -> c nan 0.4 0 -1 0 0"), "last words"));
  CHECK(refuses(withJoint("b -> c 1e9 0.4 0 -1 0 0"), "last words"));
  CHECK(refuses(withJoint("b -> c 1 1.4 0 -1 0 0"), "drag"));
  CHECK(refuses(withJoint("b -> c -1 0.4 0 -1 0 0"), "negative"));
  CHECK(refuses(withJoint("b 1 0.4 0 -1 0 0 0"), "neither a tail nor an end"));
  CHECK(refuses(withJoint("a -> b 1 0.4 0 -1 0 0"), "twice"));
  const auto withCollider = [&](const char* line) {
    SpringBoneLayer wrong = layer;
    wrong.colliders.emplace_back(line);
    return wrong;
  };
  CHECK(refuses(withCollider("body box 0 0 0 1"), "no sphere, capsule or plane"));
  CHECK(refuses(withCollider("body sphere 0 0 0"), "missing"));
  CHECK(refuses(withCollider("body sphere 0 0 0 1 1"), "too many"));
  CHECK(refuses(withCollider("body sphere 0 0 0 -1"), "negative"));
  CHECK(refuses(withCollider("body plane 0 0 0 0 0 0"), "no direction"));
  CHECK(refuses(withCollider("none sphere 0 0 0 1"), "no joint 'none'"));
  layer.center = "nowhere";
  CHECK(refuses(layer, "no joint 'nowhere'"));
}

TEST_CASE("spring-bone layers: the springs of a file become layers that a file keeps") {
  Model model = tower();
  SpringBones& bones = model.springBones;
  bones.colliders = {{"the hand", ColliderShape::capsule, true, {1, 2, 3}, 0.5f, {4, 5, 6}},
                     {"c", ColliderShape::sphere, false, {0, 0, 0}, 0.25f}};
  bones.colliderGroups = {{0}, {1, 0}};
  bones.springs = {{"end", "", {{"c", "", 0.07f}}, {}},
                   {"second", "", {{"b", "c"}}, {}},
                   {"lost", "", {{"nobody", "c"}}, {}},
                   {"", "body", {{"a", "b", 0, 2.0f, 0.1f, {0, -0.1f, 0}, 0.02f}}, {0}},
                   {"hand", "", {{"the hand", "", 0.1f}}, {1}}};
  std::string warning;
  const LayerStack stack = ownLayers(model, warning);
  CHECK(warning == "1 of 5 springs do not fit the joints: not simulated");
  // a carries b carries c, whose collider the hand meets; a meets the hand's.
  REQUIRE(stack.layers.size() == 4);
  std::vector<std::string> names;
  for (const Layer& layer : stack.layers)
    names.push_back(layer.name);
  CHECK(std::find(names.begin(), names.end(), "second") >
        std::find(names.begin(), names.end(), "spring 4"));
  CHECK(std::find(names.begin(), names.end(), "end") >
        std::find(names.begin(), names.end(), "second"));
  for (const Layer& layer : stack.layers) {
    CHECK(findProblem(model, layer).empty());
    if (layer.name != "spring 4") continue;
    const auto& kind = std::get<SpringBoneLayer>(layer.kind);
    CHECK(kind.joints == std::vector<std::string>{"a -> b 2 0.1 0 -0.1 0 0.02"});
    CHECK(kind.colliders == std::vector<std::string>{"the hand inside-capsule 1 2 3 0.5 4 5 6"});
    CHECK(kind.center == "body");
  }
  CHECK(layerStackFromJson(model, layerStackToJson(stack), "layers.json") == stack);
  CHECK(dependsOnHistory(stack));

  bones.springs.resize(2);
  bones.colliderGroups[0].assign(100000, 0);
  bones.springs[0].colliderGroups = {0};
  CHECK(ownLayers(model, warning).layers.empty());
  CHECK(warning.find("too many") != std::string::npos);
}
