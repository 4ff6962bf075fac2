// Figure 11: a posture that needs the shoulder twisted by 90 degrees, by vertex blending and by
// bones blending on a mesh divided 1:4 about it.
#include "demo/models.h"
#include "demo/rigging.h"
#include "rig/subdivide.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::string_view kJoint = "RightUpperArm";

Pose twistedOnly(const Model& model) {
  Pose pose = bindPose(model);
  pose.parentFromNode[jointNamed(model, kJoint)].rotation = rotationAbout(vec3(1, 0, 0), -90.0f);
  return pose;
}

// On guard: the right arm held out to the front, turned palm up; the left arm hangs.
Pose onGuard(const Model& model) {
  Pose pose = clipPose(model, "idle", 0.0f);
  const vec3 x(1, 0, 0), y(0, 1, 0);
  const auto set = [&](std::string_view joint, const quat& rotation) {
    pose.parentFromNode[jointNamed(model, joint)].rotation = rotation;
  };
  set("RightShoulder", rotationAbout(y, 10.0f));
  set(kJoint, rotationAbout(y, 30.0f) * rotationAbout(x, -90.0f));
  set("RightLowerArm", rotationAbout(y, 22.0f));
  set("RightHand", rotationAbout(y, -8.0f));
  set("Chest", rotationAbout(y, 12.0f));
  set("Head", rotationAbout(y, -14.0f));
  return pose;
}

// The whole posture from the front, and the shoulder from behind.
Image draw(const Model& model, const Choice& choice, const Pose& pose, bool close) {
  Shot shot{.width = 440, .height = 380, .yaw = -25.0f, .pitch = 8.0f};
  shot.frame = around(vec3(-0.25f, 1.28f, 0.10f), 0.27f);
  if (close) {
    shot.yaw = -150.0f;
    shot.pitch = 15.0f;
    shot.frame = around(vec3(-0.20f, 1.29f, 0.0f), 0.11f);
  }
  return shoot(poseBy(model, choice, pose), shot);
}

struct ShoulderEntry {
  std::string name;
  Choice choice;
  const Model* model;
  const char* caption;
};

FigureResult runShoulder(const FigureOptions& /*options*/) {
  const Model humanoid = makeHumanoid();
  const std::vector<std::uint32_t> shoulder = {rigJoint(buildRig(humanoid), humanoid, kJoint)};
  const Model divided = subdivideJoints(humanoid, shoulder, Subdivision::midpoints);
  const std::vector<ShoulderEntry> entries = {
      {"lbs", {"lbs"}, &humanoid, "a) vertex blending"},
      {"lbs_1to4", {"lbs"}, &divided, ""},
      {"bones-blending", {"bones-blending"}, &humanoid, ""},
      {"bones-blending_1to4", {"bones-blending"}, &divided, "b) bones blending, 1:4"},
  };
  FigureResult result;
  Table table{"the shoulder, against the bind pose",
              {{"method", ""},
               {"twisted_by_90_thinnest_slice", ""},
               {"twisted_by_90_volume", ""},
               {"on_guard_thinnest_slice", ""},
               {"on_guard_volume", ""}},
              {}};
  std::vector<Tile> far, near;
  for (const auto& [name, choice, model, caption] : entries) {
    const MethodMetrics twist = measure(*model, kJoint, choice, twistedOnly(*model));
    const MethodMetrics guard = measure(*model, kJoint, choice, onGuard(*model));
    table.rows.push_back({name, double{twist.surfaceSection}, double{twist.volume},
                          double{guard.surfaceSection}, double{guard.volume}});
    result.numbers[name] = {{"twist_section", twist.surfaceSection},
                            {"twist_volume", twist.volume},
                            {"on_guard_section", guard.surfaceSection},
                            {"on_guard_volume", guard.volume}};
    if (*caption == '\0') continue;
    far.push_back({draw(*model, choice, onGuard(*model), false), caption});
    near.push_back({draw(*model, choice, onGuard(*model), true), "its shoulder from behind"});
  }
  result.says = "a natural posture that twists the shoulder by 90 degrees shows the artifacts of "
                "vertex blending; bones blending with 1:4 does not";
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(table.rows[row][column]);
  };
  result.measured = fmt::format(
      "twisted by 90 degrees the shoulder's thinnest slice keeps {:.2f} of its radius by vertex "
      "blending (the formula's limit is cos 45 = 0.71) and {:.2f} by bones blending with 1:4; in "
      "the posture the shoulder's volume is {:.2f} against {:.2f}",
      number(0, 1), number(3, 1), number(0, 4), number(3, 4));
  far.insert(far.end(), near.begin(), near.end());
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(far, 2)});
  return result;
}

} // namespace

Figure shoulderFigure() {
  return {.name = "bb-shoulder",
          .paper = kBonesBlendingPaper,
          .title = "Figure 11: a posture with the shoulder twisted by 90 degrees",
          .run = runShoulder};
}

} // namespace sinew
