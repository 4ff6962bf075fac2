#include "tools/figures/timing.h"

#include "skinning/methods.h"

#include <algorithm>

namespace sinew {

TimingPlan applyOptions(TimingPlan plan, const FigureOptions& options) {
  if (options.vertices > 0) plan.vertices = options.vertices;
  if (options.frames > 0) plan.frames = options.frames;
  return plan;
}

namespace {

// One list of the cases per crowd size.
std::vector<BenchEntry> makeEntries(const Workbench& workbench, std::span<const TimedCase> cases,
                                    std::span<const std::size_t> sizes) {
  std::vector<BenchEntry> entries;
  for (const std::size_t vertices : sizes) {
    const std::size_t first = entries.size();
    for (const auto& [name, method, parameters] : cases) {
      BenchEntry entry{name, nullptr, {}, &workbench, vertices, first};
      entry.settings.parameters = parseParameters(parameters);
      entry.method = method == staticMethod().name ? &staticMethod() : &findMethod(method);
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

// Halves of the largest crowd, growing, without repeated numbers of models.
std::vector<std::size_t> listSizes(const TimingPlan& plan, std::size_t verticesEach) {
  std::vector<std::size_t> sizes;
  for (int halvings = plan.sizes - 1; halvings >= 0; --halvings) {
    const std::size_t asked = std::max<std::size_t>(plan.vertices >> halvings, 1);
    const std::size_t models = (asked + verticesEach - 1) / verticesEach;
    if (sizes.empty() || models * verticesEach > sizes.back())
      sizes.push_back(models * verticesEach);
  }
  return sizes;
}

} // namespace

BenchReport timeCases(const Workbench& workbench, std::span<const TimedCase> cases,
                      const TimingPlan& plan) {
  TimingPlan one = plan;
  one.sizes = 1;
  return timeGrowth(workbench, cases, one).front();
}

std::vector<BenchReport> timeGrowth(const Workbench& workbench, std::span<const TimedCase> cases,
                                    const TimingPlan& plan) {
  const std::size_t each = workbench.rig.positions.size();
  const std::vector<std::size_t> sizes = listSizes(plan, each);
  BenchOptions options;
  options.frames = plan.frames;
  options.vertexOnly = !plan.drawn;
  const BenchReport all = runBench(makeEntries(workbench, cases, sizes), options);
  std::vector<BenchReport> reports;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    BenchReport report = all;
    const auto first = all.results.begin() + static_cast<std::ptrdiff_t>(i * cases.size());
    report.results.assign(first, first + static_cast<std::ptrdiff_t>(cases.size()));
    report.vertices = report.results.front().vertices;
    report.instances = report.vertices / each;
    reports.push_back(std::move(report));
  }
  return reports;
}

Table timesTable(std::string title, const BenchReport& report) {
  Table table{std::move(title),
              {{"case", ""},
               {"median", "ms", 2},
               {"minimum", "ms", 2},
               {"ratio_to_first", "", 2},
               {"million_vertices_per_second", "", 1}},
              {}};
  for (const BenchResult& r : report.results)
    table.rows.push_back(
        {r.method, r.frame.median, r.frame.minimum, r.ratioToStatic, r.verticesPerSecond / 1e6});
  return table;
}

Table growthTable(std::string title, std::span<const BenchReport> reports) {
  Table table{std::move(title), {{"models", "", 0}, {"vertices", "", 0}}, {}};
  for (const BenchResult& r : reports.front().results)
    table.columns.push_back({r.method, "ms", 2});
  for (const BenchReport& report : reports) {
    table.rows.push_back(
        {static_cast<double>(report.instances), static_cast<double>(report.vertices)});
    for (const BenchResult& r : report.results)
      table.rows.back().emplace_back(r.frame.minimum);
  }
  return table;
}

Plot growthPlot(std::string title, std::span<const BenchReport> reports) {
  Plot plot{.title = std::move(title),
            .xLabel = "number of models",
            .yLabel = "ms per frame, minimum",
            .series = {}};
  for (std::size_t i = 0; i < reports.front().results.size(); ++i) {
    Series series{reports.front().results[i].method, {}, true};
    for (const BenchReport& report : reports)
      series.points.emplace_back(static_cast<double>(report.instances),
                                 report.results[i].frame.minimum);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void describeRun(const BenchReport& report, FigureResult& result) {
  result.numbers["run"] = {{"renderer", report.renderer},     {"cpu", report.cpu},
                           {"model", report.model},           {"vertices", report.vertices},
                           {"instances", report.instances},   {"frames", report.frames},
                           {"vertex_only", report.vertexOnly}};
}

void addGrowth(std::string title, std::span<const BenchReport> reports, FigureResult& result) {
  const BenchReport& largest = reports.back();
  describeRun(largest, result);
  for (const BenchResult& r : largest.results)
    result.numbers[r.method] = {{"ms_median", r.frame.median},
                                {"ms_min", r.frame.minimum},
                                {"ratio_to_first", r.ratioToStatic}};
  result.tables.push_back({"", timesTable(title, largest)});
  result.tables.push_back({"growth", growthTable(title + ", growing crowd", reports)});
  result.images.push_back({"", drawPlot(growthPlot(std::move(title), reports), 900, 560)});
}

} // namespace sinew
