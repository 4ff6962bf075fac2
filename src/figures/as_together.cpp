// Section 6: a vertex's three splines evaluated together, in the lanes of vectors, against one
// after the other: on the body-arm as it is painted, where most vertices follow one or two, and
// with all three at every vertex.
#include "demo/body_arm.h"
#include "figures/figures.h"
#include "figures/scene.h"
#include "figures/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace sinew {
namespace {

const std::vector<TimedCase>& cases() {
  static const std::vector<TimedCase> kCases = {{"in turn", "arc-spline", "evaluation=in-turn"},
                                                {"together", "arc-spline", "evaluation=together"},
                                                {"linear blending", "lbs"}};
  return kCases;
}

// A little of every spline at every vertex.
Model threeEverywhere(Model model) {
  Mesh& mesh = model.meshes.front();
  Influences all;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    std::array<Influence, 3> three = {Influence{0, 0.01f}, {1, 0.01f}, {2, 0.01f}};
    for (const auto& [spline, weight] : mesh.splineInfluences.of(v))
      three[spline].weight += 0.97f * weight;
    std::ranges::sort(three, std::greater(), &Influence::weight);
    all.append(three);
  }
  mesh.splineInfluences = std::move(all);
  return model;
}

FigureResult run(const FigureOptions& options) {
  const Model model = makeBodyArmSplines();
  const TimingPlan plan = planOf({.vertices = 500000, .frames = 31}, options);
  Workbench painted = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<BenchReport> reports = timeGrowth(painted, cases(), plan);
  Workbench full = poseBy(threeEverywhere(model), {"arc-spline"}, restPose(model.hierarchy));
  const BenchReport three = timeCases(full, cases(), plan);
  FigureResult result;
  addGrowth("body-arm by its painted splines, vertex stage alone", reports, result);
  result.tables.push_back({"three", timesTable("all three splines at every vertex", three)});
  const auto ratio = [](const BenchReport& report) { return report.results[1].ratioToStatic; };
  result.numbers["together_over_in_turn"] = {{"painted", ratio(reports.back())},
                                             {"three_everywhere", ratio(three)}};
  result.says = "three splines evaluated in vector registers are about twice as fast as one after "
                "the other";
  result.measured = fmt::format(
      "together takes {:.2f} times as long as in turn where every vertex has three splines, and "
      "{:.2f} times as painted, where in turn stops after one or two ({} vertices, {})",
      ratio(three), ratio(reports.back()), three.vertices, three.renderer);
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
