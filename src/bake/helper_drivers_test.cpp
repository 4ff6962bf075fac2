#include "animation/drivers/driver_set.h"
#include "animation/drivers/prepared_drivers.h"
#include "bake/bake.h"
#include "bake/baked_model.h"
#include "bake/blend_weights.h"
#include "bake/clip_motion.h"
#include "bake/helper_drivers.h"
#include "bake/test_support.h"
#include "core/test_effort.h"
#include "export/node_constraint.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <variant>

namespace sinew {

TEST_CASE("bake: drivers move helpers in poses held out, as far as the tolerance allows") {
  const std::vector<const char*> methods{"dqs", "arc-spline", "bones-blending"};
  for (int seed = 0; seed < test::rounds(9, 3); ++seed) {
    CAPTURE(seed);
    const Model model =
        test::randomModelWithClips(120u + static_cast<std::uint64_t>(seed), test::kSmall);
    const Workbench workbench =
        test::makeBakeWorkbench(model, methods[static_cast<std::size_t>(seed) % 3]);
    BakeOptions options = test::bakeOptionsFor(model);
    options.helpers = 3;
    const BakeResult result = bake(workbench, options);
    const BakedClips baked = bakedModel(result, {0}, 30.0);
    for (const double tolerance : {0.05, 0.001}) {
      const HelperDrivers drivers = helperDrivers(result, baked, tolerance);
      REQUIRE(drivers.helpers.size() == result.problem.helpers.size());
      CHECK(drivers.error.largest <= result.heldOut.largest + tolerance + 1e-6);
      REQUIRE(drivers.clips);
      CHECK(drivers.clips->largest <= baked.error.largest + tolerance + 1e-6);
      const auto [less, more] = std::minmax({result.heldOut.largest, baked.error.largest});
      for (const HelperDriver& helper : drivers.helpers) {
        if (helper.driver.on) CHECK(helper.driven <= more + tolerance + 1e-9);
        if (!helper.driver.on) CHECK(helper.driven > less + tolerance);
      }
      // As its file says, on the model that is written: the errors that were reported.
      Model read = baked.model;
      const DriverSet set =
          driverSetFromJson(read, driverSetToJson({listDrivers(drivers), {}}), "drivers.json");
      const PreparedDrivers prepared(read, set.drivers);
      const Rig rig = buildRig(read);
      const auto errorIn = [&](const BakeShapes& shapes) {
        double largest = 0.0;
        for (std::size_t i = 0; i < shapes.count(); ++i) {
          Pose pose = shapes.poses[i];
          pose.parentFromNode.insert(pose.parentFromNode.end(), shapes.helpers[i].begin(),
                                     shapes.helpers[i].end());
          prepared.apply(read, pose);
          const std::vector<mat4> modelFromNode = modelFromNodes(read.hierarchy, pose);
          for (std::uint32_t v = 0; v < rig.positions.size(); ++v) {
            const vec3 target =
                shapes.targets[result.problem.placeByVertex[v] * shapes.count() + i];
            largest = std::max(
                largest, static_cast<double>(
                             glm::distance(test::byInfluences(rig, modelFromNode, v), target) /
                             result.problem.size));
          }
        }
        return largest;
      };
      std::vector<float> times; // those that judge drivers are among them
      for (int i = 0; i <= 32; ++i)
        times.push_back(static_cast<float>(i) / 64.0f);
      CHECK(errorIn(result.heldOutShapes) == doctest::Approx(drivers.error.largest).epsilon(1e-3));
      const double clip =
          errorIn(playedShapes(result.problem, baked.model, 0, baked.model.clips[0], times));
      CHECK(clip >= drivers.clips->largest - 1e-6);
      CHECK(clip <= baked.error.largest + 1.1 * tolerance);
    }
  }
}

TEST_CASE("bake: a helper that turns by a share of its joint is driven by that share") {
  for (int seed = 0; seed < test::rounds(6, 2); ++seed) {
    CAPTURE(seed);
    const Model model =
        test::randomModelWithClips(160u + static_cast<std::uint64_t>(seed), test::kSmall);
    const Workbench workbench = test::makeBakeWorkbench(model, "dqs");
    BakeOptions options = test::bakeOptionsFor(model);
    options.helpers = 1;
    BakeResult result = bake(workbench, options);
    REQUIRE(result.problem.helpers.size() == 1);
    BakedClips clips = bakedModel(result, {}, 30.0);
    Model& baked = clips.model;
    const auto node = static_cast<std::uint32_t>(baked.hierarchy.nodes.size() - 1);
    const Node& helped = baked.hierarchy.nodes[result.problem.helpers[0].node];
    baked.hierarchy.nodes[node].rest.rotation = helped.rest.rotation;
    baked.hierarchy.nodes[node].parent = helped.parent;
    for (const RotationPart part : {RotationPart::twist, RotationPart::whole}) {
      const DriverInput input{helped.name, part, vec3(0.0f, 0.0f, 1.0f)};
      const PoseDriver wanted{
          "share", true, {baked.hierarchy.nodes[node].name}, {}, ShareDriver{input, 0.375f}};
      const PreparedDrivers prepared(baked, {wanted});
      for (BakeShapes* shapes : {&result.fittedShapes, &result.heldOutShapes})
        for (std::size_t i = 0; i < shapes->count(); ++i) {
          Pose pose = shapes->poses[i];
          pose.parentFromNode.resize(node + 1);
          prepared.apply(baked, pose);
          shapes->helpers[i][0] = pose.parentFromNode[node];
          placeHelper(result.problem, *shapes, i, 0);
          for (std::size_t place = 0; place < result.problem.positions.size(); ++place)
            shapes->targets[place * shapes->count() + i] =
                blendedPlace(result.problem, *shapes, i, place);
        }
      result.heldOut = {};
      const HelperDrivers drivers = helperDrivers(result, clips, 0.001);
      const PoseDriver& found = drivers.helpers[0].driver;
      CHECK(found.on);
      CHECK(kindWord(found) == kindWord(wanted));
      REQUIRE(std::holds_alternative<ShareDriver>(found.kind));
      CHECK(std::get<ShareDriver>(found.kind).share == doctest::Approx(0.375).epsilon(1e-4));
      CHECK(drivers.error.largest < 1e-5);
      const std::vector<NodeConstraint> constraints = makeConstraints(baked, listDrivers(drivers));
      REQUIRE(constraints.size() == 1);
      CHECK(constraints[0].node == node);
      CHECK(constraints[0].source == result.problem.helpers[0].node);
      CHECK(constraints[0].roll == (part == RotationPart::twist));
      if (constraints[0].roll) CHECK(constraints[0].rollAxis == 2);
    }
  }
}

} // namespace sinew
