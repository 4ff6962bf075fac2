#include "compare/bake_report.h"

#include "bake/bake_run.h"
#include "bake/baked_model.h"
#include "compare/compare_report.h"
#include "core/text.h"
#include "skinning/methods.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace sinew {
namespace {

constexpr std::size_t kReportPoses = 24; // compared poses of those held out

// Every n-th of the poses held out, and those in which an error is largest.
std::vector<std::size_t> chosenPoses(const BakeRun& run, const BakeShapes& shapes) {
  const std::size_t step = (shapes.count() + kReportPoses - 1) / kReportPoses;
  std::vector<std::size_t> out;
  for (std::size_t pose = 0; pose < shapes.count(); ++pose)
    if (pose % step == 0 || shapes.names[pose] == run.linear.pose ||
        shapes.names[pose] == run.heldOut.pose)
      out.push_back(pose);
  return out;
}

std::vector<Moment> makeMoments(const Model& model, const BakeShapes& shapes,
                                const std::vector<Pose>& poses,
                                std::span<const std::size_t> chosen) {
  std::vector<Moment> out;
  for (const std::size_t pose : chosen)
    out.push_back({shapes.names[pose], 0.0, modelFromNodes(model.hierarchy, poses[pose]),
                   getMorphWeights(model, poses[pose]), poses[pose].twists,
                   poses[pose].parentFromNode});
  return out;
}

Table errorTable(const BakeRun& run) {
  const Model& model = run.outcome->workbench.model;
  Table table{
      "Distance from the target, of the model's size",
      {{"", ""}, {"mean", "%", 4}, {"99.9 %", "%", 4}, {"largest", "%", 4}, {"at", ""}, {"in", ""}},
      {}};
  const auto add = [&](const char* name, const BakeError& error) {
    table.rows.push_back({name, 100.0 * error.mean, 100.0 * error.p999, 100.0 * error.largest,
                          model.hierarchy.nodes[error.node].name, error.pose});
  };
  add("linear, poses held out", run.linear);
  add("baked, poses held out", run.heldOut);
  for (const BakedClipErrors& clip : run.clipErrors) {
    add(fmt::format("clip {}, at keys", clip.name).c_str(), clip.atKeys);
    add(fmt::format("clip {}, half way between keys", clip.name).c_str(), clip.between);
  }
  if (run.helperDrivers) add("driven, poses held out", run.helperDrivers->error);
  if (run.helperDrivers && run.helperDrivers->clips)
    add("driven, clips", *run.helperDrivers->clips);
  return table;
}

} // namespace

Table bakeCurveTable(const BakeRun& run) {
  Table table{"Error on held-out poses",
              {{"helpers", "", 0},
               {"shapes", "", 0},
               {"joint", ""},
               {"mean", "%", 4},
               {"p999", "%", 4},
               {"largest", "%", 4}},
              {}};
  for (const BakeStep& step : run.curve)
    table.rows.push_back({static_cast<double>(step.helpers), static_cast<double>(step.morphs),
                          step.joint, 100.0 * step.error.mean, 100.0 * step.error.p999,
                          100.0 * step.error.largest});
  return table;
}

Plot bakeCurvePlot(const BakeRun& run) {
  Plot plot{"Error on held-out poses",
            run.morphs > 0 ? "helper joints, then corrective shapes" : "helper joints",
            "% of the model's size",
            {{"largest", {}, true}, {"99.9 %", {}, true}, {"mean", {}, true}}};
  plot.logY = true;
  for (const BakeStep& step : run.curve) {
    const double x = step.helpers + step.morphs;
    plot.series[0].points.emplace_back(x, 100.0 * step.error.largest);
    plot.series[1].points.emplace_back(x, 100.0 * step.error.p999);
    plot.series[2].points.emplace_back(x, 100.0 * step.error.mean);
  }
  return plot;
}

std::string bakeReport(const BakeRun& run, const Settings& settings) {
  const BakeOutcome& outcome = *run.outcome;
  const BakeShapes& shapes = outcome.result.heldOutShapes;
  const std::vector<std::size_t> chosen = chosenPoses(run, shapes);
  const MethodChoice linear{&findMethod("lbs")};
  const MethodChoice& target = settings.methods.front();

  ComparisonOptions options;
  options.methods = {linear};
  if (!(target == linear)) options.methods.push_back(target);
  options.reference = options.methods.size() - 1;
  options.given = {fmt::format("{} of {} poses held out", chosen.size(), shapes.count()),
                   makeMoments(outcome.workbench.model, shapes, shapes.poses, chosen)};
  const auto skin = std::make_shared<const BakedSkin>(bakedSkin(run.outcome));
  const Method shown = bakedMethod(skin);
  ComparedMethod baked{"baked",
                       fmt::format("Baked: {}, {}", counted(run.helpers, "helper"),
                                   counted(run.morphs, "corrective shape")),
                       {&shown}, // that a page shows; measured is what the file holds:
                       linear.method,
                       {}};
  baked.options.influences = kBakeInfluences;
  baked.rig = std::shared_ptr<const Rig>(skin, &skin->rig);
  baked.moments = makeMoments(outcome.model, shapes,
                              bakedPoses(shapes, outcome.workbench.model, outcome.model), chosen);
  options.others.push_back(std::move(baked));
  const Comparison comparison = compareMethods(outcome.workbench, settings, options);

  ReportOptions report;
  report.plots = false;
  report.title = fmt::format("{} baked into linear blending", makeTitle(target));
  report.lead = "<h2>Error</h2>\n" + tableHtml(errorTable(run)) + "<div class=\"plots\">\n" +
                plotSvg(bakeCurvePlot(run), 640, 380) + "\n</div>\n";
  return htmlReport(comparison, outcome.workbench, settings, report);
}

} // namespace sinew
