// A comparison as one HTML page that stands alone: pictures and plots are in it, and the worst
// moments as a page that can be turned. Without that there is no script in it.
#pragma once

#include "compare/comparison.h"

#include <string>

namespace sinew {

struct ReportOptions {
  bool pictures = true; // show the worst moments; without graphics the page says so instead
  bool live = true;     // the same moments to turn, with the pictures
  bool plots = true;    // metrics over the moments
  std::string title = "skinning methods compared";
  std::string lead = {}; // HTML before all else
};

std::string htmlReport(const Comparison& comparison, const Workbench& workbench,
                       const Settings& settings, const ReportOptions& options);

} // namespace sinew
