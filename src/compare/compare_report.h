// A comparison as one HTML page that stands alone: pictures and plots are in it, and no script.
#pragma once

#include "compare/comparison.h"

#include <string>

namespace sinew {

struct ReportOptions {
  bool pictures = true; // of the worst moments; where there is no graphics the page says so instead
};

std::string htmlReport(const Comparison& comparison, const Workbench& bench,
                       const Settings& settings, const ReportOptions& options);

} // namespace sinew
