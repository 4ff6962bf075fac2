// How far the reading of a file is, for its caller.
#pragma once

#include "import/import_model.h"

#include <string_view>

namespace sinew {

// Throws Cancelled where the options' callback returns false.
void reportImport(const ImportOptions& options, float fraction, std::string_view what);

} // namespace sinew
