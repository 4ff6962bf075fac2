#include "core/error.h"
#include "demo/demo.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll_config.h"
#include "physics/ragdoll_test_tools.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::ordered_json;

namespace {

// What reading says of the humanoid's file after a change to it.
template <class Change>
std::string errorAfter(Change&& change) {
  Json json = Json::parse(ragdollToJson(fitted()));
  change(json);
  try {
    ragdollFromJson(humanoid(), json.dump(1), "r.json");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return "";
}

Json& findJoint(Json& json, const char* child) {
  for (Json& joint : json["joints"])
    if (joint["child"] == child) return joint;
  throw std::runtime_error("no such joint");
}

bool says(const std::string& text, std::initializer_list<const char*> words) {
  INFO(text);
  bool all = text.find("r.json") != std::string::npos && text.find('\n') == std::string::npos;
  for (const char* word : words)
    all = all && text.find(word) != std::string::npos;
  if (!all) MESSAGE(text);
  return all;
}

} // namespace

TEST_CASE("a ragdoll that is written and read again is equal") {
  const RagdollConfig read = ragdollFromJson(humanoid(), ragdollToJson(fitted()), "r.json");
  CHECK(read.bodies == fitted().bodies);
  CHECK(read.joints.size() == fitted().joints.size());
  // Degrees are rounded to what people read; after that nothing changes.
  CHECK(ragdollFromJson(humanoid(), ragdollToJson(read), "r.json") == read);
  CHECK(ragdollToJson(read) == ragdollToJson(fitted()));
}

TEST_CASE("invalid values in a ragdoll's file are reported with their line or key") {
  const std::string text = ragdollToJson(fitted());
  try {
    ragdollFromJson(humanoid(), "{\n\"sinew\": \"ragdoll\",\n\"metres\": NaN\n}", "r.json");
    CHECK(false);
  } catch (const Error& error) {
    CHECK(says(error.what(), {"line 3"}));
  }
  CHECK(says(errorAfter([](Json& j) { j["sinew"] = "pose"; }), {"ragdoll"}));
  CHECK(says(errorAfter([](Json& j) { j["metre"] = 2; }), {"'metre'", "unknown", "metres"}));
  CHECK(says(errorAfter([](Json& j) { j["metres"] = -1; }), {"'metres'", "-1"}));
  CHECK(says(errorAfter([](Json& j) { j.erase("joints"); }), {"'joints'", "missing"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"][0]["bone"] = "Tail"; }), {"'Tail'"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"][1]["mass"] = -2; }), {"'mass'", "'Spine'"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"][1]["mass"] = nullptr; }), {"'mass'", "null"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"][1]["shape"] = "ball"; }), {"'shape'", "ball"}));
  CHECK(says(errorAfter([](Json& j) {
               j["bodies"][1]["rotation"] = {0, 0, 0, 0};
             }),
             {"'rotation'", "'Spine'"}));
  CHECK(says(errorAfter([](Json& j) {
               j["bodies"][1]["rotation"] = {0, 0, 0, 1e18};
             }),
             {"'rotation'", "'Spine'"}));
  CHECK(says(errorAfter([](Json& j) {
               j["bodies"][1]["center"] = {0, 1e30, 0};
             }),
             {"'center'", "'Spine'"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"][1]["mass"] = 1e30; }), {"'mass'", "'Spine'"}));
  CHECK(says(errorAfter([](Json& j) {
               findJoint(j, "Head")["axis"] = {0, 1e30, 0};
             }),
             {"'axis'", "'Head'"}));
  CHECK(says(errorAfter([](Json& j) { j["bodies"].push_back(j["bodies"][2]); }), {"twice"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "LeftLowerLeg")["back_angle"] = 170; }),
             {"'back_angle'", "'LeftLowerLeg'", "'front_angle'"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "LeftLowerLeg")["front_angle"] = "wide"; }),
             {"'front_angle'", "'LeftLowerLeg'", "wide"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "Head")["bend_freedom"] = 200; }),
             {"'bend_freedom'", "'Head'"}));
  CHECK(says(errorAfter([](Json& j) {
               findJoint(j, "Head")["axis"] = {0, 0, 0};
             }),
             {"'axis'", "'Head'"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "Head").erase("anchor"); }),
             {"'anchor'", "'Head'", "missing"}));
  CHECK(says(errorAfter([](Json& j) {
               findJoint(j, "Head")["anchor"] = {1e9, 0, 0};
             }),
             {"'anchor'", "'Head'", "1000000000"}));
  CHECK(says(errorAfter([](Json& j) { j["joints"].erase(0); }), {"no joint"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "Head")["parent"] = "Nobody"; }), {"'Nobody'"}));
  CHECK(says(errorAfter([](Json& j) { findJoint(j, "LeftUpperArm")["parent"] = "LeftHand"; }),
             {"cycle"}));
}

TEST_CASE("the file may list bodies in any order") {
  Json json = Json::parse(ragdollToJson(fitted()));
  std::reverse(json["bodies"].begin(), json["bodies"].end());
  std::reverse(json["joints"].begin(), json["joints"].end());
  const RagdollConfig read = ragdollFromJson(humanoid(), json.dump(), "r.json");
  CHECK(read.bodies.front().bone == fitted().bodies.front().bone);
  CHECK(read.joints.size() == fitted().joints.size());
}
