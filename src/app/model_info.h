// What a model holds: what `sinew info` prints.
#pragma once

#include "app/workbench.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sinew {

nlohmann::ordered_json infoJson(const Workbench& workbench);
std::string infoText(const Workbench& workbench);

} // namespace sinew
