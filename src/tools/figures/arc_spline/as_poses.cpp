// Figure 6: the body-arm in its bind pose, bent, and bent with two twists, by its three splines;
// and by linear blending for comparison.
#include "demo/models.h"
#include "metrics/self_intersection.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

struct PosedScene {
  const char* key;
  const char* caption;
  Pose pose;
};

// The whole surface relative to the bind pose. Intersecting triangles are counted around the
// shoulder up to the start of the elbow's spline, and beyond.
struct PosedShape {
  double volume = 1.0;
  std::size_t atShoulder = 0;
  std::size_t atElbow = 0;
};

constexpr float kArmEnd = 0.43f; // x

PosedShape measureShape(const Workbench& workbench, const Region& whole,
                        std::span<const std::uint32_t> places) {
  const std::vector<vec3> posed = posedPositions(workbench);
  std::vector<std::uint32_t> all(workbench.rig.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  PosedShape shape;
  shape.volume = computeVolume(whole, posed) / computeVolume(whole, workbench.rig.positions);
  for (const auto& [one, other] : selfIntersections(posed, workbench.rig.triangles, all, places)) {
    const float x = std::max(workbench.rig.positions[workbench.rig.triangles[one][0]].x,
                             workbench.rig.positions[workbench.rig.triangles[other][0]].x);
    ++(x < kArmEnd ? shape.atShoulder : shape.atElbow);
  }
  return shape;
}

FigureResult runPoses(const FigureOptions& /*options*/) {
  const Model model = makeBodyArmSplines();
  const Rig rig = buildRig(model);
  const std::vector<std::uint32_t> places = weldVertices(rig);
  const Region whole = connectedParts(rig.triangles, places).front();
  const std::vector<PosedScene> scenes = {
      {"bind", "bind pose", restPose(model.hierarchy)},
      {"bend", "bend", clipPose(model, "bend", 2.0f)},
      {"bend_and_twists", "bend and two twists", clipPose(model, "bend-and-twists", 2.0f)}};
  FigureResult result;
  Table table{"the poses of figure 6",
              {{"pose", ""},
               {"method", ""},
               {"volume", ""},
               {"crossings_at_shoulder", "", 0},
               {"crossings_at_elbow", "", 0}},
              {}};
  std::vector<Tile> tiles;
  for (const char* method : {"arc-spline", "lbs"})
    for (const auto& [key, caption, pose] : scenes) {
      const Workbench workbench = poseBy(model, {method}, pose);
      const PosedShape shape = measureShape(workbench, whole, places);
      table.rows.push_back({key, method, shape.volume, static_cast<double>(shape.atShoulder),
                            static_cast<double>(shape.atElbow)});
      result.numbers[method][key] = {{"volume", shape.volume},
                                     {"crossings_at_shoulder", shape.atShoulder},
                                     {"crossings_at_elbow", shape.atElbow}};
      Shot shot{.width = 380, .height = 380, .yaw = -25.0f, .pitch = 14.0f};
      shot.frame = {vec3(-0.25f, -0.02f, -0.2f), vec3(1.10f, 1.05f, 0.2f)};
      tiles.push_back({shoot(workbench, shot),
                       fmt::format("{}{}", caption, *method == 'l' ? ", linear blending" : "")});
    }
  result.numbers["vertices"] = rig.positions.size();
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(table.rows[row][column]);
  };
  result.says = "even the large deformation near the shoulder does not result in self-penetration; "
                "all three poses show correct, seamless transitions";
  result.measured = fmt::format(
      "{} vertices; pairs of triangles that cross near the shoulder: {} bent and {} bent with "
      "twists "
      "by splines ({} and {} by linear blending over the same nodes), beyond it {} and {} ({} and "
      "{}); volume kept: {:.2f} and {:.2f} ({:.2f} and {:.2f})",
      rig.positions.size(), number(1, 3), number(2, 3), number(4, 3), number(5, 3), number(1, 4),
      number(2, 4), number(4, 4), number(5, 4), number(1, 2), number(2, 2), number(4, 2),
      number(5, 2));
  result.tables.push_back({"", std::move(table)});
  result.images.push_back({"", layOut(std::span(tiles).first(3), 3)});
  result.images.push_back({"methods", layOut(tiles, 3)});
  return result;
}

} // namespace

Figure posesFigure() {
  return {.name = "as-poses",
          .paper = kArcSplinePaper,
          .title = "Figure 6: the body-arm in three poses",
          .run = runPoses};
}

} // namespace sinew
