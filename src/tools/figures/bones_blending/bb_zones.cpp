// Figures 5a and 6: the vertices attached to the elbow and their parameter t, for zones of several
// lengths, and the bent elbow for each.
#include "rig/bone_axes.h"
#include "tools/figures/bones_blending/zone_binding.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

constexpr float kElbowBend = 90.0f;

// t of the elbow: 0 where only the parent's rotation is applied.
std::vector<float> parameters(const ZoneBound& arm) {
  const Rig rig = buildRig(arm.model);
  const std::uint32_t elbow = rigJoint(rig, arm.model, "LowerArm");
  const BoneAxis axis = boneAxes(rig)[elbow];
  std::vector<float> out;
  for (const vec3& p : rig.positions)
    out.push_back(zoneParameter(axis, arm.zones[elbow], p));
  return out;
}

// The largest distance of the method's vertices from those of basic skeletal animation.
float farthest(std::span<const vec3> a, std::span<const vec3> b) {
  float largest = 0.0f;
  for (std::size_t v = 0; v < a.size(); ++v)
    largest = std::max(largest, glm::distance(a[v], b[v]));
  return largest;
}

FigureResult runZones(const FigureOptions& /*options*/) {
  FigureResult result;
  Table table{fmt::format("zones of the elbow, bent by {} degrees", kElbowBend),
              {{"t_min_and_t_max", "m", 2},
               {"curvature", "degrees", 1},
               {"from_basic_animation", "mm", 1},
               {"crossings", "", 0}},
              {}};
  std::vector<Tile> tiles;
  for (const float half : {0.02f, 0.05f, 0.10f, 0.15f}) {
    const ZoneBound arm = paperArm(half);
    const Choice choice = arm.choice("bones-blending");
    const Pose pose = elbowPose(arm.model, kElbowBend, 0.0f);
    const MethodMetrics figures = measure(arm.model, "LowerArm", choice, pose);
    const float off = farthest(posedPositions(poseBy(arm.model, choice, pose)),
                               posedPositions(poseBy(arm.model, {"rigid"}, pose)));
    const double degrees = glm::degrees(double{figures.curvature});
    table.rows.push_back(
        {double{half}, degrees, 1000.0 * off, static_cast<double>(figures.selfIntersections)});
    result.numbers[fmt::format("{:.2f}", half)] = {{"curvature_degrees", degrees},
                                                   {"from_basic_animation_mm", 1000.0 * off}};
    Shot shot{.width = 400,
              .height = 220,
              .pitch = 8.0f,
              .frame = around(vec3(0.30f, 0, 0), 0.11f),
              .wireframe = true,
              .field = parameters(arm)};
    tiles.push_back({shoot(poseBy(arm.model, choice, restPose(arm.model.hierarchy)), shot),
                     fmt::format("t from -{0:.2f} to {0:.2f} m", half)});
    shot.frame = around(vec3(0.29f, 0.06f, 0), 0.13f);
    tiles.push_back({shoot(poseBy(arm.model, choice, pose), shot), "bent by 90 degrees"});
  }
  result.says = "a large t_max - t_min makes a broad bend; too small a one is like basic skeletal "
                "animation";
  result.measured =
      fmt::format("the largest angle between neighbouring triangles falls from {:.0f} degrees with "
                  "a zone of 0.02 m to either side to {:.0f} with 0.15 m",
                  std::get<double>(table.rows.front()[1]), std::get<double>(table.rows.back()[1]));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(tiles, 2)});
  return result;
}

} // namespace

Figure zonesFigure() {
  return {.name = "bb-zones",
          .paper = kBonesBlendingPaper,
          .title = "Figures 5a and 6: attachment, t_min and t_max",
          .run = runZones};
}

} // namespace sinew
