#include "animation/drivers/prepared_drivers.h"
#include "animation/random_model.h"
#include "core/random.h"
#include "export/glb.h"
#include "export/node_constraint.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include <cstring>

namespace sinew {
namespace {

using ConstraintJson = nlohmann::json;

ConstraintJson jsonOfGlb(const std::string& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, sizeof length);
  return ConstraintJson::parse(glb.substr(20, length));
}

// The extension's schema: VRMC_node_constraint, .constraint, .rollConstraint and
// .rotationConstraint of version 1.0.
void checkSchema(const ConstraintJson& file, const ConstraintJson& extension) {
  CHECK(extension.at("specVersion") == "1.0");
  const ConstraintJson& constraint = extension.at("constraint");
  CHECK(constraint.size() == 1);
  const std::string kind = constraint.begin().key();
  CHECK((kind == "roll" || kind == "aim" || kind == "rotation"));
  const ConstraintJson& follows = constraint.begin().value();
  REQUIRE(follows.at("source").is_number_integer());
  CHECK(follows["source"] >= 0);
  CHECK(follows["source"] < file.at("nodes").size());
  CHECK(follows.at("weight") >= 0.0);
  CHECK(follows.at("weight") <= 1.0);
  if (kind == "roll") {
    const std::string axis = follows.at("rollAxis");
    CHECK((axis == "X" || axis == "Y" || axis == "Z"));
  }
  for (const auto& [key, value] : follows.items())
    CHECK((key == "source" || key == "weight" || (kind == "roll" && key == "rollAxis")));
}

// The formulas "Roll Constraint" and "Rotation Constraint" in the extension's text, applied to what
// a file says.
quat constrainedBy(const ConstraintJson& constraint, const Hierarchy& hierarchy, std::uint32_t node,
                   const Pose& pose) {
  const bool roll = constraint.contains("roll");
  const ConstraintJson& follows = constraint.begin().value();
  const std::uint32_t source = follows.at("source");
  const quat rest = hierarchy.nodes[node].rest.rotation;
  const quat sourceRest = hierarchy.nodes[source].rest.rotation;
  const quat delta = glm::inverse(sourceRest) * pose.parentFromNode[source].rotation;
  const float weight = follows.at("weight");
  if (!roll) return glm::slerp(rest, rest * delta, weight);
  vec3 axis(0.0f);
  axis[follows.at("rollAxis").get<std::string>()[0] - 'X'] = 1.0f;
  const quat inParent = sourceRest * delta * glm::inverse(sourceRest);
  const quat own = glm::inverse(rest) * inParent * rest;
  const vec3 to = own * axis;
  const vec3 cross = glm::cross(axis, to);
  const quat fromTo = glm::normalize(quat(1.0f + glm::dot(axis, to), cross.x, cross.y, cross.z));
  return glm::slerp(rest, rest * (glm::inverse(fromTo) * own), weight);
}

quat anyRotation(Random& random, float limit) {
  return glm::angleAxis(random.uniform(-limit, limit), randomDirection(random));
}

} // namespace

TEST_CASE("a .glb has shares as VRMC_node_constraint, which turns nodes as drivers do") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Model model;
    const quat rest = anyRotation(random, 3.0f);
    model.hierarchy.nodes = {{"root", kNoNode, {{}, anyRotation(random, 3.0f), vec3(1.0f)}},
                             {"source", 0, {{}, rest, vec3(1.0f)}},
                             {"turned", 0, {{}, rest, vec3(1.0f)}},
                             {"rolled", 0, {{}, anyRotation(random, 3.0f), vec3(1.0f)}}};
    // Rolls need not be at rest as their source is.
    const quat sourceFromRolled = glm::conjugate(rest) * model.hierarchy.nodes[3].rest.rotation;
    vec3 own(0.0f);
    own[static_cast<int>(random.below(3))] = 1.0f;
    const PoseDrivers drivers{
        {"a",
         true,
         {"turned"},
         {},
         ShareDriver{{"source", RotationPart::whole}, random.uniform(0.0f, 1.0f)}},
        {"b",
         true,
         {"rolled"},
         {},
         ShareDriver{{"source", RotationPart::twist, sourceFromRolled * own},
                     random.uniform(0.0f, 1.0f)}}};
    const std::vector<NodeConstraint> constraints = makeConstraints(model, drivers);
    CHECK(constraints.size() == 2);
    const ConstraintJson file = jsonOfGlb(toGlb(model, constraints));
    CHECK(file.at("extensionsUsed") == ConstraintJson{"VRMC_node_constraint"});
    CHECK(!file.contains("extensionsRequired"));
    Pose pose = restPose(model);
    pose.parentFromNode[1].rotation = rest * anyRotation(random, 2.8f);
    const Pose before = pose;
    PreparedDrivers(model, drivers).apply(model, pose);
    for (const std::uint32_t node : {2u, 3u}) {
      const ConstraintJson& extension =
          file.at("nodes").at(node).at("extensions").at("VRMC_node_constraint");
      checkSchema(file, extension);
      const quat theirs = constrainedBy(extension.at("constraint"), model.hierarchy, node, before);
      CHECK(angleBetween(theirs, pose.parentFromNode[node].rotation) < 1e-4f);
    }
  }
}

TEST_CASE("drivers that VRMC_node_constraint does not have are left out of it") {
  Model model;
  const quat bent = glm::angleAxis(0.3f, vec3(0.0f, 0.0f, 1.0f));
  model.hierarchy.nodes = {{"root", kNoNode, {}},
                           {"source", 0, {}},
                           {"sibling", 0, {}},
                           {"bent", 0, {{}, bent, vec3(1.0f)}},
                           {"child", 1, {}}};
  const auto isLeftOut = [&](const char* joint, const DriverInput& input, float share, bool on) {
    return makeConstraints(model, {{"d", on, {joint}, {}, ShareDriver{input, share}}}).empty();
  };
  const DriverInput whole{"source"};
  const vec3 x(1.0f, 0.0f, 0.0f);
  CHECK(!isLeftOut("sibling", whole, 0.5f, true));
  CHECK(isLeftOut("sibling", whole, 0.5f, false));
  CHECK(isLeftOut("sibling", whole, 1.5f, true));
  CHECK(isLeftOut("sibling", whole, -0.5f, true));
  CHECK(isLeftOut("child", whole, 0.5f, true));
  CHECK(isLeftOut("bent", whole, 0.5f, true));
  CHECK(isLeftOut("bent", {"source", RotationPart::twist, x}, 0.5f, true));
  CHECK(!isLeftOut("sibling", {"source", RotationPart::twist, x}, 0.5f, true));
  CHECK(isLeftOut("sibling", {"source", RotationPart::swing, x}, 0.5f, true));
  const ConstraintJson file = jsonOfGlb(toGlb(model));
  CHECK(!file.contains("extensionsUsed"));
}

} // namespace sinew
