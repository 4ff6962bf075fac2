// Section 7: positions only, and positions with normals.
#include "demo/models.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>

namespace sinew {
namespace {

FigureResult runNormals(const FigureOptions& options) {
  const Model model = makeBodyArmSplines();
  Workbench workbench = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<TimedCase> cases = {{"positions", "arc-spline", "normals=none"},
                                        {"positions and normals", "arc-spline", "normals=cheap"},
                                        {"exact normals", "arc-spline", "normals=exact"}};
  const std::vector<BenchReport> reports =
      timeGrowth(workbench, cases, applyOptions({.vertices = 500000, .frames = 31}, options));
  FigureResult result;
  addGrowth("body-arm by three splines, vertex stage alone", reports, result);
  const BenchReport& largest = reports.back();
  const double slower = largest.results[1].ratioToStatic;
  result.numbers["speed_lost"] = 1.0 - 1.0 / slower;
  result.says = "where normals were transformed as well, the speed decreased by about 25 %";
  result.measured = fmt::format(
      "with normals a frame takes {:.2f} times as long, {:.0f} % off the speed; with exact normals "
      "{:.2f} times ({} vertices, {})",
      slower, 100.0 * (1.0 - 1.0 / slower), largest.results[2].ratioToStatic, largest.vertices,
      largest.renderer);
  return result;
}

} // namespace

Figure normalsFigure() {
  return {.name = "as-normals",
          .paper = kArcSplinePaper,
          .title = "Section 7: positions alone against positions and normals",
          .run = runNormals};
}

} // namespace sinew
