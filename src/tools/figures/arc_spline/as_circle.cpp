// Figure 2: four splines, each turning by a right angle, as a circle: arc-splines make one,
// quadratic Bezier curves do not.
#include "skinning/spline.h"
#include "tools/figures/figures.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr int kCircleSteps = 64; // steps along one spline

// Control points of one quarter: on the circle, at the square's corner, on the circle.
std::array<vec2, 3> quarter(int number) {
  constexpr std::array<vec2, 4> kOn = {vec2(1, 0), vec2(0, 1), vec2(-1, 0), vec2(0, -1)};
  const vec2 from = kOn[static_cast<std::size_t>(number % 4)];
  const vec2 to = kOn[static_cast<std::size_t>((number + 1) % 4)];
  return {from, from + to, to};
}

Series plotCircle(const Curve& curve, std::string name) {
  Series series{std::move(name), {}, false};
  for (int q = 0; q < 4; ++q) {
    const auto [p1, p2, p3] = quarter(q);
    for (int i = q == 0 ? 0 : 1; i <= kCircleSteps; ++i) {
      const CurvePoint at = curve.at(curve.end * static_cast<float>(i) / kCircleSteps);
      series.points.emplace_back(p1 + at.along12 * (p2 - p1) + at.along23 * (p3 - p2));
    }
  }
  return series;
}

double radiusError(const Series& series) {
  double largest = 0.0;
  for (const dvec2& p : series.points)
    largest = std::max(largest, std::abs(glm::length(p) - 1.0));
  return largest;
}

FigureResult runCircle(const FigureOptions& /*options*/) {
  const std::array all = {plotCircle(arcCurve(), "four arc-splines"),
                          plotCircle(bezierCurve(), "four Bezier curves")};
  Table table{"points of a circle of radius 1", {{"curve", ""}, {"x", "", 6}, {"y", "", 6}}, {}};
  for (const Series& series : all)
    for (const dvec2& p : series.points)
      table.rows.push_back({series.name, p.x, p.y});
  Table errors{
      "four splines as a circle of radius 1", {{"curve", ""}, {"largest_radius_error", "", 8}}, {}};
  for (const Series& series : all)
    errors.rows.push_back({series.name, radiusError(series)});

  FigureResult result;
  result.numbers = {{"arc_radius_error", radiusError(all[0])},
                    {"bezier_radius_error", radiusError(all[1])}};
  result.says = "the arc-spline provides a natural circle; the Bezier spline's is not completely "
                "round";
  result.measured =
      fmt::format("largest error of the radius: {:.1e} by arc-splines, which is rounding, {:.2f} % "
                  "by Bezier curves",
                  radiusError(all[0]), 100.0 * radiusError(all[1]));
  Plot plot{.title = "Four splines as a circle", .xLabel = "x", .yLabel = "y", .series = {}};
  plot.series = {all[0], all[1]};
  plot.equalAxes = true;
  Series controls{"control points", {}, true};
  for (int q = 0; q < 4; ++q)
    for (const vec2& p : {quarter(q)[0], quarter(q)[1]})
      controls.points.emplace_back(p);
  controls.points.push_back(controls.points.front());
  plot.series.push_back(std::move(controls));
  result.tables.push_back({"", std::move(errors)});
  result.tables.push_back({"points", std::move(table)});
  result.images.push_back({"", drawPlot(plot, 760, 700)});
  return result;
}

} // namespace

Figure circleFigure() {
  return {.name = "as-circle",
          .paper = kArcSplinePaper,
          .title = "Figure 2: a circle of four arc-splines, and of four Bezier curves",
          .run = runCircle};
}

} // namespace sinew
