#include "app/captions.h"

#include "app/method_list.h"
#include "app/picture.h"

#include <fmt/format.h>

namespace sinew {

std::string captionOf(const Workbench& bench, const Settings& settings, std::size_t view) {
  const std::string title = titleOf(methodChoices(settings.method)[view]);
  if (bench.differences.empty()) return title;
  const Difference& difference = bench.differences[view];
  if (difference.reference) return title + "\nreference of the differences";
  return fmt::format("{}\nlargest {}, mean {}", title, percentText(difference.largest),
                     percentText(difference.mean));
}

std::string differenceTitle(const Settings& settings) {
  return fmt::format("distance from {}", titleOf(methodChoices(settings.difference).front()));
}

std::string differenceEnd(const Workbench& bench, const Settings& settings) {
  return fmt::format("{:.4g} %", 100.0f * differenceScale(bench, settings));
}

} // namespace sinew
