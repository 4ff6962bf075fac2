// What the readers of all formats begin, report and end with.
#pragma once

#include "core/error.h"
#include "import/import_model.h"
#include "import/source_kind.h"

#include <exception>
#include <string_view>

namespace sinew {

// Throws Cancelled where the options' callback returns false.
void reportImport(const ImportOptions& options, float fraction, std::string_view what);

// A model with its name, path and format.
Model startModel(const SourceFile& file);

// The error of a file that its reader cannot make sense of.
Error notUsable(const SourceFile& file, const std::exception& reason);

} // namespace sinew
