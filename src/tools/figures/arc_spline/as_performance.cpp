// Figure 7: milliseconds a frame over the number of body-arms, up to a million vertices.
#include "demo/models.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>

namespace sinew {
namespace {

FigureResult runPerformance(const FigureOptions& options) {
  const Model model = makeBodyArmSplines();
  Workbench workbench = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<TimedCase> cases = {{"unskinned", "static"},
                                        {"linear blending", "lbs"},
                                        {"one arc-spline", "arc-spline", "attachments=1"},
                                        {"up to three arc-splines", "arc-spline"}};
  const TimingPlan plan = applyOptions({.vertices = 1000000, .frames = 15, .sizes = 6}, options);
  const std::vector<BenchReport> reports = timeGrowth(workbench, cases, plan);
  FigureResult result;
  addGrowth("body-arm, vertex stage alone", reports, result);
  TimingPlan drawn = plan;
  drawn.drawn = true;
  const BenchReport whole = timeCases(workbench, cases, drawn);
  result.tables.push_back({"drawn", timesTable("body-arm, drawn at 640x480", whole)});

  const BenchReport& largest = reports.back();
  const BenchResult& splines = largest.results[3];
  const double linearity =
      splines.frame.minimum / static_cast<double>(largest.vertices) /
      (reports.front().results[3].frame.minimum / static_cast<double>(reports.front().vertices));
  result.numbers["drawn_ms_min"] = whole.results[3].frame.minimum;
  result.says = "a million vertices of the body-arm (12,864 each) in 23 ms, 43 frames a second, on "
                "a GeForce 7800 GTX; the time grows with the number of models";
  result.measured = fmt::format(
      "{} models, {} vertices: {:.1f} ms a frame with up to three splines a vertex ({:.2f} of "
      "linear blending's {:.1f} ms), {:.1f} ms drawn at 640x480, on {}; per vertex {:.2f} times "
      "what {} models take",
      largest.instances, largest.vertices, splines.frame.minimum,
      splines.ratioToStatic / largest.results[1].ratioToStatic, largest.results[1].frame.minimum,
      whole.results[3].frame.minimum, largest.renderer, linearity, reports.front().instances);
  return result;
}

} // namespace

Figure performanceFigure() {
  return {.name = "as-performance",
          .paper = kArcSplinePaper,
          .title = "Figure 7: milliseconds a frame over the number of models",
          .run = runPerformance};
}

} // namespace sinew
