// A comparison as JSON. Keys are a contract (docs/cli.md).
#pragma once

#include "compare/compare_worst.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace sinew {

// With the limits that a method passes, as failedLimits() words them.
nlohmann::ordered_json toJson(const Comparison& comparison, const std::vector<Limit>& limits);

} // namespace sinew
