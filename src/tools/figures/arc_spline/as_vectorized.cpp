// Section 6: a vertex's three splines evaluated in the lanes of vectors or sequentially: on the
// body-arm with its painted weights, where most vertices follow one or two splines, and with all
// three at every vertex.
#include "demo/models.h"
#include "tools/figures/figures.h"
#include "tools/figures/scene.h"
#include "tools/figures/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace sinew {
namespace {

const std::vector<TimedCase>& timedCases() {
  static const std::vector<TimedCase> kCases = {
      {"sequential", "arc-spline", "evaluation=sequential"},
      {"vectorized", "arc-spline", "evaluation=vectorized"},
      {"linear blending", "lbs"}};
  return kCases;
}

// All three splines with some weight at every vertex.
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

FigureResult runVectorized(const FigureOptions& options) {
  const Model model = makeBodyArmSplines();
  const TimingPlan plan = applyOptions({.vertices = 500000, .frames = 31}, options);
  Workbench painted = poseBy(model, {"arc-spline"}, restPose(model.hierarchy));
  const std::vector<BenchReport> reports = timeGrowth(painted, timedCases(), plan);
  Workbench full = poseBy(threeEverywhere(model), {"arc-spline"}, restPose(model.hierarchy));
  const BenchReport three = timeCases(full, timedCases(), plan);
  FigureResult result;
  addGrowth("body-arm by its painted splines, vertex stage alone", reports, result);
  result.tables.push_back({"three", timesTable("all three splines at every vertex", three)});
  const auto ratio = [](const BenchReport& report) { return report.results[1].ratioToStatic; };
  result.numbers["vectorized_over_sequential"] = {{"painted", ratio(reports.back())},
                                                  {"three_everywhere", ratio(three)}};
  result.says = "three splines evaluated in vector registers are about twice as fast as one after "
                "the other";
  result.measured = fmt::format(
      "vectorized evaluation takes {:.2f} times as long as sequential if every vertex has three "
      "splines, and {:.2f} times as painted, where sequential stops after one or two ({} vertices, "
      "{})",
      ratio(three), ratio(reports.back()), three.vertices, three.renderer);
  return result;
}

} // namespace

Figure vectorizedFigure() {
  return {.name = "as-vectorized",
          .paper = kArcSplinePaper,
          .title = "Section 6: three splines vectorized against sequential",
          .run = runVectorized};
}

} // namespace sinew
