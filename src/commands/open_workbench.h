// The model of a command, as its options say.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"
#include "commands/model_options.h"

namespace sinew {

// Whether a command shows several methods at once, or has a list of methods beside the settings.
enum class Methods { one, several, ownList };

// Loads, reads zones and animation layers, applies motion and pose, evaluates at the settings' clip
// and time; unless quiet, reports repairs, warnings and a zones file beside the model on stderr.
// Throws Error; usageError for several methods where one is meant.
Workbench openWorkbench(const ModelOptions& options, const Settings& settings,
                        Methods methods = Methods::one);

} // namespace sinew
