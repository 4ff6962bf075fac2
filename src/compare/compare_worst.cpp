#include "compare/compare_worst.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

double badness(const Metric& metric, double value) {
  const bool ratio = metric.unit == "x bind";
  if (metric.worse == Metric::Worse::lower) return -(ratio ? std::min(value, 1.0) : value);
  return ratio ? std::max(value, 1.0) : value;
}

Worst worse(const Metric& metric, const Worst& a, const Worst& b) {
  if (std::isnan(b.value)) return a;
  if (std::isnan(a.value)) return b;
  const bool isWorse = metric.worse == Metric::Worse::lower ? b.value < a.value : b.value > a.value;
  return isWorse ? b : a;
}

Worst findWorst(const Comparison& comparison, const Metric& metric, std::size_t method,
                std::size_t region) {
  Worst worst{.region = region, .method = method};
  for (std::size_t i = 0; i < comparison.moments.size(); ++i)
    worst = worse(metric, worst,
                  {comparison.metrics[method][i][region].*metric.value, i, region, method});
  return worst;
}

Worst findWorst(const Comparison& comparison, const Metric& metric, std::size_t method) {
  const std::size_t regions = comparison.analysis.regions.size();
  if (metric.ofWhole || regions == 1) return findWorst(comparison, metric, method, 0);
  Worst worst{.region = 1, .method = method};
  for (std::size_t region = 1; region < regions; ++region)
    worst = worse(metric, worst, findWorst(comparison, metric, method, region));
  // Only the whole has the skin that no joint bends.
  return comparison.jointsNamed ? worst
                                : worse(metric, worst, findWorst(comparison, metric, method, 0));
}

std::string momentName(const Comparison& comparison, std::size_t moment) {
  const Moment& of = comparison.moments[moment];
  if (comparison.along == Comparison::Along::pose) return "the pose";
  if (comparison.along == Comparison::Along::given) return of.clip;
  if (comparison.along == Comparison::Along::sweep) return fmt::format("{:g} degrees", of.at);
  return fmt::format("{} {:.2f} s", of.clip, of.at);
}

namespace {

// What a limit looks at: joints that were named alone, even for a metric of the whole mesh.
Worst worstMeasured(const Comparison& comparison, const Metric& metric, std::size_t method) {
  if (!comparison.jointsNamed) return findWorst(comparison, metric, method);
  Worst worst{.region = 1, .method = method};
  for (std::size_t region = 1; region < comparison.analysis.regions.size(); ++region)
    worst = worse(metric, worst, findWorst(comparison, metric, method, region));
  return worst;
}

} // namespace

std::vector<std::string> failedLimits(const Comparison& comparison,
                                      const std::vector<Limit>& limits) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    if (!limits.empty() && comparison.broken[k] > 0)
      lines.push_back(fmt::format("{}: {} positions are not finite", comparison.methods[k].name,
                                  comparison.broken[k]));
    for (const Limit& limit : limits) {
      const Metric& metric = *limit.metric;
      const Worst worst = worstMeasured(comparison, metric, k);
      if (worse(metric, {.value = limit.value}, worst).value == limit.value) continue;
      lines.push_back(fmt::format("{}: {} is {:.{}f} at {}, {}; {}", comparison.methods[k].name,
                                  metric.title, worst.value, metric.decimals,
                                  comparison.analysis.regions[worst.region].name,
                                  momentName(comparison, worst.moment), limit.option));
    }
  }
  return lines;
}

} // namespace sinew
