// Section 6: a vertex's three splines evaluated together, in the lanes of vectors, against one
// after the other.
#include "demo/body_arm.h"
#include "figures/figures.h"
#include "figures/scene.h"
#include "figures/timing.h"

#include <fmt/format.h>

namespace sinew {
namespace {

FigureResult run(const FigureOptions& options) {
  const Model model = makeBodyArm();
  Workbench bench = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<TimedCase> cases = {{"in turn", "arc-spline", "evaluation=in-turn"},
                                        {"together", "arc-spline", "evaluation=together"},
                                        {"linear blending", "lbs"}};
  const std::vector<BenchReport> reports =
      timeGrowth(bench, cases, planOf({.vertices = 500000}, options));
  FigureResult result;
  addGrowth("body-arm by up to three splines a vertex, vertex stage alone", reports, result);
  const BenchReport& largest = reports.back();
  result.says = "three splines evaluated in vector registers are about twice as fast as one after "
                "the other";
  result.measured = fmt::format(
      "together takes {:.2f} times as long as in turn, which stops after the splines a vertex has "
      "({:.2f} ms together, {:.2f} ms in turn, {} vertices, {})",
      largest.results[1].ratioToStatic, largest.results[1].frame.minimum,
      largest.results[0].frame.minimum, largest.vertices, largest.renderer);
  return result;
}

} // namespace

Figure togetherFigure() {
  return {.name = "as-together",
          .paper = kArcSplinePaper,
          .title = "Section 6: three splines together against in turn",
          .run = run};
}

} // namespace sinew
