// `sinew demo`: the papers' figures and tables, made again.
#pragma once

#include "app/cli.h"

namespace sinew {

void addDemoCommand(CommandLine& line);

} // namespace sinew
