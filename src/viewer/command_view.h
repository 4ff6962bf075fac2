// `sinew view`: the window.
#pragma once

#include "app/cli.h"

namespace sinew {

void addViewCommand(CommandLine& line);

} // namespace sinew
