// A comparison as tables, CSV and JSON. Keys are a contract (docs/cli.md).
#pragma once

#include "compare/compare_worst.h"
#include "report/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sinew {

// One row a method: every metric but those of the whole mesh alone, at its worst joint and moment.
Table jointSummary(const Comparison& comparison);

// One row a method: the metrics of the whole mesh.
Table wholeSummary(const Comparison& comparison);

// One row a method; without columns for what was not measured.
Table timeTable(const Comparison& comparison);

// One row a metric: the method, joint and moment where it is worst of all. Metrics that are nowhere
// off have none.
Table worstMoments(const Comparison& comparison);

// One row a joint, one column a method: the metric's worst over all moments. The worst joints
// first, at most `maxRows` of them; joints where it is nowhere off are left out.
Table metricByJoint(const Comparison& comparison, const Metric& metric, std::size_t maxRows);

// One row for every method, moment and region, each with every metric.
Table samplesTable(const Comparison& comparison);

// The text for a terminal. everyJoint: also the joints without faults.
std::string toString(const Comparison& comparison, bool everyJoint);

// The metric with that worstKey; it must be one.
const Metric& metricNamed(std::string_view worstKey);

// Includes the limits that a method fails, as failedLimits() words them.
nlohmann::ordered_json toJson(const Comparison& comparison, const std::vector<Limit>& limits);

} // namespace sinew
