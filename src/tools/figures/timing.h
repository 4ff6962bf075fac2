// Timings for the figures: cases that differ in one parameter, measured alternately in one run
// (bench/bench.h), for crowds of growing size.
#pragma once

#include "bench/bench.h"
#include "tools/figures/figures.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A method with parameters as on the command line. The first case of a list is the reference.
struct TimedCase {
  std::string name;
  std::string_view method;
  std::string parameters = {};
};

// Only the vertex stage unless `drawn`; up to options.vertices vertices (0: `vertices`).
struct TimingPlan {
  std::size_t vertices = 1000000;
  int frames = 15;
  int sizes = 4; // crowds: the largest, half of it, and so on
  bool drawn = false;
};
TimingPlan applyOptions(TimingPlan plan, const FigureOptions& options);

BenchReport timeCases(const Workbench& workbench, std::span<const TimedCase> cases,
                      const TimingPlan& plan);

// One report per crowd size, growing; sizes are measured alternately too.
std::vector<BenchReport> timeGrowth(const Workbench& workbench, std::span<const TimedCase> cases,
                                    const TimingPlan& plan);

// One row per case of the report: milliseconds (median, minimum), median ratio to the first case.
Table timesTable(std::string title, const BenchReport& report);

// Milliseconds per frame over the number of models, the minimum of each case: other processes on
// the machine only add time.
Table growthTable(std::string title, std::span<const BenchReport> reports);
Plot growthPlot(std::string title, std::span<const BenchReport> reports);

// Adds a description of the machine and the run to a result.
void describeRun(const BenchReport& report, FigureResult& result);

// The usual figure of this kind: tables, plot and numbers of the growth.
void addGrowth(std::string title, std::span<const BenchReport> reports, FigureResult& result);

} // namespace sinew
