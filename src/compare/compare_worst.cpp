#include "compare/compare_worst.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

double badness(const Measure& figure, double value) {
  const bool ratio = figure.unit == "x bind";
  if (figure.worse == Measure::Worse::lower) return -(ratio ? std::min(value, 1.0) : value);
  return ratio ? std::max(value, 1.0) : value;
}

Worst worse(const Measure& figure, const Worst& a, const Worst& b) {
  if (std::isnan(b.value)) return a;
  if (std::isnan(a.value)) return b;
  const bool isWorse =
      figure.worse == Measure::Worse::lower ? b.value < a.value : b.value > a.value;
  return isWorse ? b : a;
}

Worst worstOf(const Comparison& comparison, const Measure& figure, std::size_t method,
              std::size_t region) {
  Worst worst{.region = region, .method = method};
  for (std::size_t i = 0; i < comparison.moments.size(); ++i)
    worst = worse(figure, worst,
                  {comparison.figures[method][i][region].*figure.value, i, region, method});
  return worst;
}

Worst worstOf(const Comparison& comparison, const Measure& figure, std::size_t method) {
  const std::size_t regions = comparison.analysis.regions.size();
  if (figure.ofWhole || regions == 1) return worstOf(comparison, figure, method, 0);
  Worst worst{.region = 1, .method = method};
  for (std::size_t region = 1; region < regions; ++region)
    worst = worse(figure, worst, worstOf(comparison, figure, method, region));
  // Only the whole has the skin that no joint bends.
  return comparison.jointsNamed ? worst
                                : worse(figure, worst, worstOf(comparison, figure, method, 0));
}

std::string momentName(const Comparison& comparison, std::size_t moment) {
  const Moment& of = comparison.moments[moment];
  if (comparison.along == Comparison::Along::pose) return "the pose";
  if (comparison.along == Comparison::Along::sweep) return fmt::format("{:g} degrees", of.at);
  return fmt::format("{} {:.2f} s", of.clip, of.at);
}

namespace {

// What a limit looks at: joints that were named alone, even for a figure of the whole mesh.
Worst worstMeasured(const Comparison& comparison, const Measure& figure, std::size_t method) {
  if (!comparison.jointsNamed) return worstOf(comparison, figure, method);
  Worst worst{.region = 1, .method = method};
  for (std::size_t region = 1; region < comparison.analysis.regions.size(); ++region)
    worst = worse(figure, worst, worstOf(comparison, figure, method, region));
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
      const Measure& figure = *limit.figure;
      const Worst worst = worstMeasured(comparison, figure, k);
      if (worse(figure, {.value = limit.value}, worst).value == limit.value) continue;
      lines.push_back(fmt::format("{}: {} is {:.{}f} at {}, {}; {}", comparison.methods[k].name,
                                  figure.title, worst.value, figure.decimals,
                                  comparison.analysis.regions[worst.region].name,
                                  momentName(comparison, worst.moment), limit.option));
    }
  }
  return lines;
}

} // namespace sinew
