// Figure 6: the body-arm in its bind pose, bent, and bent with two twists, by its three splines;
// and by linear blending for comparison.
#include "demo/body_arm.h"
#include "figures/figures.h"
#include "figures/splines_drawn.h"
#include "metrics/self_intersection.h"

#include <fmt/format.h>

#include <numeric>

namespace sinew {
namespace {

struct Scene {
  const char* key;
  const char* caption;
  Pose pose;
};

// Of the whole surface against the bind pose.
struct Shape {
  double volume = 1.0;
  std::size_t crossings = 0;
};

Shape shapeOf(const Workbench& bench, const Region& whole, std::span<const std::uint32_t> places) {
  const std::vector<vec3> posed = posedPositions(bench);
  std::vector<std::uint32_t> all(bench.rig.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  return {volumeOf(whole, posed) / volumeOf(whole, bench.rig.positions),
          selfIntersections(posed, bench.rig.triangles, all, places).size()};
}

FigureResult run(const FigureOptions& /*options*/) {
  const Model model = makeBodyArmSplines();
  const Rig rig = buildRig(model);
  const std::vector<std::uint32_t> places = placesOf(rig);
  const Region whole = connectedParts(rig.triangles, places).front();
  const std::vector<Scene> scenes = {
      {"bind", "bind pose", restPose(model.hierarchy)},
      {"bend", "bend", clipPose(model, "bend", 2.0f)},
      {"bend_and_twists", "bend and two twists", clipPose(model, "bend-and-twists", 2.0f)}};
  FigureResult result;
  Table table{"the poses of figure 6",
              {{"pose", ""}, {"method", ""}, {"volume", ""}, {"crossing_triangles", "", 0}},
              {}};
  std::vector<Tile> tiles;
  for (const char* method : {"arc-spline", "lbs"})
    for (const auto& [key, caption, pose] : scenes) {
      const Workbench bench = poseBy(model, {method}, pose);
      const Shape shape = shapeOf(bench, whole, places);
      table.rows.push_back({key, method, shape.volume, static_cast<double>(shape.crossings)});
      result.numbers[method][key] = {{"volume", shape.volume}, {"crossings", shape.crossings}};
      Shot shot{.width = 380, .height = 380, .yaw = 12.0f, .pitch = 10.0f};
      shot.frame = {vec3(-0.25f, -0.02f, -0.2f), vec3(1.10f, 1.05f, 0.2f)};
      tiles.push_back({shoot(bench, shot),
                       fmt::format("{}{}", caption, *method == 'l' ? ", linear blending" : "")});
    }
  result.numbers["vertices"] = rig.positions.size();
  const auto of = [&](const char* method, const char* key) -> const nlohmann::ordered_json& {
    return result.numbers[method][key];
  };
  result.says = "even the large deformation near the shoulder does not result in self-penetration; "
                "all three poses show correct, seamless transitions";
  result.measured =
      fmt::format("{} vertices; triangles that cross another: {} bent and {} bent with twists by "
                  "splines, {} and "
                  "{} by linear blending over the same nodes; volume kept: {:.2f} and {:.2f} by "
                  "splines, {:.2f} "
                  "and {:.2f} by linear blending",
                  rig.positions.size(), of("arc-spline", "bend")["crossings"].get<int>(),
                  of("arc-spline", "bend_and_twists")["crossings"].get<int>(),
                  of("lbs", "bend")["crossings"].get<int>(),
                  of("lbs", "bend_and_twists")["crossings"].get<int>(),
                  of("arc-spline", "bend")["volume"].get<double>(),
                  of("arc-spline", "bend_and_twists")["volume"].get<double>(),
                  of("lbs", "bend")["volume"].get<double>(),
                  of("lbs", "bend_and_twists")["volume"].get<double>());
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
          .run = run};
}

} // namespace sinew
