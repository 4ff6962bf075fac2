#include "import/unused_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

void UnusedCounts::add(std::string_view one, std::string_view many, std::size_t count) {
  if (count == 0) return;
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Counted& each) { return each.one == one; });
  if (found == all_.end())
    all_.push_back({std::string(one), std::string(many), count});
  else
    found->count += count;
}

std::string UnusedCounts::line() const {
  std::string out;
  for (const Counted& each : all_)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", each.count,
                       each.count == 1 ? each.one : each.many);
  return out;
}

} // namespace sinew
