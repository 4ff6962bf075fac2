// Figure 10: the fencer's armed arm, moved by inverse kinematics. The hand follows its target
// through the arm's whole range, with the shoulder twisted like a fencer's, by both methods.
#include "animation/ik/ik.h"
#include "animation/pose_edit.h"
#include "demo/models.h"
#include "demo/rigging.h"
#include "rig/subdivide.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::string_view kShoulder = "RightUpperArm";
const vec3 kUpperArm(-1.0f, 0.0f, 0.0f); // its direction in its own axes: right arm in T-pose
const glm::u8vec4 kTargetColor(214, 58, 42, 255);

struct Arm {
  TwoBoneChain chain;
  JointLimits limits;
  vec3 shoulder{0.0f}; // model space, on guard
  float reach = 0.0f;
  Pose guard; // the rest of the body
};

Arm findArm(const Model& model) {
  Arm arm;
  arm.chain = {jointNamed(model, kShoulder), jointNamed(model, "RightLowerArm"),
               jointNamed(model, "RightHand")};
  arm.limits.resize(model.hierarchy.nodes.size());
  // The elbow of the T-pose bends forwards, about the vertical.
  arm.limits[arm.chain.middle] = HingeLimit{{0, 1, 0}, 0.0f, glm::radians(150.0f)};
  arm.guard = clipPose(model, "idle", 0.0f);
  const auto nodes = modelFromNodes(model.hierarchy, arm.guard);
  const auto at = [&](std::uint32_t node) { return vec3(nodes[node][3]); };
  arm.shoulder = at(arm.chain.root);
  arm.reach = glm::length(at(arm.chain.middle) - arm.shoulder) +
              glm::length(at(arm.chain.tip) - at(arm.chain.middle));
  return arm;
}

struct Reached {
  Pose pose;
  float error = 0.0f; // distance to the target, relative to the arm's length
  float twist = 0.0f; // rotation of the upper arm about its axis, degrees
};

// The elbow hangs below the line from the shoulder to the hand, which twists a fencer's shoulder.
Reached reachFor(const Model& model, const Arm& arm, const vec3& target) {
  Reached out{arm.guard};
  const vec3 pole = arm.shoulder + vec3(-0.15f, -1.0f, 0.0f);
  const IkResult result =
      solveTwoBone(model.hierarchy, arm.limits, arm.chain, {target, {}}, pole, 1.0f, out.pose);
  out.error = result.error / arm.reach;
  const quat fromRest = rotationFromRest(model.hierarchy, out.pose, arm.chain.root);
  out.twist = glm::degrees(bendAndTwist(fromRest, kUpperArm).angle);
  return out;
}

struct Place {
  const char* name;
  vec3 direction;
  float share; // distance from the shoulder, share of the reach
};

const Place kPlaces[] = {
    {"guard", {-0.25f, -0.15f, 1.0f}, 0.62f}, {"lunge", {-0.1f, 0.0f, 1.0f}, 0.985f},
    {"high", {-0.2f, 0.9f, 0.7f}, 0.9f},      {"low", {-0.25f, -0.8f, 0.7f}, 0.9f},
    {"across", {0.85f, 0.0f, 0.6f}, 0.75f},   {"outside", {-1.0f, 0.05f, 0.45f}, 0.92f},
};

vec3 targetAt(const Arm& arm, const Place& place) {
  return arm.shoulder + place.share * arm.reach * glm::normalize(place.direction);
}

// Directions over the half space in front of the body, at distances from the minimum that the
// elbow's limit allows to almost the arm's length.
struct Range {
  int tried = 0, reached = 0;
  float largestError = 0.0f;
};

Range wholeRange(const Model& model, const Arm& arm) {
  Range range;
  for (int up = -80; up <= 80; up += 10)
    for (int side = -80; side <= 80; side += 10)
      for (float share = 0.32f; share < 1.0f; share += 0.04f) {
        const float a = glm::radians(static_cast<float>(up));
        const float b = glm::radians(static_cast<float>(side));
        const vec3 direction(std::cos(a) * std::sin(b), std::sin(a), std::cos(a) * std::cos(b));
        const Reached reached = reachFor(model, arm, arm.shoulder + share * arm.reach * direction);
        ++range.tried;
        if (reached.error < 1e-3f) ++range.reached;
        range.largestError = std::max(range.largestError, reached.error);
      }
  return range;
}

Image draw(const Model& model, const Choice& choice, const Pose& pose, const vec3& target) {
  Shot shot{.width = 320, .height = 320, .yaw = 38.0f, .pitch = 10.0f};
  shot.frame = around(vec3(-0.18f, 1.25f, 0.10f), 0.36f);
  Overlay mark;
  mark.onTop = true;
  constexpr float kHalf = 0.025f, kThick = 0.006f;
  for (const vec3& axis : {vec3(kHalf, 0, 0), vec3(0, kHalf, 0), vec3(0, 0, kHalf)})
    addRod(mark, target - axis, target + axis, kThick, kTargetColor);
  shot.overlays.push_back(std::move(mark));
  return shoot(poseBy(model, choice, pose), shot);
}

FigureResult runFencing(const FigureOptions& /*options*/) {
  const Model humanoid = makeHumanoid();
  const std::vector<std::uint32_t> shoulder = {rigJoint(buildRig(humanoid), humanoid, kShoulder)};
  const Model divided = subdivideJoints(humanoid, shoulder, Subdivision::midpoints);
  const Arm arm = findArm(humanoid);
  FigureResult result;
  Table table{"the hand at its targets",
              {{"target", ""},
               {"error_of_arm_length", "", 6},
               {"shoulder_twist", "degrees", 1},
               {"lbs_thinnest_slice", ""},
               {"bones_blending_1to4_thinnest_slice", ""}},
              {}};
  std::vector<Tile> tiles;
  float lbsThinnest = 1.0f, blendedThinnest = 1.0f, largestTwist = 0.0f;
  for (const Place& place : kPlaces) {
    const vec3 target = targetAt(arm, place);
    const Reached reached = reachFor(humanoid, arm, target);
    const MethodMetrics lbs = measure(humanoid, kShoulder, {"lbs"}, reached.pose);
    const MethodMetrics blended = measure(divided, kShoulder, {"bones-blending"}, reached.pose);
    lbsThinnest = std::min(lbsThinnest, lbs.surfaceSection);
    blendedThinnest = std::min(blendedThinnest, blended.surfaceSection);
    largestTwist = std::max(largestTwist, std::abs(reached.twist));
    table.rows.push_back({place.name, double{reached.error}, double{reached.twist},
                          double{lbs.surfaceSection}, double{blended.surfaceSection}});
    tiles.push_back(
        {draw(divided, {"bones-blending"}, reached.pose, target),
         fmt::format("{}: shoulder twisted by {:.0f} deg", place.name, std::abs(reached.twist))});
  }
  const Range range = wholeRange(humanoid, arm);
  result.says = "the armed arm is controlled by inverse kinematics over a broad range of joint "
                "motions, with the shoulder twisted by 90 degrees";
  result.measured = fmt::format(
      "{} of {} targets before the body are reached to a thousandth of the arm's length (largest "
      "error {:.5f}); over the six pictures the shoulder is twisted by up to {:.0f} degrees and "
      "its "
      "thinnest slice keeps {:.2f} by vertex blending, {:.2f} by bones blending with 1:4",
      range.reached, range.tried, range.largestError, largestTwist, lbsThinnest, blendedThinnest);
  result.numbers = {{"targets", range.tried},
                    {"reached", range.reached},
                    {"largest_error", range.largestError},
                    {"largest_twist", largestTwist},
                    {"lbs_thinnest", lbsThinnest},
                    {"bones_blending_thinnest", blendedThinnest}};
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, 3)});
  return result;
}

} // namespace

Figure fencingFigure() {
  return {.name = "bb-fencing",
          .paper = kBonesBlendingPaper,
          .title = "Figure 10: the fencer's arm by inverse kinematics",
          .run = runFencing};
}

} // namespace sinew
