#pragma once

#include "app/settings.h"

namespace sinew {

// The settings of one method as sinew_bind() takes them; the clip is the bind pose. Throws
// usageError.
Settings bindSettings(const char* method, const char* settings);

} // namespace sinew
