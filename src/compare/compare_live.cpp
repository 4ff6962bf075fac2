#include "compare/compare_live.h"

#include "compare/compare_worst.h"
#include "page/page.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

std::string liveView(const Comparison& comparison, const Workbench& workbench,
                     const Settings& settings, std::span<const WorstPicture> places) {
  if (places.empty()) return {};
  Settings shown = settings;
  shown.methods.clear();
  for (const ComparedMethod& compared : comparison.methods)
    shown.methods.push_back(compared.choice);
  const auto isReference = [&](const MethodChoice& choice) {
    return comparison.reference ? choice == comparison.methods[*comparison.reference].choice
                                : choice.method->name == "lbs";
  };
  std::stable_partition(shown.methods.begin(), shown.methods.end(), isReference);
  Workbench live = workbench;
  rebind(live, shown);

  PageClip clip{"the worst moments", 0.0, 0.0, {}};
  for (const WorstPicture& place : places) {
    const Moment& moment = comparison.moments[place.moment];
    clip.poses.push_back({moment.modelFromNode,
                          moment.twists,
                          moment.morphWeights,
                          fmt::format("{}, {}", comparison.analysis.regions[place.region].name,
                                      momentName(comparison, place.moment)),
                          place.camera,
                          {},
                          moment.parentFromNode});
  }
  PageSummary summary;
  const std::string page = pageHtml(live, shown, std::span(&clip, 1), {.embedded = true}, summary);
  return fmt::format("<p>The same moments to turn, by all methods ({} KB of this file):</p>\n"
                     "<iframe class=\"live\" title=\"The worst moments, to turn\" "
                     "srcdoc=\"{}\"></iframe>\n",
                     page.size() / 1000, htmlEscaped(page));
}

} // namespace sinew
