#include "animation/layers/layer_stack.h"
#include "animation/layers/layer_suggestion.h"
#include "animation/random_model.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

std::vector<mat4> computeRest(const Model& model) {
  return modelFromNodes(model.hierarchy, restPose(model.hierarchy));
}

// By how much the layer at the start of its time moves any joint of the rest pose.
float movedBy(const Model& model, const LayerKind& kind) {
  Layer layer;
  layer.kind = kind;
  LayerStackState state;
  Pose pose = restPose(model.hierarchy);
  evaluate(model, {{layer}, 0.0f}, state, 0.0, 0.0, pose);
  const std::vector<mat4> before = computeRest(model);
  const std::vector<mat4> after = modelFromNodes(model.hierarchy, pose);
  float largest = 0.0f;
  for (const std::uint32_t node : jointNodes(model))
    largest = std::max(largest, glm::distance(vec3(before[node][3]), vec3(after[node][3])));
  return largest;
}

template <class Kind>
Kind suggested(const Model& model, std::string_view joint) {
  const auto node = findNode(model.hierarchy, joint);
  return std::get<Kind>(suggestedKind(model, computeRest(model), Kind::kKind, node));
}

} // namespace

TEST_CASE("a suggested layer suits the model, whatever joint it is about") {
  std::vector<Model> models;
  for (const char* name : {"humanoid", "tentacle", "arm"})
    models.push_back(findDemo(name).make());
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    models.push_back(randomModel(seed));
  for (const Model& model : models) {
    const std::vector<mat4> modelFromNode = computeRest(model);
    const std::vector<std::uint32_t> joints = jointNodes(model);
    std::vector<std::optional<std::uint32_t>> choices(joints.begin(), joints.end());
    choices.push_back(std::nullopt);
    for (const std::string_view word : kindWords())
      for (const auto& selected : choices) {
        Layer layer;
        layer.kind = suggestedKind(model, modelFromNode, word, selected);
        const std::string problem = findProblem(model, layer);
        INFO(model.name, " ", word, ": ", problem);
        // Two bones need three joints in a row, a chain two.
        const bool longChain = word == "ik-two-bone" || word == "ik-ccd";
        const bool mayFail = longChain && (selected || joints.size() < 8);
        CHECK((problem.empty() || mayFail));
      }
  }
}

TEST_CASE("targets are suggested where the joints are: the layer moves nothing by itself") {
  const Model model = findDemo("humanoid").make();
  for (const char* word : {"ik-two-bone", "ik-ccd", "aim"})
    for (const char* joint : {"LeftHand", "RightFoot", "Head"}) {
      const auto node = findNode(model.hierarchy, joint);
      REQUIRE(node);
      INFO(word, " ", joint);
      CHECK(movedBy(model, suggestedKind(model, computeRest(model), word, node)) < 2e-3f);
    }
}

TEST_CASE("two bones are an arm or a leg by the names of its parts") {
  const Model model = findDemo("humanoid").make();
  for (const char* joint : {"LeftHand", "LeftLowerArm", "LeftUpperArm"}) {
    INFO(joint);
    const auto arm = suggested<TwoBoneIkLayer>(model, joint);
    CHECK(arm.root == "LeftUpperArm");
    CHECK(arm.middle == "LeftLowerArm");
    CHECK(arm.tip == "LeftHand");
  }
}

TEST_CASE("the bones above a joint are those next above, past twist joints where names tell") {
  Model model = findDemo("humanoid").make();
  const auto node = [&](std::string_view name) { return *findNode(model.hierarchy, name); };
  const auto fingers = bonesAbove(model, node("LeftFingers"));
  REQUIRE(fingers);
  CHECK(fingers->middle == node("LeftHand"));
  CHECK(fingers->root == node("LeftLowerArm"));
  CHECK_FALSE(bonesAbove(model, node("Hips")));
  // The upper arm's place is taken by a twist joint between it and the forearm.
  model.hierarchy.nodes[node("LeftUpperArm")].name = "LeftUpperArmTwist";
  model.hierarchy.nodes[node("LeftShoulder")].name = "LeftUpperArm";
  const auto hand = bonesAbove(model, node("LeftHand"));
  REQUIRE(hand);
  CHECK(hand->root == node("LeftUpperArm"));
  CHECK(hand->middle == node("LeftLowerArm"));
}

TEST_CASE("a swinging chain runs from the joint to the end of what hangs on it") {
  const Model model = findDemo("tentacle").make();
  const std::vector<std::uint32_t> joints = jointNodes(model);
  const std::string& middle = model.hierarchy.nodes[joints[joints.size() / 2]].name;
  const auto spring = suggested<SpringLayer>(model, middle);
  CHECK(spring.from == middle);
  CHECK(spring.to == model.hierarchy.nodes[joints.back()].name);
  const auto end = suggested<SpringLayer>(model, spring.to);
  CHECK(end.from != end.to);
  CHECK(end.to == spring.to);
}

TEST_CASE("a model without joints gets layers without joints") {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.meshes.emplace_back();
  for (const std::string_view word : kindWords())
    CHECK(kindWord(suggestedKind(model, computeRest(model), word, std::nullopt)) == word);
}
