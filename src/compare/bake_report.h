// A report that compares a bake with linear blending and with its target.
#pragma once

#include "bake/bake_run.h"
#include "report/plot.h"
#include "report/table.h"

#include <string>

namespace sinew {

// One row for every helper and corrective shape that was added: the errors of the poses held out.
Table bakeCurveTable(const BakeRun& run);
Plot bakeCurvePlot(const BakeRun& run);

// A page that stands alone: the errors, their curve, and a comparison (compare_report.h) of linear
// blending, the target and the baked model in poses held out, with distances from the target.
// settings: the bake's, with its method first.
std::string bakeReport(const BakeRun& run, const Settings& settings);

} // namespace sinew
