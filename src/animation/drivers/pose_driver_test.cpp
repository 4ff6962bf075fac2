#include "animation/drivers/driver_edit.h"
#include "animation/drivers/driver_math.h"
#include "animation/drivers/driver_set.h"
#include "animation/drivers/prepared_drivers.h"
#include "animation/drivers/scale_drivers.h"
#include "animation/mirror.h"
#include "animation/random_model.h"
#include "animation/sample.h"
#include "core/error.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "model/scale_model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

std::uint64_t tries(int thorough, int quick) {
  return static_cast<std::uint64_t>(test::rounds(thorough, quick));
}

Model modelWithMorphs(std::uint64_t seed) {
  Model model = randomModel(seed);
  addRandomMorphs(model, 3, seed);
  return model;
}

const std::string& getName(const Model& model, std::uint32_t node) {
  return model.hierarchy.nodes[node].name;
}

// Two inputs, two driven joints, one driven morph target, and keys at random poses.
PoseDriver randomRbf(const Model& model, std::uint64_t seed, std::size_t keys) {
  Random random(seed);
  const std::vector<std::uint32_t> joints = jointNodes(model);
  RbfDriver rbf;
  rbf.inputs = {{getName(model, joints[1])},
                {getName(model, joints[2]), RotationPart::swing, randomDirection(random)}};
  PoseDriver driver;
  driver.name = "random";
  driver.joints = {getName(model, joints[3]), getName(model, joints[4])};
  driver.morphs = {morphLabels(model)[1]};
  driver.kind = rbf;
  for (std::size_t k = 0; k < keys; ++k) {
    Pose pose = randomPose(model, seed * 100 + k);
    pose.morphWeights = randomWeights(model, seed + k);
    rbf.keys.push_back(keyFromPose(model, driver, pose));
  }
  driver.kind = rbf;
  return driver;
}

RbfShape& getShape(PoseDriver& driver) {
  return std::get<RbfDriver>(driver.kind).shape;
}

const std::vector<DriverKey>& getKeys(const PoseDriver& driver) {
  return std::get<RbfDriver>(driver.kind).keys;
}

Pose driven(const Model& model, const PoseDriver& driver, Pose pose) {
  PreparedDrivers(model, {driver}).apply(model, pose);
  return pose;
}

// The inputs at a key, all else at rest.
Pose poseAtKey(const Model& model, const PoseDriver& driver, const DriverKey& key) {
  Pose pose = restPose(model);
  const auto& inputs = std::get<RbfDriver>(driver.kind).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    pose.parentFromNode[*findNode(model.hierarchy, inputs[i].joint)].rotation = key.rotations[i];
  return pose;
}

float distance(const Transform& a, const Transform& b) {
  return std::max({glm::distance(a.translation, b.translation), glm::distance(a.scale, b.scale),
                   angleBetween(a.rotation, b.rotation)});
}

// The largest distance of what is driven from the values of a key.
float distanceFromKey(const Model& model, const PoseDriver& driver, const Pose& pose,
                      const DriverKey& key) {
  const DriverKey now = keyFromPose(model, driver, pose);
  float largest = 0.0f;
  for (std::size_t i = 0; i < now.joints.size(); ++i)
    largest = std::max(largest, distance(now.joints[i], key.joints[i]));
  for (std::size_t i = 0; i < now.morphs.size(); ++i)
    largest = std::max(largest, std::abs(now.morphs[i] - key.morphs[i]));
  return largest;
}

} // namespace

TEST_CASE("drivers: at every key pose the value is the key's, at rest it is neutral") {
  for (std::uint64_t seed = 1; seed <= tries(20, 4); ++seed) {
    const Model model = modelWithMorphs(seed);
    PoseDriver driver = randomRbf(model, seed, 1 + seed % 12);
    for (const Falloff falloff : {Falloff::gaussian, Falloff::thinPlate, Falloff::linear})
      for (const Normalize normalize : {Normalize::aboveOne, Normalize::always, Normalize::never}) {
        CAPTURE(seed);
        getShape(driver).falloff = falloff;
        getShape(driver).normalize = normalize;
        for (const DriverKey& key : getKeys(driver))
          CHECK(distanceFromKey(model, driver, driven(model, driver, poseAtKey(model, driver, key)),
                                key) < 1e-5f);
        const Pose rest = restPose(model);
        CHECK(distanceFromKey(model, driver, driven(model, driver, rest),
                              keyFromPose(model, driver, rest)) < 1e-5f);
      }
  }
}

TEST_CASE("drivers: nothing overshoots between keys, and all else keeps its bits") {
  for (std::uint64_t seed = 1; seed <= tries(20, 4); ++seed) {
    CAPTURE(seed);
    const Model model = modelWithMorphs(seed);
    PoseDriver driver = randomRbf(model, seed, 2 + seed % 6);
    getShape(driver).falloff = static_cast<Falloff>(seed % 3);
    getShape(driver).normalize = seed % 2 == 0 ? Normalize::aboveOne : Normalize::always;
    const PreparedDrivers prepared(model, {driver});
    const std::vector<DriverKey>& keys = getKeys(driver);
    float low = model.morphTargets[1].weight;
    float high = low;
    for (const DriverKey& key : keys) {
      low = std::min(low, key.morphs[0]);
      high = std::max(high, key.morphs[0]);
    }
    const Pose from = poseAtKey(model, driver, keys[0]);
    const Pose to = poseAtKey(model, driver, keys[1]);
    const float degrees =
        180.0f / std::numbers::pi_v<float> * keyDistance(keys[0].rotations, keys[1].rotations);
    const int steps = static_cast<int>(std::ceil(degrees));
    for (int i = 0; i <= steps; ++i) {
      Pose pose = blend(from, to, static_cast<float>(i) / static_cast<float>(steps));
      const Pose before = pose;
      prepared.apply(model, pose);
      CHECK(pose.morphWeights[1] >= low - 1e-5f * (high - low));
      CHECK(pose.morphWeights[1] <= high + 1e-5f * (high - low));
      for (std::uint32_t node = 0; node < pose.parentFromNode.size(); ++node)
        if (!std::binary_search(prepared.nodes().begin(), prepared.nodes().end(), node))
          CHECK(pose.parentFromNode[node] == before.parentFromNode[node]);
    }
  }
}

TEST_CASE("drivers: far from all keys the value is neutral") {
  Model model = modelWithMorphs(5);
  PoseDriver driver = randomRbf(model, 5, 1);
  auto& rbf = std::get<RbfDriver>(driver.kind);
  rbf.inputs.resize(1);
  rbf.keys[0].rotations = {
      model.hierarchy.nodes[*findNode(model.hierarchy, rbf.inputs[0].joint)].rest.rotation *
      glm::angleAxis(0.2f, vec3(1.0f, 0.0f, 0.0f))};
  for (const Falloff falloff : {Falloff::gaussian, Falloff::thinPlate, Falloff::linear}) {
    rbf.shape.falloff = falloff;
    DriverKey far = rbf.keys[0];
    far.rotations[0] = rbf.keys[0].rotations[0] * glm::angleAxis(3.0f, vec3(0.0f, 1.0f, 0.0f));
    CHECK(distanceFromKey(model, driver, driven(model, driver, poseAtKey(model, driver, far)),
                          keyFromPose(model, driver, restPose(model))) < 1e-5f);
  }
}

TEST_CASE("drivers: a polynomial is found again from poses that it made") {
  for (std::uint64_t seed = 1; seed <= tries(9, 3); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Model model = modelWithMorphs(seed);
    const std::vector<std::uint32_t> joints = jointNodes(model);
    PolynomialDriver polynomial;
    polynomial.inputs = {{getName(model, joints[1])}};
    polynomial.degree = 1 + static_cast<int>(seed % 3);
    const std::size_t count = monomials(3, polynomial.degree).size();
    polynomial.coefficients.resize(10);
    for (std::vector<float>& list : polynomial.coefficients)
      for (std::size_t i = 0; i < count; ++i)
        list.push_back(random.uniform(-0.02f, 0.02f));
    PoseDriver driver{
        "made", true, {getName(model, joints[3])}, {morphLabels(model)[0]}, polynomial};
    const auto poseFrom = [&](std::uint64_t any) {
      return driven(model, driver, blend(restPose(model), randomPose(model, any), 0.6f));
    };
    std::vector<Pose> poses;
    for (std::uint64_t i = 0; i < 60; ++i)
      poses.push_back(poseFrom(100 * seed + i));
    PoseDriver fitted = driver;
    for (std::vector<float>& list : std::get<PolynomialDriver>(fitted.kind).coefficients)
      list.assign(count, 0.0f);
    fitPolynomial(model, fitted, poses, 1e-9);
    for (std::uint64_t i = 0; i < 10; ++i) {
      const Pose held = poseFrom(5000 + 100 * seed + i);
      CHECK(distanceFromKey(model, fitted, driven(model, fitted, held),
                            keyFromPose(model, driver, held)) < 2e-4f);
    }
  }
}

TEST_CASE("drivers: scaled with their model they make the same poses, scaled") {
  constexpr float kFactor = 0.01f;
  for (std::uint64_t seed = 1; seed <= tries(9, 3); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Model model = modelWithMorphs(seed);
    const std::vector<std::uint32_t> joints = jointNodes(model);
    PolynomialDriver polynomial{{{getName(model, joints[1])}}, 1, {}};
    polynomial.coefficients.resize(19); // two joints and a morph target
    for (std::vector<float>& list : polynomial.coefficients)
      for (int i = 0; i < 3; ++i)
        list.push_back(random.uniform(-0.1f, 0.1f));
    DriverSet set;
    set.drivers = {randomRbf(model, seed, 4),
                   {"poly",
                    true,
                    {getName(model, joints[5]), getName(model, joints[6])},
                    {morphLabels(model)[0]},
                    polynomial}};
    Model scaled = model;
    scaleModel(scaled, kFactor);
    DriverSet scaledSet = set;
    scaleDrivers(scaledSet, kFactor);
    Pose pose = randomPose(model, seed);
    Pose small = pose;
    for (Transform& transform : small.parentFromNode)
      transform.translation *= kFactor;
    PreparedDrivers(model, set.drivers).apply(model, pose);
    PreparedDrivers(scaled, scaledSet.drivers).apply(scaled, small);
    for (std::size_t node = 0; node < pose.parentFromNode.size(); ++node) {
      Transform expected = pose.parentFromNode[node];
      expected.translation *= kFactor;
      CHECK(distance(expected, small.parentFromNode[node]) < 1e-5f);
    }
    for (std::size_t i = 0; i < pose.morphWeights.size(); ++i)
      CHECK(pose.morphWeights[i] == doctest::Approx(small.morphWeights[i]));
  }
}

// VRMC_node_constraint 1.0, "Roll Constraint" and "Rotation Constraint", as its text states them.
quat constrained(const quat& sourceRest, const quat& source, const quat& rest, bool roll,
                 const vec3& axis, float weight) {
  const quat delta = glm::inverse(sourceRest) * source;
  if (!roll) return glm::slerp(rest, rest * delta, weight);
  const quat inParent = sourceRest * delta * glm::inverse(sourceRest);
  const quat inDestination = glm::inverse(rest) * inParent * rest;
  const vec3 to = inDestination * axis;
  const vec3 cross = glm::cross(axis, to);
  const quat fromTo = glm::normalize(quat(1.0f + glm::dot(axis, to), cross.x, cross.y, cross.z));
  return glm::slerp(rest, rest * (glm::inverse(fromTo) * inDestination), weight);
}

TEST_CASE("drivers: shares are the roll and rotation of VRMC_node_constraint between siblings") {
  for (std::uint64_t seed = 1; seed <= tries(20, 5); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Model model;
    const vec3 axis(0.0f, 1.0f, 0.0f);
    const quat rest = randomRotation(random);
    model.hierarchy.nodes = {{"root", kNoNode, {{}, randomRotation(random), vec3(1.0f)}},
                             {"source", 0, {{}, rest, vec3(1.0f)}},
                             {"helper", 0, {{}, rest, vec3(1.0f)}}};
    Pose pose = restPose(model);
    pose.parentFromNode[1].rotation =
        rest * glm::angleAxis(random.uniform(-2.8f, 2.8f), randomDirection(random));
    const float share = random.uniform(0.0f, 1.0f);
    for (const bool roll : {true, false}) {
      const PoseDriver driver{
          "share",
          true,
          {"helper"},
          {},
          ShareDriver{{"source", roll ? RotationPart::twist : RotationPart::whole, axis}, share}};
      const quat expected =
          constrained(rest, pose.parentFromNode[1].rotation, rest, roll, axis, share);
      CHECK(angleBetween(driven(model, driver, pose).parentFromNode[2].rotation, expected) < 1e-5f);
    }
  }
}

TEST_CASE("drivers: swing and twist of one joint make up its rotation") {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const quat rotation = randomRotation(random);
    const vec3 axis = randomDirection(random);
    const quat swing = extractPart(rotation, RotationPart::swing, axis);
    const quat twist = extractPart(rotation, RotationPart::twist, axis);
    CHECK(angleBetween(swing * twist, rotation) < 1e-5f);
    CHECK(std::abs(glm::dot(rotationVector(swing), axis)) < 1e-4f);
    CHECK(glm::length(glm::cross(rotationVector(twist), axis)) < 1e-4f);
    CHECK(angleBetween(fromRotationVector(rotationVector(rotation)), rotation) < 1e-5f);
  }
}

namespace {

CorrectiveShape shapeOn(const Model& model, const char* name) {
  CorrectiveShape shape{name, {}};
  const auto count = static_cast<std::uint32_t>(model.meshes[0].positions.size());
  shape.meshes.push_back({0, count, {0, 2, count - 1}, {vec3(1, 2, 3), vec3(0, 1, 0), vec3(4)}});
  return shape;
}

} // namespace

TEST_CASE("drivers: mirrored twice is the driver again, and the other side does the same") {
  const Model model = findDemo("humanoid").make();
  const auto id = [&](const char* name) { return *findNode(model.hierarchy, name); };
  RbfDriver rbf;
  rbf.inputs = {{"LeftLowerArm", RotationPart::swing, glm::normalize(vec3(1.0f, 2.0f, 0.5f))}};
  PoseDriver driver{"LeftElbow", true, {"LeftHand"}, {}, rbf};
  for (std::uint64_t k = 0; k < 3; ++k) {
    Pose pose = restPose(model);
    Random random(k + 1);
    pose.parentFromNode[id("LeftLowerArm")].rotation *=
        glm::angleAxis(random.uniform(0.3f, 2.0f), randomDirection(random));
    pose.parentFromNode[id("LeftHand")].rotation *= randomRotation(random);
    rbf.keys.push_back(keyFromPose(model, driver, pose));
  }
  driver.kind = rbf;
  const auto other = mirroredDriver(model, driver);
  REQUIRE(other);
  CHECK(other->joints == std::vector<std::string>{"RightHand"});
  CHECK(getInputs(*other)[0].joint == "RightLowerArm");
  const MirrorMap map = mirrorMap(model);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Pose pose = restPose(model);
    pose.parentFromNode[id("LeftLowerArm")].rotation *=
        glm::angleAxis(random.uniform(0.0f, 2.0f), randomDirection(random));
    const Pose left = driven(model, driver, pose);
    const Pose right = driven(model, *other, mirrored(model, map, pose));
    const Pose image = mirrored(model, map, left);
    CHECK(distance(right.parentFromNode[id("RightHand")], image.parentFromNode[id("RightHand")]) <
          1e-4f);
  }
  const auto again = mirroredDriver(model, *other);
  REQUIRE(again);
  CHECK(again->name == driver.name);
  CHECK(keyDistance(getKeys(*again)[1].rotations, getKeys(driver)[1].rotations) < 1e-5f);
}

TEST_CASE("drivers: baked into a clip they are what they were") {
  Model model = findDemo("humanoid").make();
  const std::uint32_t hand = *findNode(model.hierarchy, "LeftHand");
  const PoseDriver half{
      "half", true, {"LeftHand"}, {}, ShareDriver{{"LeftLowerArm", RotationPart::whole}, -0.5f}};
  const PreparedDrivers prepared(model, {half});
  Model baked = model;
  bakeDrivers(baked, prepared);
  for (const Clip& clip : baked.clips)
    for (const float share : {0.0f, 0.31f, 0.77f, 1.0f}) {
      const float time = share * clip.seconds;
      const Clip& own = model.clips[static_cast<std::size_t>(&clip - baked.clips.data())];
      Pose pose = sample(model, own, time);
      prepared.apply(model, pose);
      CHECK(angleBetween(pose.parentFromNode[hand].rotation,
                         sample(baked, clip, time).parentFromNode[hand].rotation) < 1e-3f);
    }
}

TEST_CASE("driver file: what is written is read again, with its shapes") {
  Model model = modelWithMorphs(7);
  const std::vector<std::uint32_t> joints = jointNodes(model);
  DriverSet set;
  set.shapes = {shapeOn(model, "fix")};
  Model written = model;
  addShapes(written, set.shapes);
  PoseDriver rbf = randomRbf(written, 7, 4);
  rbf.morphs = {"fix"};
  set.drivers = {rbf,
                 {"half",
                  false,
                  {getName(model, joints[5])},
                  {},
                  ShareDriver{{getName(model, joints[1]), RotationPart::twist, {1, 0, 0}}, -0.5f}}};
  PolynomialDriver polynomial{{{getName(model, joints[2])}}, 1, {}};
  polynomial.coefficients.assign(9, {0.1f, 0.2f, 0.3f});
  set.drivers.push_back({"poly", true, {getName(model, joints[6])}, {}, polynomial});
  const DriverSet read = driverSetFromJson(model, driverSetToJson(set), "test.drivers.json");
  CHECK(read == set);
  CHECK(model.morphTargets.back().name == "fix");
  CHECK(model.meshes[0].morphs.back().vertices == set.shapes[0].meshes[0].vertices);
  // Read again, the shape is there already.
  const std::size_t targets = model.morphTargets.size();
  driverSetFromJson(model, driverSetToJson(set), "test.drivers.json");
  CHECK(model.morphTargets.size() == targets);
}

TEST_CASE("driver file: errors name the place") {
  const auto message = [](const std::string& text) -> std::string {
    Model model = modelWithMorphs(7);
    try {
      driverSetFromJson(model, text, "d.json");
    } catch (const Error& error) {
      CHECK(error.cause() == ErrorCause::input);
      return error.what();
    }
    return {};
  };
  const auto contains = [](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const Model model = modelWithMorphs(7);
  const std::string joint = getName(model, jointNodes(model)[1]);
  const std::string other = getName(model, jointNodes(model)[2]);
  const auto driver = [](const std::string& fields) {
    return R"({"sinew": "drivers", "drivers": [{)" + fields + "}]}";
  };
  contains(message("{}"), "expected");
  contains(message(driver("")), "driver 1 has no 'kind'");
  contains(message(driver(R"("kind": "cubic")")), "one of rbf, polynomial, twist, swing, rotation");
  contains(message(driver(R"("kind": "rbf")")), "driver 1: has no input");
  contains(message(driver(R"("kind": "twist", "input": {"joint": "none"}, "joints": [")" + joint +
                          R"("])")),
           "no such joint");
  contains(message(driver(R"("kind": "twist", "input": {"joint": ")" + joint +
                          R"("}, "joints": [")" + joint + R"("])")),
           "its own input");
  contains(message(driver(R"("kind": "twist", "input": {"joint": ")" + joint +
                          R"(", "axis": [0, 0, 0]}, "joints": [")" + other + R"("])")),
           "no length");
  contains(
      message(driver(R"("kind": "rbf", "inputs": [{"joint": ")" + joint + R"("}], "joints": [")" +
                     other + R"("], "keys": [{"rotations": [[0, 0, 0, 1]]}])")),
      "key 1 has 0 joints");
  contains(message(driver(R"("kind": "rbf", "inputs": [{"joint": ")" + joint +
                          R"("}], "morphs": ["missing"])")),
           "no morph target");
  contains(message(driver(R"("kind": "rbf", "radius": 1e30)")), "from 0 to 100");
  contains(message(driver(R"("kind": "rbf", "radius": 1e60)")), "too large");
  contains(message(R"({"sinew": "drivers", "shapes": [{"name": "a", "meshes": [{"mesh": 9,
                      "vertex_count": 1}]}]})"),
           "another mesh");
  contains(message(R"({"sinew": "drivers", "unknown": 1})"),
           "'unknown' is unknown; one of sinew, shapes, drivers");
}
